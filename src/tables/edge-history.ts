// An opportunity's edge and stakes at each position of the change log, from which it follows whether a group's thresholds
// were met at a position, so that a client that was offline is sent an end exactly if it was sent the beginning.
import { LIMITS } from '../base/model/limits.js';
import { type StakeTerms, sameTerms } from '../base/model/stake-terms.js';

/** Maximum number of changes: at one per second (the detector's limit) about two minutes of continuous movement. */
const CHANGES_MAX = LIMITS.edgeMoves.max;

/** @param edge percent; NaN if it was dropped, which meets every threshold */
export type EdgeTest = (edge: number, terms: StakeTerms) => boolean;

export class EdgeHistory {
  /** Position and edge alternately. */
  readonly #changes: number[];
  /** In the same order. */
  readonly #terms: StakeTerms[];

  constructor(position: number, edge: number, terms: StakeTerms) {
    this.#changes = [position, edge];
    this.#terms = [terms];
  }

  /** Starts again for another opportunity. */
  reset(position: number, edge: number, terms: StakeTerms): void {
    this.#changes.length = 2;
    this.#changes[0] = position;
    this.#changes[1] = edge;
    this.#terms.length = 1;
    this.#terms[0] = terms;
  }

  /** From `position` on they are these; values older than `oldest` may be merged. */
  push(position: number, edge: number, terms: StakeTerms, oldest: number): void {
    const changes = this.#changes;
    if (changes.at(-1) === edge && sameTerms(this.#terms.at(-1)!, terms)) return;
    changes.push(position, edge);
    this.#terms.push(terms);
    let drop = Math.max(0, changes.length - 2 * CHANGES_MAX);
    while (drop + 2 < changes.length && changes[drop + 2]! <= oldest) drop += 2;
    if (drop === 0) return;
    changes.splice(0, drop);
    this.#terms.splice(0, drop / 2);
  }

  /** The last ones. */
  get terms(): StakeTerms {
    return this.#terms.at(-1)!;
  }

  /** The edge (percent) known to a reader at this position; NaN if it was dropped. */
  at(position: number): number {
    const i = this.#indexAt(position);
    return i < 0 ? Number.NaN : this.#changes[i + 1]!;
  }

  /** Whether what a reader at this position knows passes. */
  passedAt(position: number, test: EdgeTest): boolean {
    const i = this.#indexAt(position);
    return i < 0 ? test(Number.NaN, this.#terms[0]!) : test(this.#changes[i + 1]!, this.#terms[i / 2]!);
  }

  /** Whether anything from a position on passes, what was so at that position included. */
  passedSince(position: number, test: EdgeTest): boolean {
    for (let i = this.#fromIndex(position); i < this.#changes.length; i += 2)
      if (test(this.#changes[i + 1]!, this.#terms[i / 2]!)) return true;
    return false;
  }

  /** The edges it has had from a position on, including the one at that position. */
  since(position: number): readonly number[] {
    const changes = this.#changes;
    const edges: number[] = [];
    for (let i = this.#fromIndex(position); i < changes.length; i += 2) edges.push(changes[i + 1]!);
    return edges;
  }

  #indexAt(position: number): number {
    let i = this.#changes.length - 2;
    while (i >= 0 && this.#changes[i]! > position) i -= 2;
    return i;
  }

  #fromIndex(position: number): number {
    let from = this.#changes.length - 2;
    while (from > 0 && this.#changes[from]! > position) from -= 2;
    return from;
  }
}
