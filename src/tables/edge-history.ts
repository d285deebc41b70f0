// An opportunity's edge and stakes at each position of the change log, from which it follows whether a group's thresholds
// were met at a position, so that a client that was offline is sent an end exactly if it was sent the beginning.
import { LIMITS } from '../base/model/limits.js';
import { type StakeTerms, sameTerms } from '../base/model/stake-terms.js';

/** Maximum number of changes: at one per second (the detector's limit) about two minutes of continuous movement. */
const CHANGES_MAX = LIMITS.edgeMoves.max;

/** @param edge percent; NaN if it was dropped, which meets every threshold */
export type EdgeTest = (edge: number, terms: StakeTerms) => boolean;

/** What it was at positions: the moves of its edge, the oldest first. There is at least one. */
export abstract class EdgeMoves {
  abstract get count(): number;
  abstract positionOf(move: number): number;
  /** Percent. */
  abstract edgeOf(move: number): number;
  abstract termsOf(move: number): StakeTerms;

  /** The edge (percent) known to a reader at this position; NaN if it was dropped. */
  at(position: number): number {
    const move = this.#moveAt(position);
    return move < 0 ? Number.NaN : this.edgeOf(move);
  }

  /** Whether what a reader at this position knows passes. */
  passedAt(position: number, test: EdgeTest): boolean {
    const move = this.#moveAt(position);
    return move < 0 ? test(Number.NaN, this.termsOf(0)) : test(this.edgeOf(move), this.termsOf(move));
  }

  /** Whether anything from a position on passes, what was so at that position included. */
  passedSince(position: number, test: EdgeTest): boolean {
    for (let move = this.#moveFrom(position); move < this.count; move++)
      if (test(this.edgeOf(move), this.termsOf(move))) return true;
    return false;
  }

  /** The edges it has had from a position on, including the one at that position. */
  since(position: number): readonly number[] {
    const edges: number[] = [];
    for (let move = this.#moveFrom(position); move < this.count; move++) edges.push(this.edgeOf(move));
    return edges;
  }

  #moveAt(position: number): number {
    let move = this.count - 1;
    while (move >= 0 && this.positionOf(move) > position) move--;
    return move;
  }

  #moveFrom(position: number): number {
    return Math.max(0, this.#moveAt(position));
  }
}

export class EdgeHistory extends EdgeMoves {
  /** Position and edge alternately. */
  readonly #changes: number[];
  /** In the same order. */
  readonly #terms: StakeTerms[];

  constructor(position: number, edge: number, terms: StakeTerms) {
    super();
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

  get count(): number {
    return this.#terms.length;
  }

  positionOf(move: number): number {
    return this.#changes[2 * move]!;
  }

  edgeOf(move: number): number {
    return this.#changes[2 * move + 1]!;
  }

  termsOf(move: number): StakeTerms {
    return this.#terms[move]!;
  }
}
