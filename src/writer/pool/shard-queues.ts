// The queues of the shards: messages are split by league, queued for the shard that owns it, sent as one batch when it
// is free, and answered when their delta is committed and every reader of this process has applied it. Queues are
// bounded in quotes. Deltas of several shards are released in the order of their batches' positions, so that "up to P"
// means everything up to P.

import { diagnosticChannels, type ShardBatch } from '../../base/diagnostics/diagnostic-channels.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { type Clock, monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { BatchReceipt, NormalMessage } from '../../base/model/normal-message.js';
import { addRejections } from '../../intake/ingest/fields.js';
import { releaseInTurn } from '../../log/control/control-queue.js';
import { type AppliedBatch, encodeBatch, type LogBatch } from './protocol.js';
import type { Replication } from './replication.js';
import type { ShardThread } from './shard-thread.js';

export interface ShardQueuesOptions {
  threads: readonly ShardThread[];
  positions: PositionSequencer;
  /** Maximum number of quotes waiting for one shard. */
  queueQuotesMax: number;
  /** Applies a committed batch to this process's readers; called in the order of positions. */
  deliver(batch: LogBatch): void;
  /**
   * If several machines share the log: only batches that it has are committed, delivered and acknowledged.
   */
  replication?: Replication | undefined;
  /** Entries of the shard's log after the last one delivered, up to a position: read when its thread died. */
  missed(shard: number, upTo: number): LogBatch[];
  /** Everything up to a position is committed and delivered. */
  reached(position: number): void;
  onThreadLost(shard: number, error: unknown): void;
  /** Source of the messages on diagnostics channels. */
  source: object;
}

interface Waiting {
  /** monotonicMs at which it arrived. */
  queuedMs: number;
  message: NormalMessage;
  /** Its quotes, plus one for every other part that causes work. */
  weight: number;
  /** Of the batches before that had no room for all of its new games. */
  before: BatchReceipt[];
  done(receipt: BatchReceipt): void;
  failed(error: unknown): void;
}

/** Maximum number of quotes sent to a shard in one batch: more is a queue, not a batch. */
const BATCH_QUOTES_MAX = LIMITS.batchQuotes.max;
/** What is new costs the readers' thread much more than what changes. */
const LARGE = { newMax: LIMITS.batchNew.max };
const RETRIES_AFTER_CRASH = 1;

/** The result of a batch in its shard's thread. */
type BatchOutcome = Pick<ShardBatch, 'sentMs' | 'returnedMs' | 'quotes' | 'changed' | 'boundedMarkets' | 'times'>;
/** When a batch was begun, and its position. */
interface Shown {
  position: number;
  startedMs: number;
}

const FAILED: BatchOutcome = {
  sentMs: 0,
  returnedMs: 0,
  quotes: 0,
  changed: false,
  boundedMarkets: 0,
  times: undefined,
};

export class ShardQueues {
  readonly #queues: ShardQueue[];

  constructor(options: ShardQueuesOptions) {
    this.#queues = options.threads.map((thread) => new ShardQueue(thread, options, options.replication));
  }

  /** Quotes waiting, by shard. */
  get depths(): number[] {
    return this.#queues.map((queue) => queue.depth);
  }

