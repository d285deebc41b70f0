// Memory for what one write holds, used again by the next: LMDB copies each value as it is put, and a buffer of its own
// for every slab is most of what a collection would have to look after.

const FIRST_BYTES = 1 << 20;
/** So many writes in a row must have had far too much of it before some is given back. */
const LARGE_FOR = 64;
const FAR_TOO_MUCH = 8;

export class Arena {
  #memory: Buffer;
  #used = 0;
  /** Since reset(), in every memory. */
  #taken = 0;
  #largeFor = 0;
  readonly #least: number;

  /** @param bytes to begin with, and the least it keeps */
  constructor(bytes = FIRST_BYTES) {
    this.#least = bytes;
    this.#memory = Buffer.allocUnsafeSlow(bytes);
  }

  /** Bytes with anything in them, until reset(). */
  take(bytes: number): Buffer {
    if (this.#used + bytes > this.#memory.length) {
      // What was taken before stays where it is.
      this.#memory = Buffer.allocUnsafeSlow(Math.max(bytes, this.#memory.length * 2));
      this.#used = 0;
    }
    const taken = this.#memory.subarray(this.#used, this.#used + bytes);
    this.#used += bytes;
    this.#taken += bytes;
    return taken;
  }

  /** All that was taken may be written over. */
  reset(): void {
    const length = this.#memory.length;
    const tooLarge = length > this.#least && this.#taken * FAR_TOO_MUCH < length;
    this.#largeFor = tooLarge ? this.#largeFor + 1 : 0;
    if (this.#largeFor >= LARGE_FOR) {
      this.#memory = Buffer.allocUnsafeSlow(Math.max(this.#least, length / 2));
      this.#largeFor = 0;
    }
    this.#used = 0;
    this.#taken = 0;
  }
}
