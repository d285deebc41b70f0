// A stretch of a recording within its shard: instants, and between them every deadline at its own, as if each had been
// sent when its time came. What a batch of them costs beyond applying it (a way to the thread and back, a transaction)
// is paid once.

import type { BatchReceipt, NormalMessage } from '../../base/model/normal-message.js';
import { decode, encodeOwn } from '../../base/wire/codec.js';

export interface RunInstant {
  /** Unix ms. */
  atMs: number;
  messages: readonly NormalMessage[];
}

export interface RunInput extends TimesReached {
  instants: readonly RunInstant[];
  /** Deadlines before it pass as well (Unix ms). */
  untilMs: number;
  /** The next deadline as of the shard's last answer (Unix ms). */
  nextDeadlineMs: number;
  /** Positions are after this one. */
  position: number;
  shards: number;
}

/** One batch of the run. */
export interface RunStep {
  /** Unix ms. */
  atMs: number;
  position: number;
  /** Of its encoded delta; 0 if nothing changed. */
  bytes: number;
  /** Which of the run's instants; -1 for a deadline. */
  instant: number;
  /** By message. */
  receipts: BatchReceipt[];
}

export interface RunResult extends TimesReached {
  position: number;
  steps: RunStep[];
  /** One after the other. */
  deltas: Uint8Array;
}

/** What a run needs of a shard. */
export interface RunShard {
  readonly nextDeadlineMs: number;
  /** Universes wait for their complete state, and an empty batch would bring it nearer. */
  readonly joining: boolean;
  apply(messages: readonly NormalMessage[], position: number): { delta: Uint8Array | null; receipts: BatchReceipt[] };
}

export function encodeRun(input: RunInput): Uint8Array<ArrayBuffer> {
  return encodeOwn(input);
}

export function decodeRun(bytes: Uint8Array): RunInput {
  return decode(bytes) as RunInput;
}

/** @param no the shard's number */
export function playRun(shard: RunShard, no: number, input: RunInput): RunResult {
  const { instants, untilMs, lastMs } = input;
  const times = new RecordedTimes(lastMs);
  times.reached(input);
  const positions = new RunPositions(input.position, no, input.shards);
  const steps: RunStep[] = [];
  const deltas: Uint8Array[] = [];
  let { nextDeadlineMs } = input;
  const apply = (messages: readonly NormalMessage[], atMs: number, instant: number): void => {
    for (let rest = messages; ; rest = []) {
      const position = positions.at(atMs);
      const { delta, receipts } = shard.apply(rest, position);
      if (delta !== null) deltas.push(delta);
      steps.push({ atMs, position, bytes: delta?.length ?? 0, instant, receipts });
      if (!shard.joining) break;
    }
    nextDeadlineMs = shard.nextDeadlineMs;
  };
  const passTimeTo = (atMs: number): void => {
    for (;;) {
      const dueMs = times.deadlineMs(nextDeadlineMs);
      if (!(dueMs < atMs)) return;
      apply([], times.afterDeadline(dueMs), -1);
    }
  };
  for (const [instant, { atMs, messages }] of instants.entries()) {
    passTimeTo(atMs);
    const thenMs = times.ofInstant(atMs);
    if (messages.length > 0) apply(messages, thenMs, instant);
  }
  passTimeTo(untilMs);
  const { lastMs: reachedMs, lastDeadlineMs } = times;
  return { lastMs: reachedMs, lastDeadlineMs, position: positions.last, steps, deltas: Buffer.concat(deltas) };
}

// When the batches of a recording are: its messages at their instants, what is due at its deadline, and no two at once.

/** After a deadline, by more than the rounding of a time in ms and less than two µs: positions are whole µs. */
const AFTER_DEADLINE_MS = 0.0015;
/**
 * Between batches of one instant (ms): those that only register universes take positions too, and how many there are
 * must not show in later ones.
 */
const APART_MS = 0.05;

/** So far. */
export interface TimesReached {
  /** Of the last batch (Unix ms). */
  lastMs: number;
  lastDeadlineMs: number;
}

export class RecordedTimes implements TimesReached {
  lastMs: number;
  lastDeadlineMs = Number.NEGATIVE_INFINITY;

  constructor(startMs: number) {
    this.lastMs = startMs;
  }

  reached({ lastMs, lastDeadlineMs }: TimesReached): void {
    this.lastMs = Math.max(this.lastMs, lastMs);
    this.lastDeadlineMs = Math.max(this.lastDeadlineMs, lastDeadlineMs);
  }

  /** The deadline to wait for: one that does not advance by even a microsecond must not stall the recording. */
  deadlineMs(nextMs: number): number {
    return Math.max(nextMs, this.lastDeadlineMs + 1);
  }

  /** When a batch for this instant is; one of before the last batch comes after it. */
  ofInstant(atMs: number): number {
    this.lastMs = Math.max(atMs, this.lastMs + APART_MS);
    return this.lastMs;
  }

  /** When what is due at this deadline happens. */
  afterDeadline(deadlineMs: number): number {
    this.lastDeadlineMs = deadlineMs;
    return this.ofInstant(deadlineMs + AFTER_DEADLINE_MS);
  }
}

/** A position that the batches of so many instants up to then (Unix ms) do not reach. */
export function positionBeyond({ lastMs }: TimesReached, untilMs: number, instants: number): number {
  return Math.ceil((Math.max(lastMs, untilMs) + APART_MS * (instants + 1) + 1) * 1000);
}

/** Positions of the batches of one shard: no other shard's. */
class RunPositions {
  #last: number;
  readonly #shard: number;
  readonly #shards: number;

  constructor(last: number, shard: number, shards: number) {
    this.#last = last;
    this.#shard = shard;
    this.#shards = shards;
  }

  get last(): number {
    return this.#last;
  }

  at(atMs: number): number {
    const least = Math.max(Math.floor(atMs * 1000), this.#last + 1);
    const shards = this.#shards;
    this.#last = least + ((((this.#shard - least) % shards) + shards) % shards);
    return this.#last;
  }
}