  /**
   * Accepts messages in order; settles when all are committed. Throws ingest_queue_full before anything was accepted.
   */
  async submit(messages: readonly NormalMessage[]): Promise<BatchReceipt> {
    const parts: { queue: ShardQueue; message: NormalMessage; weight: number }[] = [];
    const wanted = new Map<ShardQueue, number>();
    for (const message of messages)
      for (const [shard, part] of cutByShard(message, this.#queues.length)) {
        const queue = this.#queues[shard]!;
        const weight = weightOf(part);
        parts.push({ queue, message: part, weight });
        wanted.set(queue, (wanted.get(queue) ?? 0) + weight);
      }
    for (const [queue, weight] of wanted)
      if (!queue.hasRoom(weight))
        throw new ApiError('ingest_queue_full', 'the ingest queue is full: send again in 1 second', { retryAfter: 1 });
    const receipts = await Promise.all(parts.map(({ queue, message, weight }) => queue.push(message, weight)));
    return sum(receipts);
  }

  /** Lets time pass in every shard that is idle. */
  tick(): void {
    for (const queue of this.#queues) queue.tick();
  }

  /** Settles when nothing waits or runs any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.idle()));
  }

  /** Settles when nothing waits or runs in one shard. */
  idleIn(shard: number): Promise<void> {
    return this.#queues[shard]!.idle();
  }
}

function sum(receipts: readonly BatchReceipt[]): BatchReceipt {
  const total: BatchReceipt = { accepted: 0, changed: 0, removed: 0, stale: 0, rejected: [] };
  for (const receipt of receipts) {
    total.accepted += receipt.accepted;
    total.changed += receipt.changed;
    total.removed += receipt.removed;
    total.stale += receipt.stale;
    if (receipt.joined !== undefined) total.joined = [...(total.joined ?? []), ...receipt.joined];
    addRejections(total.rejected, receipt.rejected);
  }
  return total;
}

function goOn(waiting: Waiting, receipt: BatchReceipt): void {
  waiting.before.push(receipt);
  waiting.message = restOf(waiting.message, receipt.rest ?? []);
}

function isLarge(batch: readonly Waiting[]): boolean {
  return batch.reduce((total, { weight }) => total + weight, 0) > LARGE.newMax;
}

/** One shard's queue and the loop that empties it. */
class ShardQueue {
  readonly #thread: ShardThread;
  readonly #options: ShardQueuesOptions;
  readonly #replication: Replication | undefined;
  #queue: Waiting[] = [];
  #weight = 0;
  #running: Promise<void> | null = null;
  /** Empty batches follow one another until universes are complete. */
  #joining = false;

  constructor(thread: ShardThread, options: ShardQueuesOptions, replication: Replication | undefined) {
    this.#thread = thread;
    this.#options = options;
    this.#replication = replication;
  }

  get depth(): number {
    return this.#weight;
  }

  hasRoom(weight: number): boolean {
    // A message larger than the whole queue is accepted when the queue is empty: otherwise it could never be sent.
    return this.#weight === 0 || this.#weight + weight <= this.#options.queueQuotesMax;
  }

  push(message: NormalMessage, weight: number): Promise<BatchReceipt> {
    return new Promise((done, failed) => {
      this.#queue.push({ queuedMs: monotonicMs(), message, weight, before: [], done, failed });
      this.#weight += weight;
      this.#wake();
    });
  }

  tick(): void {
    if (this.#running === null) this.#running = this.#drain(true);
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  #wake(): void {
    if (this.#running === null) this.#running = this.#drain(false);
  }

  async #drain(tick: boolean): Promise<void> {
    // Messages that arrive in the same turn of the loop are sent as one batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (tick && this.#queue.length === 0) await this.#run([]);
    while (this.#queue.length > 0 || this.#joining) await this.#run(this.#take());
    this.#running = null;
  }

  #take(): Waiting[] {
    let weight = 0;
    let count = 0;
    for (const waiting of this.#queue) {
      if (count > 0 && weight + waiting.weight > BATCH_QUOTES_MAX) break;
      weight += waiting.weight;
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #run(batch: Waiting[]): Promise<void> {
    const startedMs = monotonicMs();
    let failure: unknown = null;
    for (let tries = 0; tries <= RETRIES_AFTER_CRASH; tries++) {
      failure = await this.#attempt(batch, startedMs);
      if (failure === null || failure instanceof ApiError) break;
    }
    if (failure !== null) {
      this.#leave(batch);
      const error =
        failure instanceof ApiError
          ? failure
          : new ApiError('unavailable', 'a shard failed and is being replaced: send again', { retryAfter: 1 });
      for (const waiting of batch) waiting.failed(error);
      this.#publish(batch, startedMs, FAILED);
    }
  }

  #publish(batch: readonly Waiting[], startedMs: number, outcome: BatchOutcome): void {
    if (!diagnosticChannels.shardBatch.hasSubscribers) return;
    diagnosticChannels.shardBatch.publish({
      source: this.#options.source,
      shard: this.#thread.shard,
      messages: batch.length,
      queuedMs: batch.map((waiting) => waiting.queuedMs),
      startedMs,
      endedMs: monotonicMs(),
      ...outcome,
    });
  }

  /** They are no longer waiting. */
  #leave(batch: readonly Waiting[]): void {
    for (const waiting of batch) {
      this.#weight -= waiting.weight;
      waiting.weight = 0;
    }
  }

  /** Null if the batch is committed and answered; else the reason why not. */
  async #attempt(batch: Waiting[], startedMs: number): Promise<unknown> {
    const { positions, deliver, missed, onThreadLost } = this.#options;
    const { shard } = this.#thread;
    const position = positions.begin();
    const messages = batch.map((waiting) => waiting.message);
    const encoded = encodeBatch({ messages, nowMs: positions.nowMs(position), ...(isLarge(batch) ? LARGE : {}) });
    const replication = this.#replication;
    let answer: AppliedBatch;
    let outcome: BatchOutcome;
    try {
      const sentMs = monotonicMs();
      this.#joining = false;
      answer = await this.#thread.apply(encoded, position, replication !== undefined);
      this.#joining = answer.joining;
      outcome = outcomeOf(answer, sentMs);
    } catch (error) {
      // The thread died. What it had committed is in the log; the batch itself may be sent again, it is idempotent.
      onThreadLost(shard, error);
      const batches = replication === undefined ? (): LogBatch[] => missed(shard, position) : (): LogBatch[] => [];
      positions.finish(position, () => {
        for (const each of batches()) deliver(each);
      });
      return error;
    }
    if (answer.failure !== null) {
      answer.release();
      positions.finish(position, () => undefined);
      return new ApiError('storage_full', `nothing was taken: ${answer.failure}`, { retryAfter: 5 });
    }
    const show = (): void => this.#show(batch, answer, outcome, { position, startedMs });
    if (replication === undefined) {
      positions.finish(position, show);
      return null;
    }
    const message = answer.batch?.delta ?? null;
    const commit = (): Promise<void> => this.#commit(position, message, outcome);
    const lost = await releaseInTurn(positions, replication, { shard, position, message }, commit, show);
    if (lost === null) return null;
    answer.release();
    try {
      await this.#thread.undo();
    } catch (error) {
      onThreadLost(shard, error);
    }
    return lost;
  }

  /** Every reader of this process has applied it: it is answered. */
  #show(batch: Waiting[], answer: AppliedBatch, outcome: BatchOutcome, { position, startedMs }: Shown): void {
    const { deliver, reached } = this.#options;
    const { receipts } = answer;
    const rest = receipts.at(-1)?.rest;
    const finished = batch.slice(0, rest === undefined ? receipts.length : receipts.length - 1);
    // Before the readers are called, so that a reader that checks for waiting messages sees only later ones.
    this.#leave(finished);
    if (finished.length < batch.length) {
      if (rest !== undefined) goOn(batch[finished.length]!, receipts.at(-1)!);
      this.#queue.unshift(...batch.slice(finished.length));
    }
    if (answer.batch !== null) deliver(answer.batch);
    reached(position);
    answer.release();
    for (const [i, waiting] of finished.entries()) waiting.done(sum([...waiting.before, receipts[i]!]));
    // Before the streams' tick, which may come at once and is counted from here.
    this.#publish(finished, startedMs, outcome);
  }

