// Has history follow the shards' logs: what it has not read yet, and where a log no longer reaches back, the table as it
// stands, with the gap noted.

import type { EventDelta } from '../delta/delta.js';
import type { HistoryRow, Point } from '../history/event-record.js';
import type { Recorder } from '../history/recorder.js';
import { isActive } from '../model/activity.js';
import { monotonicMs } from '../model/clock.js';
import type { ShardEnv } from './shard-env.js';
import { cutPosition, decodeDelta, readLog, readTable } from './shard-reader.js';

/** Written after so many changes at the latest: what is not written has its place in memory. */
const PENDING_MAX = 50_000;

export interface LogOptions {
  envs: readonly ShardEnv[];
  recorder: Recorder;
  /** Of the data directory. */
  epoch: string;
  createdPosition: number;
  /** A shard's log was cut before it was read. */
  onGap(shard: number, fromUs: number, toUs: number): void;
}

type Entry = { position: number; bytes: Buffer };

export class HistoryLog {
  readonly #options: LogOptions;
  /** By shard: what is being read, a view of the log as it was when it was opened. */
  readonly #open: (Iterator<Entry> | undefined)[] = [];

  constructor(options: LogOptions) {
    this.#options = options;
    const { recorder, envs, epoch } = options;
    const known = recorder.load();
    if (known && recorder.epoch === epoch && recorder.cursors.length === envs.length) return;
    // Numbers of another life mean nothing here: everything is told anew, unless this is its very beginning.
    recorder.begin(epoch, envs.length);
    for (const [shard, env] of envs.entries()) if (known || cutPosition(env) > 0) this.#restate(shard, env, 0);
  }

  /** Takes in what was committed since, for about `forMs`; true where that was all of it. */
  read(forMs = Number.POSITIVE_INFINITY): boolean {
    const { recorder } = this.#options;
    const untilMs = monotonicMs() + forMs;
    this.begin();
    for (const [shard, entries] of this.#open.entries()) {
      while (entries !== undefined) {
        const { done, value } = entries.next();
        if (done) break;
        recorder.take(decodeDelta(value.bytes));
        if (recorder.pending >= PENDING_MAX) recorder.flush();
        if (monotonicMs() >= untilMs) return false;
      }
      this.#open[shard] = undefined;
    }
    return true;
  }

  /** From here on nothing of what the logs hold can be cut away before it was read. */
  begin(): void {
    const { recorder, envs } = this.#options;
    for (const [shard, env] of envs.entries()) {
      if (this.#open[shard] !== undefined) continue;
      // This thread may still hold a view of the store from before the last commit.
      env.root.resetReadTxn();
      const cursor = recorder.cursors[shard]!;
      if (cutPosition(env) > cursor) this.#gap(shard, env, cursor);
      this.#open[shard] = opened(readLog(env, recorder.cursors[shard]!));
    }
  }

  /** Lets go of what was begun. */
  close(): void {
    for (const entries of this.#open) entries?.return?.();
    this.#open.length = 0;
  }

  #gap(shard: number, env: ShardEnv, cursor: number): void {
    const { recorder, createdPosition, onGap } = this.#options;
    const toUs = this.#restate(shard, env, cursor);
    const fromUs = Math.max(cursor, createdPosition);
    recorder.gaps.add({ shard, fromUs, toUs });
    onGap(shard, fromUs, toUs);
  }

  /** Has the shard's table told as it stands; returns the position it is true of. */
  #restate(shard: number, env: ShardEnv, sinceUs: number): number {
    const { recorder } = this.#options;
    recorder.forgetNumbers(shard);
    const live = new Map<number, boolean>();
    let eventNo = -1;
    let book = '';
    let rows: { row: HistoryRow; price: Point }[] = [];
    const told: EventDelta[] = [];
    const tell = (): void => {
      if (rows.length > 0) recorder.standing(shard, eventNo, rows, sinceUs);
      rows = [];
    };
    const position = readTable(env, {
      event: (event) => {
        told.push(event);
        live.set(event.no, event.live);
        recorder.stated(shard, event, sinceUs);
      },
      book: (no, name) => {
        if (no !== eventNo) tell();
        eventNo = no;
        book = name;
      },
      row: (fixed, { american, decimal, line, changedUs, activity }) => {
        const { no, id, market, selection, selectionType, player, stat, team, alternate } = fixed;
        const price = {
          atUs: changedUs,
          american,
          decimal,
          line,
          live: live.get(eventNo) ?? false,
          active: isActive(activity),
        };
        const names = { id, book, market, selection, selectionType, player, stat, team, alternate };
        rows.push({ row: { ...names, place: -1, no, removedUs: 0, opening: price, kept: null }, price });
      },
      intern: (text) => text,
    });
    tell();
    recorder.retire(shard, position);
    recorder.cursors[shard] = position;
    recorder.flush();
    return position;
  }
}

/** With its first entry read: before that there is no view of the store. */
function opened(entries: Iterable<Entry>): Iterator<Entry> {
  const iterator = entries[Symbol.iterator]();
  let first: IteratorResult<Entry> | undefined = iterator.next();
  return {
    next: () => {
      const result = first ?? iterator.next();
      first = undefined;
      return result;
    },
    return: () => iterator.return?.() ?? { done: true, value: undefined },
  };
}
