// A word of memory that two threads share: the base of what they agree on about a commit.

export class SharedWord {
  protected readonly word: Int32Array;

  /** @param memory from memory(), the same on both threads */
  constructor(memory: SharedArrayBuffer) {
    this.word = new Int32Array(memory);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  }
}
