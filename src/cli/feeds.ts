// Makes the feeds of the command line from their specifications. Only the modules of those that are named are loaded.
import type { Catalogue } from '../catalogue/catalogue.js';
import { type Config, ConfigError } from '../config/config.js';
import type { Feed } from '../feeds/feed.js';
import { type FeedSpec, numberArg, parseFeedSpec } from '../feeds/spec.js';
import { recordingSize } from './recording-file.js';

const SINGLE_KINDS = ['polymarket', 'kalshi', 'betfair-stream', 'opticodds', 'sharpapi'];

/** Whether any of the feeds is simulated. Rejects with ConfigError for an invalid specification. */
export async function anySimulated({ feeds }: Config): Promise<boolean> {
  for (const text of feeds) if (await ofFeed(() => isSimulated(parseFeedSpec(text)))) return true;
  return false;
}

/** Rejects with ConfigError for an invalid specification. */
export async function makeFeeds(config: Config, catalogue: Catalogue): Promise<Feed[]> {
  const feeds: Feed[] = [];
  // What only serves has none, whatever the default is.
  if (config.role === 'front') return feeds;
  // Each states complete leagues of its book: two of a kind would each remove what the other lists.
  const twice = SINGLE_KINDS.find((kind) => config.feeds.filter((text) => text.split(':', 1)[0] === kind).length > 1);
  if (twice !== undefined) throw new ConfigError(`--feed: ${twice} is given twice; name all of its lists in one`);
  for (const text of config.feeds) {
    const feed = await ofFeed(() => makeFeed(text, config, catalogue));
    if (feed !== null) feeds.push(feed);
  }
  return feeds;
}

async function ofFeed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ConfigError(`--feed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A recording is of real odds unless it says otherwise. */
async function isSimulated({ kind, path }: FeedSpec): Promise<boolean> {
  if (kind !== 'replay' || path === undefined) return kind === 'sim';
  recordingSize(path);
  const { isSimulatedRecording } = await import('../feeds/replay/recording.js');
  return isSimulatedRecording(path);
}

async function makeFeed(text: string, config: Config, catalogue: Catalogue): Promise<Feed | null> {
  const spec = parseFeedSpec(text);
  switch (spec.kind) {
    case 'none':
      return null;
    case 'sim': {
      const { simFeed } = await import('../feeds/sim/feed.js');
      const { simOptions } = await import('../feeds/sim/options.js');
      const given: Record<string, number> = { depth: config.depth };
      for (const name of ['seed', 'books', 'events', 'rate']) {
        const value = numberArg(spec, name, 0, Number.MAX_SAFE_INTEGER);
        if (value !== undefined) given[name] = value;
      }
      return simFeed(simOptions(given), catalogue);
    }
    case 'replay': {
      const simulated = await isSimulated(spec);
      const { replayFromSpec } = await import('../feeds/from-spec.js');
      return replayFromSpec(spec, catalogue, simulated);
    }
    case 'betfair-stream': {
      const { betfairFromSpec } = await import('../feeds/betfair/from-spec.js');
      return betfairFromSpec(spec, config, catalogue, Math.random);
    }
    case 'the-odds-api': {
      if (config.oddsApiKey === undefined)
        throw new Error('the-odds-api needs the environment variable THE_ODDS_API_KEY');
      const { theOddsApiFromSpec } = await import('../feeds/from-spec.js');
      return theOddsApiFromSpec(spec, {
        leagues: catalogue,
        apiKey: config.oddsApiKey,
        baseUrl: config.oddsApiUrl,
        random: Math.random,
      });
    }
    case 'polymarket': {
      const { polymarketFromSpec } = await import('../feeds/polymarket/from-spec.js');
      return polymarketFromSpec(spec, config, catalogue, Math.random);
    }
    case 'opticodds': {
      const { opticOddsFromSpec } = await import('../feeds/opticodds/from-spec.js');
      return opticOddsFromSpec(spec, config, catalogue, Math.random);
    }
    case 'sharpapi': {
      const { sharpApiFromSpec } = await import('../feeds/sharpapi/from-spec.js');
      return sharpApiFromSpec(spec, config, Math.random);
    }
    case 'kalshi': {
      const { kalshiFromSpec } = await import('../feeds/kalshi/from-spec.js');
      return kalshiFromSpec(spec, config, catalogue, Math.random);
    }
  }
}
