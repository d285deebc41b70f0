// What an opportunity's edge was at each position of the change log: whether a group's threshold was met by then is told
// from it, so that a client that was away hears of an end exactly if it had heard of the beginning.

/** Moves remembered at most: at one a second (the detector's limit) about two minutes of ceaseless movement. */
const MOVES_MAX = 128;

export class EdgeHistory {
  #positions: number[];
  #edges: number[];

  constructor(position: number, edge: number) {
    this.#positions = [position];
    this.#edges = [edge];
  }

  /** From `position` on the edge is this one; what is older than `oldest` need not be told apart any more. */
  push(position: number, edge: number, oldest: number): void {
    if (this.#edges.at(-1) === edge) return;
    this.#positions.push(position);
    this.#edges.push(edge);
    let drop = Math.max(0, this.#positions.length - MOVES_MAX);
    while (drop + 1 < this.#positions.length && this.#positions[drop + 1]! <= oldest) drop++;
    if (drop > 0) {
      this.#positions.splice(0, drop);
      this.#edges.splice(0, drop);
    }
  }

  /** The edge (percent) a reader at this position knew; NaN where that is forgotten. */
  at(position: number): number {
    for (let i = this.#positions.length - 1; i >= 0; i--) if (this.#positions[i]! <= position) return this.#edges[i]!;
    return Number.NaN;
  }

  /** The edges it has had from a position on, the one it had there included. */
  since(position: number): readonly number[] {
    let from = this.#positions.length - 1;
    while (from > 0 && this.#positions[from]! > position) from--;
    return this.#edges.slice(Math.max(0, from));
  }
}
