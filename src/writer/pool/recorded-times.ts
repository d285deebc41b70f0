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
export class RunPositions {
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
