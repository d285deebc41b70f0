// Messages that are numbered: tells the next one from one that comes after a hole.

export class Sequence {
  #last: number | undefined;

  /** `gap`: numbers are missing before it; `old`: it was there before. After a gap it goes on from the number given. */
  take(number: number): 'next' | 'gap' | 'old' {
    const last = this.#last;
    if (last !== undefined && number <= last) return 'old';
    this.#last = number;
    return last === undefined || number === last + 1 ? 'next' : 'gap';
  }

  /** The next number taken is the first. */
  restart(): void {
    this.#last = undefined;
  }
}
