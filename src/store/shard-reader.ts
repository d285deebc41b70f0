// The reading side of a shard's store: the table as committed, and the change log from any position.

import type { RowNumbers } from '../base/model/row.js';
import { ROW_BYTES } from '../base/model/shard-row.js';
import { decode } from '../base/wire/codec.js';
import { decodeDelta, type EventDelta } from '../log/delta/delta.js';
import { type FixedRow, readFixed } from './fixed-slab.js';
import { LaterNumbers } from './later-numbers.js';
import { LaterOpportunities } from './opportunity-store.js';
import { readMeta, type ShardEnv, splitSlabKey } from './shard-env.js';
import { broughtUp, NumbersReader } from './slab.js';

/** An event as stored: as in its last delta, and the position at which it was created. */
export type StoredEvent = EventDelta & { bornUs: number };

export interface SlabVisitor {
  event(event: EventDelta): void;
  /** A book's rows of an event follow. */
  book(eventNo: number, book: string, polledUs: number): void;
  /** The two parts of a row, in objects that are reused for the next. */
  row(fixed: FixedRow, numbers: RowNumbers): void;
  intern(text: string): string;
}

/**
 * Visits everything committed, events first; returns the position it is as of.
 * @param later what the log has after the slabs (later-numbers.ts)
 */
export function readTable(env: ShardEnv, visitor: SlabVisitor, later: LaterNumbers): number {
  const meta = readMeta(env);
  for (const { value } of env.events.getRange()) {
    const { bornUs: _bornUs, ...event } = decode(value) as StoredEvent;
    visitor.event(event);
  }
  const fixedSlabs = env.fixed.getRange()[Symbol.iterator]();
  try {
    let next = fixedSlabs.next();
    for (const { key, value } of env.numbers.getRange()) {
      while (!next.done && next.value.key < key) next = fixedSlabs.next();
      const { eventNo, bookNo } = splitSlabKey(key);
      const book = meta.bookNames[bookNo] ?? '';
      const numbers = new NumbersReader(broughtUp(value, later, eventNo, book));
      visitor.book(eventNo, book, numbers.polledUs);
      let rows = 0;
      if (!next.done && next.value.key === key)
        rows = readFixed(next.value.value, numbers, visitor.intern, (fixed, prices) => visitor.row(fixed, prices));
      if (rows !== numbers.count) throw new Error(`slab ${key} does not match its fixed part`);
    }
  } finally {
    // An open cursor is an open read transaction: LMDB would never reuse a page that was freed after it.
    fixedSlabs.return?.();
  }
  return meta.position;
}

/** Approximate number of stored rows: never far too low. */
export function estimateRows(env: ShardEnv): number {
  const stats = env.numbers.getStats() as { pageSize: number; treeLeafPageCount: number; overflowPages: number };
  return Math.floor(((stats.treeLeafPageCount + stats.overflowPages) * stats.pageSize) / ROW_BYTES / 2);
}

/** Log entries after `position` (and up to `until`), oldest first. */
export function* readLog(
  env: ShardEnv,
  position: number,
  until?: number,
): Iterable<{ position: number; bytes: Buffer }> {
  const range = until === undefined ? { start: position + 1 } : { start: position + 1, end: until + 1 };
  for (const { key, value } of env.log.getRange(range)) yield { position: key, bytes: value };
}

/** Entries of several shards' logs, each after its own entry in `positions`, up to `until`, oldest first. */
export function* mergedLogs(
  envs: readonly ShardEnv[],
  positions: readonly number[],
  until: number,
): Iterable<{ position: number; bytes: Buffer }> {
  const logs = envs.map((env, shard) => readLog(env, positions[shard]!, until)[Symbol.iterator]());
  try {
    const heads = logs.map((log) => log.next());
    for (;;) {
      let first = -1;
      for (const [i, head] of heads.entries())
        if (!head.done && (first < 0 || head.value.position < heads[first]!.value!.position)) first = i;
      if (first < 0) return;
      yield heads[first]!.value as { position: number; bytes: Buffer };
      heads[first] = logs[first]!.next();
    }
  } finally {
    // An open cursor is an open read transaction.
    for (const log of logs) log.return?.();
  }
}

/** Whether a batch of any of the shards has this position, and is still in its log. */
export function isInLog(envs: readonly ShardEnv[], position: number): boolean {
  if (envs.some(({ log }) => log.doesExist(position))) return true;
  // What was just committed is not in a view that was opened before.
  for (const { root } of envs) root.resetReadTxn();
  return envs.some(({ log }) => log.doesExist(position));
}

/** The log contains everything after this position; 0 if it is complete from the beginning. */
export function cutPosition(env: ShardEnv): number {
  return readMeta(env).cutTo;
}

/** Position of the oldest entry in the log; Infinity if there is none. */
export function firstPosition(env: ShardEnv): number {
  for (const position of env.log.getKeys({ limit: 1 })) return position;
  return Number.POSITIVE_INFINITY;
}

/** A removed row, as stored for readers that were offline. */
export interface Removal {
  id: string;
  eventId: string;
  sport: string;
  league: string;
  book: string;
  market: string;
  /** Absent in directories of earlier releases. */
  alternate?: boolean;
  /** Position at which the row was created. */
  bornUs: number;
}

export function* readRemovals(env: ShardEnv): Iterable<{ position: number; rows: Removal[] }> {
  for (const { key, value } of env.removals.getRange()) yield { position: key, rows: decode(value) as Removal[] };
}

// The tail of a shard's log: what it has after its slabs, read once for all of them.

interface LogTail {
  numbers: LaterNumbers;
  opportunities: LaterOpportunities;
}

/**
 * As of the last commit, in one turn of the event loop with the reading of the slabs: both see the same view of the store.
 * @param touched called with each position at which an event's opportunities changed, perhaps several times
 */
export function readLogTail(
  env: ShardEnv,
  touched: (eventNo: number, position: number) => void = () => undefined,
): LogTail {
  const after = { numbers: new LaterNumbers(), opportunities: new LaterOpportunities(env) };
  for (const { position, bytes } of readLog(env, readMeta(env).slabsTo)) {
    // The memory is LMDB's, and a record is a view of it.
    const delta = decodeDelta(Uint8Array.from(bytes));
    after.numbers.take(delta);
    after.opportunities.take(delta.opportunities, (eventNo) => touched(eventNo, position));
  }
  return after;
}
