// Reusable memory for the values of one write. LMDB copies each value as it is put, and a fresh buffer for every slab
// would be most of the garbage collector's work.

/** It is never smaller. */
const FIRST_BYTES = 1 << 20;
/** Consecutive writes that needed far less than the buffer before it is shrunk. */
const LARGE_FOR = 64;
const FAR_TOO_MUCH = 8;

export class Arena {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  /** Bytes taken since reset(), over all buffers. */
  #taken = 0;
  #largeFor = 0;

  /** Bytes with undefined contents, valid until reset(). */
  take(bytes: number): Buffer {
    if (this.#used + bytes > this.#memory.length) {
      // The previous buffer lives on in the slices taken from it.
      this.#memory = Buffer.allocUnsafeSlow(Math.max(bytes, this.#memory.length * 2));
      this.#used = 0;
    }
    const taken = this.#memory.subarray(this.#used, this.#used + bytes);
    this.#used += bytes;
    this.#taken += bytes;
    return taken;
  }

  /** Everything that was taken may be overwritten from now on. */
  reset(): void {
    const length = this.#memory.length;
    const tooLarge = length > FIRST_BYTES && this.#taken * FAR_TOO_MUCH < length;
    this.#largeFor = tooLarge ? this.#largeFor + 1 : 0;
    if (this.#largeFor >= LARGE_FOR) {
      this.#memory = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, length / 2));
      this.#largeFor = 0;
    }
    this.#used = 0;
    this.#taken = 0;
  }
}