  /** Of a batch that the log has: whatever became of the thread that held it, this store must have it too. */
  async #commit(position: number, delta: Uint8Array | null, { times }: BatchOutcome): Promise<void> {
    if (delta === null) return;
    const { onThreadLost, missed } = this.#options;
    const { shard } = this.#thread;
    try {
      const committedMs = await this.#thread.commit(position);
      if (times !== undefined && committedMs !== null) times.committed = committedMs;
      if (committedMs !== null) return;
    } catch (error) {
      onThreadLost(shard, error);
    }
    if (missed(shard, position).some((batch) => batch.position === position)) return;
    const { failure, release } = await this.#thread.fold(delta);
    release();
    if (failure !== null) throw new Error(`shard ${shard} has no room for what the log has: ${failure}`);
  }
}

function outcomeOf({ receipts, batch, boundedMarkets, times }: AppliedBatch, sentMs: number): BatchOutcome {
  return {
    sentMs,
    returnedMs: monotonicMs(),
    quotes: receipts.reduce((total, { accepted }) => total + accepted, 0),
    changed: batch !== null,
    boundedMarkets,
    times,
  };
}

// Which shard owns a league, and what of a message is whose.

/** FNV-1a of the league's id: the same shard on every machine and after every restart. */
export function shardOfLeague(league: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < league.length; i++) hash = Math.imul(hash ^ league.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % shards;
}

const PARTS = ['events', 'splits', 'futures', 'results', 'settlements'] as const;

