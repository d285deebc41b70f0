// Names to small numbers and back, in order of first use: books and market types of the table's columns. A name that is
// given back by all who took it makes its number free for another.

/** So many are free before one is used again: whoever keeps something by number forgets it then. */
const REUSED_TOGETHER = 1_024;

export class Registry {
  readonly names: string[] = [];
  /** Incremented when numbers begin to mean other names. */
  generation = 0;
  readonly #numbers = new Map<string, number>();
  readonly #uses: number[] = [];
  /** Free numbers that may be used again, and those that become so together. */
  #free: number[] = [];
  #freed: number[] = [];

  /** For as long as the process lives. */
  number(name: string): number {
    return this.#numbers.get(name) ?? this.#add(name);
  }

  /** Until it is given back as often. */
  take(name: string): number {
    const no = this.number(name);
    this.#uses[no] = (this.#uses[no] ?? 0) + 1;
    return no;
  }

  giveBack(no: number): void {
    if (--this.#uses[no]! > 0) return;
    this.#numbers.delete(this.names[no]!);
    this.#freed.push(no);
  }

  /** -1 if the name is unknown. */
  find(name: string): number {
    return this.#numbers.get(name) ?? -1;
  }

  name(no: number): string {
    return this.names[no]!;
  }

  #add(name: string): number {
    if (this.#free.length === 0 && this.#freed.length >= REUSED_TOGETHER) {
      this.#free = this.#freed;
      this.#freed = [];
      this.generation++;
    }
    const no = this.#free.pop() ?? this.names.length;
    this.names[no] = name;
    this.#numbers.set(name, no);
    this.#uses[no] = 0;
    return no;
  }
}
