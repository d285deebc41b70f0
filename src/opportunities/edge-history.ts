// An opportunity's edge at each position of the change log, from which it follows whether a group's threshold was met
// at a position, so that a client that was offline is sent an end exactly if it was sent the beginning.
import { LIMITS } from '../model/limits.js';

/** Maximum number of changes: at one per second (the detector's limit) about two minutes of continuous movement. */
const CHANGES_MAX = LIMITS.edgeMoves.max;

export class EdgeHistory {
  /** Position and edge alternately. */
  readonly #changes: number[];

  constructor(position: number, edge: number) {
    this.#changes = [position, edge];
  }

  /** Starts again for another opportunity. */
  reset(position: number, edge: number): void {
    this.#changes.length = 2;
    this.#changes[0] = position;
    this.#changes[1] = edge;
  }

  /** From `position` on the edge is this one; values older than `oldest` may be merged. */
  push(position: number, edge: number, oldest: number): void {
    const changes = this.#changes;
    if (changes.at(-1) === edge) return;
    changes.push(position, edge);
    let drop = Math.max(0, changes.length - 2 * CHANGES_MAX);
    while (drop + 2 < changes.length && changes[drop + 2]! <= oldest) drop += 2;
    if (drop > 0) changes.splice(0, drop);
  }

  /** The edge (percent) known to a reader at this position; NaN if it was dropped. */
  at(position: number): number {
    const changes = this.#changes;
    for (let i = changes.length - 2; i >= 0; i -= 2) if (changes[i]! <= position) return changes[i + 1]!;
    return Number.NaN;
  }

  /** The edges it has had from a position on, including the one at that position. */
  since(position: number): readonly number[] {
    const changes = this.#changes;
    let from = changes.length - 2;
    while (from > 0 && changes[from]! > position) from -= 2;
    const edges: number[] = [];
    for (let i = from; i < changes.length; i += 2) edges.push(changes[i + 1]!);
    return edges;
  }
}
