// Memory for what one commit writes, used again by the next: LMDB copies each value as it is put, and a buffer of its own
// for every slab is most of what a collection would have to look after.

const FIRST_BYTES = 1 << 20;

export class Arena {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;

  /** Bytes with anything in them, until reset(). */
  take(bytes: number): Buffer {
    if (this.#used + bytes > this.#memory.length) {
      // What was taken before stays where it is.
      this.#memory = Buffer.allocUnsafeSlow(Math.max(bytes, this.#memory.length * 2));
      this.#used = 0;
    }
    const taken = this.#memory.subarray(this.#used, this.#used + bytes);
    this.#used += bytes;
    return taken;
  }

  /** All that was taken may be written over. */
  reset(): void {
    this.#used = 0;
  }
}
