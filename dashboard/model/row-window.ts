// Which of many rows of known heights are visible: the arithmetic of a virtual list.

export class RowWindow {
  /** Where each row begins; one more entry for the end. */
  #offsets = new Float64Array(1);

  /** Heights in px. */
  set(heights: readonly number[]): void {
    this.#offsets = new Float64Array(heights.length + 1);
    for (const [i, height] of heights.entries()) this.#offsets[i + 1] = this.#offsets[i]! + height;
  }

  get count(): number {
    return this.#offsets.length - 1;
  }

  /** Height of all rows, px. */
  get height(): number {
    return this.#offsets[this.count]!;
  }

  top(row: number): number {
    return this.#offsets[row]!;
  }

  bottom(row: number): number {
    return this.#offsets[row + 1]!;
  }

  /** The row at a distance from the top; the first or last one beyond the ends. */
  at(y: number): number {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#offsets[middle]! <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Rows from `from` to before `to` that touch the view, extended by `beyond` px on both sides. */
  range(scrollTop: number, viewHeight: number, beyond: number): { from: number; to: number } {
    if (this.count === 0) return { from: 0, to: 0 };
    return { from: this.at(scrollTop - beyond), to: this.at(scrollTop + viewHeight + beyond) + 1 };
  }
}
