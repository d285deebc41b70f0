// Makes the feeds of the command line from their specifications. Only the modules of those that are named are loaded.

import { type Config, ConfigError, type ShownSetting } from '../config/config.js';
import { readSettings } from '../config/setting.js';
import type { Feed } from '../intake/feeds/feed.js';
import {
  type FeedKind,
  type FeedSpec,
  feedKinds,
  loadOwnKind,
  ownModule,
  parseFeedSpec,
  specOf,
} from '../intake/feeds/feed-kind.js';
import { OwnFeed } from '../intake/feeds/own-feed.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { recordingSize } from './recording-file.js';

type Env = Readonly<Record<string, string | undefined>>;

interface Named {
  kind: FeedKind;
  spec: FeedSpec;
  /** Of a module of a user's own. */
  own?: true;
}

/** The settings of all feeds, for the documents. */
export async function feedSettings(): Promise<ShownSetting[]> {
  return [...(await feedKinds()).values()].flatMap(({ settings = [] }): ShownSetting[] => [...settings]);
}

/** Whether any of the feeds is simulated. Rejects with ConfigError for an invalid specification. */
export async function anySimulated(config: Config): Promise<boolean> {
  for (const { kind, spec } of await named(config)) if (await ofFeed(async () => kind.simulated?.(spec))) return true;
  return false;
}

/** Rejects with ConfigError for an invalid specification. */
export async function makeFeeds(config: Config, catalogue: Catalogue, env: Env): Promise<Feed[]> {
  const feeds: Feed[] = [];
  // What only serves has none, whatever the default is.
  if (config.role === 'front') return feeds;
  const all = await named(config);
  const twice = all.find(({ kind }, i) => kind.once && all.some((other, j) => j < i && other.kind === kind));
  if (twice !== undefined)
    throw new ConfigError(`--feed: ${twice.kind.kind} is given twice; name all of its lists in one`);
  for (const { kind, spec, own } of all) {
    const { values } = readSettings(kind.settings ?? [], {}, env);
    const access = { settings: values as never, catalogue, depth: config.depth, random: Math.random };
    const make = async (): Promise<Feed> => kind.make(spec, access);
    const feed = await ofFeed(make);
    feeds.push(own ? new OwnFeed(feed, make, access.random) : feed);
  }
  return feeds;
}

function named({ feeds }: Config): Promise<Named[]> {
  return ofFeed(async () => {
    const kinds = await feedKinds();
    const all: Named[] = [];
    for (const text of feeds.filter((each) => each !== 'none')) {
      const own = ownModule(text);
      if (own === undefined) {
        const found = parseFeedSpec(text, kinds);
        if (found.kind.argument !== undefined) recordingSize(found.spec.argument!);
        all.push(found);
      } else {
        const kind = await loadOwnKind(own.path);
        all.push({ kind, spec: specOf(kind, own.rest), own: true });
      }
    }
    return all;
  });
}

async function ofFeed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ConfigError(`--feed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
