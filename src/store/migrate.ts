// Upgrades a data directory of the release before: its slabs of rows and its log are read unchanged, its opportunities
// stay what they were, with the times of their detection, until detection finds them again or they have ended.

import { clearFlag } from '../base/model/opportunity-record.js';
import { decode, encode } from '../base/wire/codec.js';
import type { PackedNews } from '../log/delta/opportunity.js';
import { forgetUniverses, putNews, type Slab, type SlabEntry } from './opportunity-store.js';
import { readVersion, type ShardEnv, type ShardMeta, STORE_VERSION, writeMeta } from './shard-env.js';
import { readLog } from './shard-reader.js';

/** That of release 0.2.0. */
const OLDEST = 5;
/** Of no release: its log is compressed in a way that is not read any more. */
const UNREADABLE_LOG = 6;
/** That of release 0.3.0: each commit put the numbers that it changed. */
const NUMBERS_PUT = 7;
/** In a record of release 0.2.0 this flag says something else; detection writes it anew. */
const HALF_ON_TIE = 1_024;

/** Of release 0.2.0: whether streams had yet to be sent it precedes the record. */
type EarlierSlab = [
  universes: string[],
  entries: [universe: number, detectedUs: number, updatedPosition: number, pending: boolean, record: Uint8Array][],
];

/**
 * Shards of this version, or of an unknown one, are unchanged. To be called before anything reads them. Returns the
 * version that the others had before; undefined if there were none.
 */
export function migrate(envs: readonly ShardEnv[]): number | undefined {
  const versions = envs.map((env) => readVersion(env)?.version ?? STORE_VERSION);
  const from = Math.min(...versions.filter((version) => version >= OLDEST));
  if (from >= STORE_VERSION) return undefined;
  for (const [shard, env] of envs.entries()) {
    const version = versions[shard]!;
    if (version >= OLDEST && version < STORE_VERSION) migrateShard(env, version);
  }
  return from;
}

function migrateShard(env: ShardEnv, from: number): void {
  const stored = readVersion(env)!;
  const meta = { ...stored, version: STORE_VERSION, slabsTo: stored.slabsTo ?? 0 };
  env.root.transactionSync(() => {
    if (from === NUMBERS_PUT) {
      writeMeta(env, meta);
      return;
    }
    if (from === UNREADABLE_LOG) env.opportunities.clearSync();
    else upgradeOpportunities(env, meta);
    // What ended is not known of every universe: a reader from before begins with all that are active.
    forgetUniverses(env, meta.position);
    if (from === UNREADABLE_LOG) env.log.clearSync();
    const log = from === UNREADABLE_LOG ? { logBytes: 0, cutTo: meta.position } : {};
    writeMeta(env, { ...meta, ...log, slabsTo: meta.position });
  });
}

function upgradeOpportunities(env: ShardEnv, { slabsTo }: ShardMeta): void {
  for (const eventNo of [...env.opportunities.getKeys()]) {
    const [universes, entries] = decode(Buffer.from(env.opportunities.getBinary(eventNo)!)) as EarlierSlab;
    const upgraded = entries.map(([universe, detectedUs, updatedPosition, _pending, record]): SlabEntry => {
      clearFlag(record, 0, HALF_ON_TIE);
      return [universe, detectedUs, updatedPosition, record];
    });
    void env.opportunities.put(eventNo, encode([universes, upgraded] satisfies Slab));
  }
  putNews(env, earlierNews(env, slabsTo));
}

/** What a log of release 0.2.0 has of opportunities. */
function* earlierNews(env: ShardEnv, position: number): Iterable<PackedNews> {
  for (const { bytes } of readLog(env, position)) {
    const { opportunities } = decode(Uint8Array.from(bytes)) as { opportunities: PackedNews };
    const records = Uint8Array.from(opportunities.records);
    const universes = opportunities.universes.map((news) => ({ ...news, put: [...places(news.put)] }));
    for (const { put } of universes) for (let i = 0; i < put.length; i += 3) clearFlag(records, put[i]!, HALF_ON_TIE);
    yield { records, universes };
  }
}

/** Then, twice the place of each record, and 1 if streams had not been sent it; its times follow. */
function* places(put: readonly number[]): Iterable<number> {
  for (const [i, value] of put.entries()) yield i % 3 === 0 ? Math.floor(value / 2) : value;
}
