// Numbered messages: distinguishes the next one from one after a gap.

export class Sequence {
  #last: number | undefined;

  /**
   * `gap`: numbers before it are missing; `old`: it was received before. After a gap it continues from the number
   * given.
   */
  take(number: number): 'next' | 'gap' | 'old' {
    const last = this.#last;
    if (last !== undefined && number <= last) return 'old';
    this.#last = number;
    return last === undefined || number === last + 1 ? 'next' : 'gap';
  }

  /** The next number is accepted as the first. */
  restart(): void {
    this.#last = undefined;
  }
}
