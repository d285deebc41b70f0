// Lets history follow the shards' logs: what it has not read yet, and if a log no longer reaches back, the table as it
// is, with the gap recorded.

import { monotonicMs } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import { type Delta, decodeDelta } from '../log/delta/delta.js';
import { addedRow, pointOf } from './history/recorded-event.js';
import type { Recorder, StandingRow } from './history/recorder.js';
import { readMeta, type ShardEnv } from './shard-env.js';
import { cutPosition, readLog, readLogTail, readTable } from './shard-reader.js';

/** Written after this many changes at the latest: unwritten changes take memory. */
const PENDING_MAX = LIMITS.historyUnwritten.max;

export interface LogOptions {
  envs: readonly ShardEnv[];
  recorder: Recorder;
  /** Of the data directory. */
  epoch: string;
  createdPosition: number;
  /** Takes the same deltas, in the same order; a delta may come again. */
  alsoTake?: (delta: Delta) => void;
  /** Writes what alsoTake() took: always before the recorder does, which nothing is read again after. */
  alsoFlush?: () => void;
  /** Nothing else can be written now. */
  isWriting?: () => boolean;
  /** A shard's log was cut before it was read, or contains something unreadable. */
  onGap(shard: number, fromUs: number, toUs: number): void;
  /** An entry after a position could not be recorded; it is read again, and then skipped with a gap. */
  onReadError(shard: number, position: number, error: unknown): void;
}

type Entry = { position: number; bytes: Buffer };

export class HistoryLog {
  readonly #options: LogOptions;
  /** By shard: the iterator, a view of the log as it was when it was opened. */
  readonly #open: (Iterator<Entry> | undefined)[] = [];
  /** By shard: where reading failed last, and whether that was the second time at the same entry. */
  readonly #failed: ({ position: number; again: boolean } | undefined)[] = [];

  constructor(options: LogOptions) {
    this.#options = options;
    const { recorder, envs, epoch } = options;
    const known = recorder.load();
    if (known && recorder.epoch === epoch && recorder.cursors.length === envs.length) return;
    // Numbers of another epoch mean nothing here: everything is read again, unless this is the very beginning.
    recorder.begin(epoch, envs.length);
    for (const [shard, env] of envs.entries()) if (known || cutPosition(env) > 0) this.#restate(shard, env, 0);
    // That it began is known from now on: what is cut away before the first write is a gap then, and not from before its time.
    recorder.flush();
  }

