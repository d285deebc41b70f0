// Data without rows in the odds table in a shard's store: splits by event, source and time, futures by market and book.
// Anything polled before what is stored changes nothing.

import type { ResultRecord } from '../base/model/result.js';
import { decode, encode } from '../base/wire/codec.js';
import type { Delta, FutureDelta, SplitsDelta } from '../log/delta/delta.js';
import { couldBeKey, decoded, keysOf } from './lmdb-table.js';
import type { ShardEnv } from './shard-env.js';

export const SPLITS_HISTORY_MS = 48 * 3_600_000;
/** Splits are sampled at this interval: the newest of each is stored. */
const SPLITS_EVERY_MS = 5 * 60_000;
/** Maximum number of expired history entries that one new entry removes. */
const CUT_PER_ENTRY = 4;

/** Absent in stores of older releases. */
type StoredFuture = FutureDelta & { position?: number };

/** Number of writes of writeExtras() at most. */
export function extrasOf({ splits, expiredResults, results, futures }: Delta): number {
  return splits.length * (1 + CUT_PER_ENTRY) + (expiredResults?.length ?? 0) + (results?.length ?? 0) + futures.length;
}

/** Within the transaction of the delta's batch. */
export function writeExtras({ splits, futures, results }: ShardEnv, delta: Delta): void {
  for (const entry of delta.splits) {
    const { fetchedMs, source } = entry.splits;
    const bucketMs = Math.floor(fetchedMs / SPLITS_EVERY_MS) * SPLITS_EVERY_MS;
    const key = splitsKey(entry.eventId, source, bucketMs);
    const stored = splits.getBinary(key);
    if (stored !== undefined && (decode(stored) as SplitsDelta).splits.fetchedMs > fetchedMs) continue;
    void splits.put(key, encode(entry));
    const start = splitsKey(entry.eventId, source, 0);
    const end = splitsKey(entry.eventId, source, bucketMs - SPLITS_HISTORY_MS);
    for (const old of [...splits.getKeys({ start, end, limit: CUT_PER_ENTRY })]) void splits.remove(old);
  }
  for (const id of delta.expiredResults ?? []) void results.remove(id);
  for (const record of delta.results ?? []) void results.put(record.eventId, encode(record));
  for (const entry of delta.futures) {
    const key = futureKey(entry);
    const stored = futures.getBinary(key);
    if (stored !== undefined && (decode(stored) as FutureDelta).polledMs > entry.polledMs) continue;
    if (entry.forgotten === true) void futures.remove(key);
    else void futures.put(key, encode({ ...entry, position: delta.position } satisfies StoredFuture));
  }
}

/** The history of an event that is removed; within the transaction that removes it. */
export function forgetSplits({ splits }: ShardEnv, eventId: string): void {
  for (const key of [...splits.getKeys(keysOf(eventId))]) void splits.remove(key);
}

/** The newest splits of every event and source. */
export function* readLatestSplits(env: ShardEnv): Iterable<SplitsDelta> {
  let last: string | undefined;
  for (const key of env.splits.getKeys()) {
    if (last !== undefined && seriesOf(last) !== seriesOf(key))
      yield decode(env.splits.getBinary(last)!) as SplitsDelta;
    last = key;
  }
  if (last !== undefined) yield decode(env.splits.getBinary(last)!) as SplitsDelta;
}

function seriesOf(splitsKey: string): string {
  return splitsKey.slice(0, splitsKey.lastIndexOf('|'));
}

/** All splits of an event, by source and time. */
export function readSplitsHistory(env: ShardEnv, eventId: string): SplitsDelta[] {
  if (!couldBeKey(eventId)) return [];
  // This thread may still have a view of the store from before the last commit.
  env.root.resetReadTxn();
  return [...env.splits.getRange(keysOf(eventId))].map(({ value }) => decode(value) as SplitsDelta);
}

/** @param upTo listings stored later are left out, and those before them are not known any more */
export function* readFutures(env: ShardEnv, upTo = Number.POSITIVE_INFINITY): Iterable<FutureDelta> {
  for (const { value } of env.futures.getRange()) {
    const { position = 0, ...entry } = decode(value) as StoredFuture;
    if (position <= upTo) yield entry;
  }
}

/** What is known of a game's end. */
export function readResult(env: ShardEnv, eventId: string): ResultRecord | undefined {
  return couldBeKey(eventId) ? decoded<ResultRecord>(env.results.getBinary(eventId)) : undefined;
}

export function* readResults(env: ShardEnv): Iterable<ResultRecord> {
  for (const { value } of env.results.getRange()) yield decode(value) as ResultRecord;
}

/** Times have 13 digits, so that keys of one event and source sort in order of time. */
function splitsKey(eventId: string, source: string, bucketMs: number): string {
  return `${eventId}|${source}|${String(bucketMs).padStart(13, '0')}`;
}

function futureKey({ future, book }: FutureDelta): string {
  return `${future.league}|${future.market}|${book}`;
}
