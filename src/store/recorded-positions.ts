// How far history has written each shard's changes. Its thread says so; the shards' threads cut no log past it.
import { LIMITS } from '../base/model/limits.js';

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
