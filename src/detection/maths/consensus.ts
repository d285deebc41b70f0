// Fair value from many books if no sharp one quotes: each book is devigged first, then the median is taken over owners,
// always without the judged book and its skins. One object is used for market after market and allocates nothing.

/** With fewer other opinions than this there is no consensus. */
export const CONSENSUS_OPINIONS_MIN = 3;

/** Maximum number of outcomes of a market. */
const OUTCOMES_MAX = 3;
const START_OWNERS = 64;
/** Over any float noise of a median's share. */
const ROUNDING = 1 + 1e-12;

/**
 * The consensus of one market at one line: `begin`, `add` for each book with a complete market, `settle`; after that it
 * gives the fair probabilities for any book by its owner. Owners are small integers from 0. Books of one owner share a
 * price, so their mean is one opinion. The result does not depend on the order of the books.
 */
export class Consensus {
  /** Number of owners with an opinion. */
  count = 0;
  #outcomes = 2;
  /** By owner: the number of its opinion, -1 if it has none. */
  #opinionOf = new Int32Array(START_OWNERS).fill(-1);
  /** By opinion: its owner, its number of books, and its probability of each outcome. */
  #ownerOf = new Int32Array(START_OWNERS);
  #books = new Int32Array(START_OWNERS);
  #values = new Float64Array(START_OWNERS * OUTCOMES_MAX);
  /** For each outcome the opinions in ascending order. */
  readonly #sorted = Array.from({ length: OUTCOMES_MAX }, () => new Float64Array(START_OWNERS));

  begin(outcomes: number): void {
    for (let opinion = 0; opinion < this.count; opinion++) this.#opinionOf[this.#ownerOf[opinion]!] = -1;
    this.#outcomes = outcomes;
    this.count = 0;
  }

  /** Adds one book's devigged probabilities (0-1) of every outcome, in `fair` from `at`. */
  add(owner: number, fair: Float64Array, at: number): void {
    if (owner >= this.#opinionOf.length) this.#grow(owner);
    let opinion = this.#opinionOf[owner]!;
    if (opinion < 0) {
      opinion = this.count++;
      this.#opinionOf[owner] = opinion;
      this.#ownerOf[opinion] = owner;
      this.#books[opinion] = 0;
      for (let i = 0; i < this.#outcomes; i++) this.#values[opinion * OUTCOMES_MAX + i] = 0;
    }
    this.#books[opinion]!++;
    for (let i = 0; i < this.#outcomes; i++) this.#values[opinion * OUTCOMES_MAX + i]! += fair[at + i]!;
  }

  /**
   * After the last book. `ranked` has at `at + rank * 3 + outcome` the opinion (0 to count - 1, in the order in which
   * their owners were added) of that rank by ascending probability, and is updated: the previous contents for the same
   * market are sorted fastest, but any other order of them works.
   */
  settle(ranked: Uint16Array, at: number): void {
    const { count } = this;
    for (let opinion = 0; opinion < count; opinion++) {
      const books = this.#books[opinion]!;
      if (books > 1) for (let i = 0; i < this.#outcomes; i++) this.#values[opinion * OUTCOMES_MAX + i]! /= books;
    }
    for (let i = 0; i < this.#outcomes; i++) this.#sort(i, ranked, at + i);
  }

  /** Number of opinions by which a book of this owner is judged. */
  opinionsFor(owner: number): number {
    return this.#opinion(owner) < 0 ? this.count : this.count - 1;
  }

  /**
   * Fair probability of an outcome for a book of this owner: the median over all other owners' opinions, normalised to
   * sum 1 over all outcomes. NaN if there are fewer than three.
   */
  probability(owner: number, outcome: number): number {
    if (this.opinionsFor(owner) < CONSENSUS_OPINIONS_MIN) return Number.NaN;
    const opinion = this.#opinion(owner);
    let own = 0;
    let sum = 0;
    // Medians of two complementary sides sum to 1 by themselves; those of three sides may not.
    for (let i = 0; i < this.#outcomes; i++) {
      const median = this.#medianWithout(i, opinion);
      if (i === outcome) own = median;
      sum += median;
    }
    return own / sum;
  }

  /** Upper bound of the outcome's fair probability over all owners. */
  ceiling(outcome: number): number {
    let others = 0;
    // Excluding the least or the greatest opinion gives the extreme values of the median.
    for (let i = 0; i < this.#outcomes; i++) if (i !== outcome) others += this.#medianLeaving(i, this.count - 1);
    const most = this.#medianLeaving(outcome, 0);
    return (most / (most + others)) * ROUNDING;
  }

  #opinion(owner: number): number {
    return owner < this.#opinionOf.length ? this.#opinionOf[owner]! : -1;
  }

  /** Sorts the opinions on one outcome (insertion sort: a few dozen at most). */
  #sort(outcome: number, ranked: Uint16Array, at: number): void {
    const sorted = this.#sorted[outcome]!;
    const values = this.#values;
    for (let i = 0; i < this.count; i++) {
      const opinion = ranked[at + i * OUTCOMES_MAX]!;
      const value = values[opinion * OUTCOMES_MAX + outcome]!;
      let place = i;
      for (; place > 0 && sorted[place - 1]! > value; place--) {
        sorted[place] = sorted[place - 1]!;
        ranked[at + place * OUTCOMES_MAX] = ranked[at + (place - 1) * OUTCOMES_MAX]!;
      }
      if (place < i) ranked[at + place * OUTCOMES_MAX] = opinion;
      sorted[place] = value;
    }
  }

  /** Median of an outcome's opinions without the given one (-1: none excluded). */
  #medianWithout(outcome: number, opinion: number): number {
    if (opinion < 0) return this.#medianLeaving(outcome, this.count);
    const sorted = this.#sorted[outcome]!;
    const value = this.#values[opinion * OUTCOMES_MAX + outcome]!;
    // Of equal opinions it does not matter which is excluded.
    let place = 0;
    while (sorted[place]! < value) place++;
    return this.#medianLeaving(outcome, place);
  }

  /** Median without the value at one rank (count: none excluded). */
  #medianLeaving(outcome: number, left: number): number {
    const sorted = this.#sorted[outcome]!;
    const rest = left < this.count ? this.count - 1 : this.count;
    const middle = rest >> 1;
    const upper = sorted[middle < left ? middle : middle + 1]!;
    if (rest % 2 === 1) return upper;
    return (upper + sorted[middle - 1 < left ? middle - 1 : middle]!) / 2;
  }

  #grow(owner: number): void {
    const size = Math.max(owner + 1, this.#opinionOf.length * 2);
    this.#opinionOf = grown(new Int32Array(size).fill(-1), this.#opinionOf);
    this.#ownerOf = grown(new Int32Array(size), this.#ownerOf);
    this.#books = grown(new Int32Array(size), this.#books);
    this.#values = grown(new Float64Array(size * OUTCOMES_MAX), this.#values);
    for (let i = 0; i < OUTCOMES_MAX; i++) this.#sorted[i] = grown(new Float64Array(size), this.#sorted[i]!);
  }
}

function grown<T extends Float64Array | Int32Array>(bigger: T, old: T): T {
  bigger.set(old);
  return bigger;
}
