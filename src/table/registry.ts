// Names to small numbers and back, in order of first use: books and market types of the table's columns.

export class Registry {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  number(name: string): number {
    let no = this.#numbers.get(name);
    if (no === undefined) {
      if (this.names.length >= this.#max) throw new RangeError(`more than ${this.#max} different names`);
      no = this.names.push(name) - 1;
      this.#numbers.set(name, no);
    }
    return no;
  }

  /** -1 if the name is unknown. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }

  name(no: number): string {
    return this.names[no]!;
  }
}