/** A message's parts, by shard. */
export function cutByShard(message: NormalMessage, shards: number): Map<number, NormalMessage> {
  const parts = new Map<number, NormalMessage>();
  const partOf = (league: string): NormalMessage =>
    getOrInsert(parts, shardOfLeague(league, shards), () => {
      return { ...message, events: [], splits: [], futures: [], results: [], settlements: [] };
    });
  if (message.league !== null) partOf(message.league);
  for (const name of PARTS)
    for (const one of message[name] ?? []) (partOf(one.league)[name] as { league: string }[]).push(one);
  return parts;
}

/** Its quotes, plus one for every other part that causes work. */
export function weightOf(message: NormalMessage): number {
  let weight = 1 + message.splits.length + (message.results?.length ?? 0) + (message.settlements?.length ?? 0);
  for (const event of message.events) {
    weight++;
    for (const market of event.markets) weight += market.quotes.length;
  }
  for (const future of message.futures) weight += future.quotes.length;
  return weight;
}

/** Of a message of which a batch had no room for these new games: they, and what it says beside games. */
export function restOf(message: NormalMessage, places: readonly number[]): NormalMessage {
  const events = [...places].sort((a, b) => a - b).map((place) => message.events[place]!);
  // What a league's list lacks was removed with its first part.
  return { ...message, scope: message.scope === 'league' ? 'event' : message.scope, league: null, events };
}

/** A clock this far behind the positions was set back (ms): several batches within a microsecond run ahead by less. */
const SET_BACK_MS = 1_000;

interface Outstanding {
  position: number;
  release: (() => void) | null;
}

/** One strictly increasing number for every commit, which is also its time (Unix µs, a hybrid logical clock). */
export class PositionSequencer {
  readonly #clock: Clock;
  #last: number;
  readonly #outstanding: Outstanding[] = [];
  readonly #onSetBack: (byMs: number) => void;
  #isSetBack = false;

  /**
   * @param last highest position ever used in this data directory, or its first
   * @param onSetBack called when the clock is found behind the positions, once until it has caught up
   */
  constructor(clock: Clock, last: number, onSetBack: (byMs: number) => void = () => {}) {
    this.#clock = clock;
    this.#last = last;
    this.#onSetBack = onSetBack;
  }

  /** Takes the next position; each must be finished, whatever the result of the batch. */
  begin(): number {
    const position = Math.max(Math.floor(this.#clock.now() * 1000), this.#last + 1);
    this.#last = position;
    this.#outstanding.push({ position, release: null });
    return position;
  }

  /** The highest position taken. */
  get last(): number {
    return this.#last;
  }

  /** Takes every position up to `upTo`, whatever the time, for a run of batches; to be finished as one. */
  reserve(upTo: number): number {
    this.#last = Math.max(upTo, this.#last + 1);
    this.#outstanding.push({ position: this.#last, release: null });
    return this.#last;
  }

  /** Gives back what a run did not need of its positions, if none was taken since; returns where the run now is. */
  giveBack(reserved: number, used: number): number {
    const entry = this.#outstanding.find(({ position }) => position === reserved);
    if (entry === undefined) throw new Error(`position ${reserved} is not outstanding`);
    if (this.#last !== reserved) return reserved;
    entry.position = used;
    this.#last = used;
    return used;
  }

  /** Whether everything before an outstanding position is released. */
  isNext(position: number): boolean {
    return this.#outstanding[0]?.position === position;
  }

  /**
   * The clock's time (Unix ms) if it was set back behind `position`, null if the position is the time. Positions never
   * decrease, but the age of a price is measured by the clock that dated it.
   */
  nowMs(position: number): number | null {
    const nowMs = this.#clock.now();
    const byMs = position / 1000 - nowMs;
    const isSetBack = byMs > SET_BACK_MS;
    if (isSetBack && !this.#isSetBack) this.#onSetBack(byMs);
    this.#isSetBack = isSetBack;
    return isSetBack ? nowMs : null;
  }

  /** Sets what to do with the batch once everything before it is done. */
  finish(position: number, release: () => void): void {
    const entry = this.#outstanding.find((outstanding) => outstanding.position === position);
    if (entry === undefined) throw new Error(`position ${position} is not outstanding`);
    entry.release = release;
    let head = this.#outstanding[0];
    while (head !== undefined && head.release !== null) {
      this.#outstanding.shift();
      head.release();
      head = this.#outstanding[0];
    }
  }
}
