// An opportunity's edge at each position of the change log, from which it follows whether a group's threshold was met
// at a position, so that a client that was offline is sent an end exactly if it was sent the beginning.
import { LIMITS } from '../model/limits.js';

/** Maximum number of changes: at one per second (the detector's limit) about two minutes of continuous movement. */
const MOVES_MAX = LIMITS.edgeMoves.max;

export class EdgeHistory {
  /** Position and edge alternately. */
  readonly #moves: number[];

  constructor(position: number, edge: number) {
    this.#moves = [position, edge];
  }

  /** Starts again for another opportunity. */
  reset(position: number, edge: number): void {
    this.#moves.length = 2;
    this.#moves[0] = position;
    this.#moves[1] = edge;
  }

  /** From `position` on the edge is this one; values older than `oldest` may be merged. */
  push(position: number, edge: number, oldest: number): void {
    const moves = this.#moves;
    if (moves.at(-1) === edge) return;
    moves.push(position, edge);
    let drop = Math.max(0, moves.length - 2 * MOVES_MAX);
    while (drop + 2 < moves.length && moves[drop + 2]! <= oldest) drop += 2;
    if (drop > 0) moves.splice(0, drop);
  }

  /** The edge (percent) known to a reader at this position; NaN if it was dropped. */
  at(position: number): number {
    const moves = this.#moves;
    for (let i = moves.length - 2; i >= 0; i -= 2) if (moves[i]! <= position) return moves[i + 1]!;
    return Number.NaN;
  }

  /** The edges it has had from a position on, including the one at that position. */
  since(position: number): readonly number[] {
    const moves = this.#moves;
    let from = moves.length - 2;
    while (from > 0 && moves[from]! > position) from -= 2;
    const edges: number[] = [];
    for (let i = from; i < moves.length; i += 2) edges.push(moves[i + 1]!);
    return edges;
  }
}
