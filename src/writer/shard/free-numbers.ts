// Allocates row numbers: always the smallest free one, so that shards with the same rows give the next row the same
// number, whatever their past.

export class FreeNumbers {
  /** A binary heap of the numbers that were freed, smallest first. */
  readonly #heap: number[] = [];
  /** This number and all above it are free. */
  #next = 0;

  /** Starts again, with these in use. */
  reset(used: ReadonlySet<number>): void {
    this.#heap.length = 0;
    this.#next = 0;
    for (const no of used) if (no >= this.#next) this.#next = no + 1;
    // In ascending order, which is a heap.
    for (let no = 0; no < this.#next; no++) if (!used.has(no)) this.#heap.push(no);
  }

  take(): number {
    const heap = this.#heap;
    const smallest = heap[0];
    if (smallest === undefined) return this.#next++;
    const last = heap.pop()!;
    if (heap.length === 0) return smallest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (last <= heap[child]!) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return smallest;
  }

  giveBack(no: number): void {
    const heap = this.#heap;
    let at = heap.push(no) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= no) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = no;
  }
}
