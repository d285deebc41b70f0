// The writer's queue of commands: those that wait are run together, at one position among those of the shards' batches,
// and what they change goes the way of a batch: into the log, into the store, and then to those who asked.
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { StorageFull, shownFailure } from '../../base/model/storage-error.js';
import { encode } from '../../base/wire/codec.js';
import { Draft } from './command.js';
import type { ControlStore } from './entries.js';

/** In place of a shard's number in the log. */
export const CONTROL_SHARD = 0xffff;

/** The positions of the log, which shards' batches share (writer/pool/shard-queues.ts). */
export interface Positions {
  begin(): number;
  finish(position: number, release: () => void): void;
}

/** The log of several machines, if there is one (writer/pool/replication.ts). */
export interface SharedLog {
  /**
   * Commits once the log has the entry, and shows it once everything before it is shown; to be called in the order of
   * positions. Rejects with ApiError `unavailable` if it never will be shown.
   */
  release(entry: LogEntry, commit: () => Promise<void> | void, show: () => void): Promise<void>;
}

/** What a position changed. */
export interface LogEntry {
  shard: number;
  position: number;
  /** What it changed, encoded (of a shard its delta), valid until it is written; null if nothing changed. */
  message: Uint8Array | null;
}

/** Null once it is in the log, committed and shown, after everything before it; else why it never will be. */
export function releaseInTurn(
  positions: Positions,
  log: SharedLog,
  entry: LogEntry,
  commit: () => Promise<void> | void,
  show: () => void,
): Promise<unknown> {
  return new Promise((resolve) => {
    positions.finish(entry.position, () => {
      log.release(entry, commit, show).then(() => resolve(null), resolve);
    });
  });
}

export interface ControlQueueOptions {
  store: ControlStore;
  clock: Clock;
  positions: Positions;
  log?: SharedLog | undefined;
  /** Everything up to a position is shown. */
  reached(position: number): void;
}

/** A command by its name, as processes send it to the writer. */
export interface ControlRequest {
  name: string;
  args: unknown;
}

/** `position`: a store that has reached it shows what the command changed. */
export interface ControlAnswer {
  reply: unknown;
  position: number;
}

interface Waiting extends ControlRequest {
  done(answer: ControlAnswer): void;
  failed(error: unknown): void;
}

type Ran = { waiting: Waiting } & ({ reply: unknown } | { error: unknown });

export class ControlQueue {
  readonly #options: ControlQueueOptions;
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(options: ControlQueueOptions) {
    this.#options = options;
  }

  /** No other machine shares the log. */
  get alone(): boolean {
    return this.#options.log === undefined;
  }

  /** Settles once the changes are in the log and in the store. Rejects with ApiError, also that of the command. */
  run(name: string, args: unknown): Promise<ControlAnswer> {
    if (this.#waiting.length >= LIMITS.controlQueue.max)
      return Promise.reject(new ApiError('unavailable', 'too much waits to be stored: try again', { retryAfter: 1 }));
    return new Promise((done, failed) => {
      this.#waiting.push({ name, args, done, failed });
      this.#running ??= this.#drain();
    });
  }

  /** The same at once, where no other machine shares the log. Throws as run() rejects. */
  now(name: string, args: unknown): unknown {
    let reply: unknown;
    let failure: { error: unknown } | undefined;
    const waiting: Waiting = {
      name,
      args,
      done: (answer) => {
        reply = answer.reply;
      },
      failed: (error) => {
        failure = { error };
      },
    };
    const batch = this.#begin([waiting]);
    if (batch !== undefined) {
      const refusal = this.#commit(batch);
      if (refusal === null) settle(batch);
      else refuse(batch, refusal);
      this.#options.positions.finish(batch.position, () => this.#options.reached(batch.position));
    }
    if (failure !== undefined) throw failure.error;
    return reply;
  }

  /** Settles when nothing waits or runs. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #drain(): Promise<void> {
    // What is asked for in the same turn goes into the log together.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#run(this.#waiting.splice(0, LIMITS.controlBatch.max));
    this.#running = undefined;
  }

  async #run(waiting: Waiting[]): Promise<void> {
    const batch = this.#begin(waiting);
    if (batch === undefined) return;
    const refusal =
      this.#options.log === undefined ? await this.#runAlone(batch) : await this.#runIn(this.#options.log, batch);
    if (refusal === null) settle(batch);
    else refuse(batch, refusal);
  }

  /** Null once it is stored and everything before it is shown, else why it is not stored. */
  async #runAlone(batch: Batch): Promise<unknown> {
    const { positions, reached } = this.#options;
    const { position } = batch;
    const refusal = this.#commit(batch);
    await new Promise<void>((resolve) => positions.finish(position, resolve));
    if (refusal === null) reached(position);
    return refusal;
  }

  /** Null once it is in the log and stored, else why it is not, or why that is unknown. */
  async #runIn(log: SharedLog, { position, message, changes }: Batch): Promise<unknown> {
    const { store, positions, reached } = this.#options;
    try {
      store.reserve(changes);
    } catch (error) {
      positions.finish(position, () => undefined);
      return refusalOf(error);
    }
    const entry = { shard: CONTROL_SHARD, position, message };
    return releaseInTurn(
      positions,
      log,
      entry,
      () => store.commit(position, changes),
      () => reached(position),
    );
  }

  /** Undefined if nothing is changed: those who asked have their answers then. */
  #begin(waiting: readonly Waiting[]): Batch | undefined {
    const { store, clock, positions } = this.#options;
    const position = positions.begin();
    const draft = new Draft(store, position, clock.now());
    const ran = waiting.map((each): Ran => {
      try {
        return { waiting: each, reply: draft.run(each.name, each.args) };
      } catch (error) {
        return { waiting: each, error };
      }
    });
    const { changes } = draft;
    const batch = { position, changes, message: encode(changes), ran };
    if (changes.length > 0) return batch;
    positions.finish(position, () => this.#options.reached(position));
    settle({ ...batch, position: store.position });
    return undefined;
  }

  /** Null once it is in the store, else why it is not. */
  #commit({ position, changes }: Batch): ApiError | null {
    try {
      this.#options.store.commit(position, changes);
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }
}

function refusalOf(error: unknown): ApiError {
  if (!(error instanceof StorageFull)) return shownFailure(error);
  return new ApiError('storage_full', `nothing was stored: ${error.message}`, { retryAfter: 5 });
}

interface Batch {
  position: number;
  changes: readonly (readonly [string, Uint8Array | null])[];
  /** The changes, encoded. */
  message: Uint8Array;
  ran: readonly Ran[];
}

function settle({ position, ran }: Batch): void {
  for (const each of ran)
    if ('error' in each) each.waiting.failed(each.error);
    else each.waiting.done({ reply: each.reply, position });
}

/** A command's own refusal stays what it is. */
function refuse({ ran }: Batch, refusal: unknown): void {
  for (const each of ran) each.waiting.failed('error' in each ? each.error : refusal);
}
