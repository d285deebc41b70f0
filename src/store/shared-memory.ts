// What threads tell each other of the stores through shared memory.

import { monotonicMs } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';

const FREE = 0;
const WRITING = 1;
const ENDING = 2;
const RETRY_MS = 1;

/**
 * Prevents a thread from being terminated within a transaction: LMDB's binding would wait for itself while it cleans
 * up, and hold the store's one write lock for ever. One word of shared memory says who has it: nobody, the writer, or
 * the terminator.
 */
export class CommitGuard {
  readonly #word: Int32Array;

  /** @param memory from memory(), the same on both threads */
  constructor(memory: SharedArrayBuffer) {
    this.#word = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }

  /** On the writing thread. Does not return if the thread is being terminated. */
  run<T>(transaction: () => T): T {
    while (Atomics.compareExchange(this.#word, 0, FREE, WRITING) !== FREE) Atomics.wait(this.#word, 0, ENDING);
    try {
      return transaction();
    } finally {
      Atomics.store(this.#word, 0, FREE);
    }
  }

  /**
   * On another thread, as the process ends: no transaction begins any more, and an open one is waited for, though no longer
   * than this.
   */
  hold(msMax: number): void {
    const untilMs = monotonicMs() + msMax;
    while (Atomics.compareExchange(this.#word, 0, FREE, ENDING) === WRITING && monotonicMs() < untilMs)
      Atomics.wait(this.#word, 0, WRITING, RETRY_MS);
  }

  /** On another thread: runs `end` while no transaction is open; a replacement thread waits for it. */
  async whileIdle(end: () => Promise<unknown>): Promise<void> {
    while (Atomics.compareExchange(this.#word, 0, FREE, ENDING) !== FREE)
      await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS));
    try {
      await end();
    } finally {
      Atomics.store(this.#word, 0, FREE);
      Atomics.notify(this.#word, 0);
    }
  }
}

/** How far history has written each shard's changes. Its thread says so; the shards' threads cut no log past it. */
export class RecordedPositions {
  readonly #positions: BigInt64Array;

  /** @param memory from memory(), the same on all threads */
  constructor(memory: SharedArrayBuffer) {
    this.#positions = new BigInt64Array(memory);
  }

  /** Nothing is known to be written. */
  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(LIMITS.shards.max * BigInt64Array.BYTES_PER_ELEMENT);
  }

  of(shard: number): number {
    return Number(Atomics.load(this.#positions, shard));
  }

  set(shard: number, position: number): void {
    Atomics.store(this.#positions, shard, BigInt(position));
  }
}