  /**
   * Reads what was committed since, for about `forMs`; true if everything was read. What must be written before more can be
   * read waits for what is being written.
   */
  read(forMs = Number.POSITIVE_INFINITY): boolean {
    const { recorder, envs } = this.#options;
    const untilMs = monotonicMs() + forMs;
    if (this.#options.isWriting?.() && this.#needsWriting()) return false;
    // What an earlier reading left open is a view of the log as it was then: after it comes what was committed since.
    const older = new Set([...this.#open.keys()].filter((shard) => this.#open[shard] !== undefined));
    // All of them first: what one has must not be cut away while another is read.
    for (const [shard] of envs.entries()) if (!this.#tried(shard, () => this.#begin(shard))) return false;
    for (const [shard] of envs.entries()) {
      for (;;) {
        // Before more is read: if nothing can be written, no more than this is held in memory.
        if (recorder.pending >= PENDING_MAX) {
          if (this.#options.isWriting?.()) return false;
          this.#flush();
        }
        let ended = false;
        const taken = this.#tried(shard, () => {
          ended = !this.#takeNext(shard);
        });
        if (!taken) return false;
        if (ended) {
          this.#open[shard] = undefined;
          if (!older.delete(shard)) break;
          if (!this.#tried(shard, () => this.#begin(shard))) return false;
        }
        if (monotonicMs() >= untilMs) return false;
      }
    }
    return true;
  }

  /** There is a gap, or something unreadable. */
  #needsWriting(): boolean {
    const { recorder, envs } = this.#options;
    return envs.some((env, shard) => {
      env.root.resetReadTxn();
      return this.#failed[shard]?.again || cutPosition(env) > recorder.cursors[shard]!;
    });
  }

  /** From here on nothing in the logs can be cut away before it is read. */
  begin(): void {
    for (const [shard] of this.#options.envs.entries()) this.#begin(shard);
  }

  #begin(shard: number): void {
    if (this.#open[shard] !== undefined) return;
    const { recorder, envs } = this.#options;
    const env = envs[shard]!;
    // This thread may still have a view of the store from before the last commit.
    env.root.resetReadTxn();
    const cursor = recorder.cursors[shard]!;
    if (cutPosition(env) > cursor) this.#gap(shard, env, cursor);
    this.#open[shard] = opened(readLog(env, recorder.cursors[shard]!));
  }

  /** Reads one delta of the shard; false if there is none. */
  #takeNext(shard: number): boolean {
    const { recorder, envs, alsoTake } = this.#options;
    const failed = this.#failed[shard];
    if (failed?.again && recorder.cursors[shard]! >= failed.position) {
      // Everything before it has been read; it is written before the current rows are read.
      this.#flush();
      this.#close(shard);
      envs[shard]!.root.resetReadTxn();
      this.#gap(shard, envs[shard]!, recorder.cursors[shard]!);
      this.#failed[shard] = undefined;
      this.#begin(shard);
      return true;
    }
    const { done, value } = this.#open[shard]!.next();
    if (done) return false;
    const delta = decodeDelta(value.bytes);
    recorder.take(delta);
    alsoTake?.(delta);
    if (failed !== undefined && value.position > failed.position) this.#failed[shard] = undefined;
    return true;
  }

  /**
   * False if it fails. A delta may then be partly recorded: everything unwritten is discarded, to be read again from
   * the last write on.
   */
  #tried(shard: number, run: () => void): boolean {
    const { recorder, onReadError } = this.#options;
    try {
      run();
      return true;
    } catch (error) {
      const position = recorder.cursors[shard]!;
      this.#failed[shard] = { position, again: this.#failed[shard]?.position === position };
      this.close();
      recorder.reload();
      onReadError(shard, position, error);
      return false;
    }
  }

  #flush(): void {
    const { recorder, alsoFlush } = this.#options;
    alsoFlush?.();
    recorder.flush();
  }

  /** Discards what was begun. */
  close(): void {
    for (const shard of this.#open.keys()) this.#close(shard);
  }

  #close(shard: number): void {
    this.#open[shard]?.return?.();
    this.#open[shard] = undefined;
  }

  #gap(shard: number, env: ShardEnv, cursor: number): void {
    const { createdPosition, onGap } = this.#options;
    const fromUs = Math.max(cursor, createdPosition);
    const toUs = this.#restate(shard, env, cursor, fromUs);
    onGap(shard, fromUs, toUs);
  }

  /**
   * Records the shard's table as it is; returns the position it is as of. With `gapUs` everything since then is a gap.
   */
  #restate(shard: number, env: ShardEnv, sinceUs: number, gapUs?: number): number {
    const { recorder } = this.#options;
    // Then a start after this one did not end would restate it again: what is held of half a million rows can be written
    // meanwhile.
    const restates = cutPosition(env) > recorder.cursors[shard]!;
    recorder.forgetNumbers(shard);
    const live = new Map<number, boolean>();
    let eventNo = -1;
    let book = '';
    let rows: StandingRow[] = [];
    const asOfUs = readMeta(env).position;
    const tell = (): void => {
      if (rows.length > 0) recorder.standing(shard, eventNo, rows, sinceUs, asOfUs);
      rows = [];
      if (restates && recorder.pending >= PENDING_MAX) recorder.flush();
    };
    const position = readTable(
      env,
      {
        event: (event) => {
          live.set(event.no, event.live);
          recorder.stated(shard, event, sinceUs);
        },
        book: (no, name) => {
          if (no !== eventNo) tell();
          eventNo = no;
          book = name;
        },
        row: (fixed, numbers) => {
          const price = pointOf(numbers, live.get(eventNo) ?? false);
          const row = addedRow(fixed, fixed.no, book, price, asIs);
          row.seenMs = numbers.seenMs;
          row.commission = numbers.commission;
          rows.push({ row, price, details: fixed.details });
        },
        intern: asIs,
      },
      readLogTail(env).numbers,
    );
    tell();
    recorder.retire(shard, position);
    recorder.cursors[shard] = position;
    // Written together: a gap is never hidden.
    if (gapUs !== undefined) recorder.gaps.add({ shard, fromUs: gapUs, toUs: position });
    recorder.flush();
    return position;
  }
}

const asIs = (text: string): string => text;

/** Returned with its first entry read: before that there is no view of the store. */
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
