// The kinds of feeds there are: each folder here that has a kind.ts, and modules of a user's own.
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { FeedKind } from './feed-kind.js';

export type FeedKinds = ReadonlyMap<string, FeedKind>;

const HERE = new URL('.', import.meta.url);
const loaded = new Map<string, Promise<FeedKinds>>();

/** By name, in the order of their names. */
export function feedKinds(): Promise<FeedKinds> {
  return getOrInsert(loaded, '', () => load());
}

async function load(): Promise<FeedKinds> {
  const folders = readdirSync(fileURLToPath(HERE), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const kinds: FeedKind[] = [];
  for (const { name } of folders) {
    const files = readdirSync(fileURLToPath(new URL(`${name}/`, HERE)));
    if (files.includes('kind.js')) kinds.push(await kindIn(new URL(`${name}/kind.js`, HERE).href));
  }
  return new Map(kinds.sort((a, b) => (a.kind < b.kind ? -1 : 1)).map((kind) => [kind.kind, kind]));
}

/** `./my-feed.js`, `/srv/feeds/mine.mjs:league=nba` … */
const OWN = /^(\.{0,2}\/.*?\.m?js)(?=:|$)/;

/** The module of a specification that names one, and the rest of it; undefined if it names a kind. */
export function ownModule(text: string): { path: string; rest: string } | undefined {
  const path = OWN.exec(text.trim())?.[1];
  return path === undefined ? undefined : { path, rest: text.trim().slice(path.length + 1) };
}

/** The kind that a module of a user's own exports. Rejects with an Error of one line. */
export async function loadOwnKind(path: string): Promise<FeedKind> {
  try {
    return await kindIn(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    const hint = error instanceof SyntaxError && path.endsWith('.js') ? ' (an ES module is named .mjs)' : '';
    throw new Error(`${path}: ${reason}${hint}`);
  }
}

async function kindIn(url: string): Promise<FeedKind> {
  const { feed, default: otherwise } = (await import(url)) as { feed?: unknown; default?: { feed?: unknown } };
  const kind = (feed ?? otherwise?.feed ?? otherwise) as Partial<FeedKind> | undefined;
  if (typeof kind?.kind !== 'string' || typeof kind.make !== 'function')
    throw new Error('it must export feed {kind, make} (docs/guides/feeds-and-ingest.md)');
  return kind as FeedKind;
}
