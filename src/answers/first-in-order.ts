// The first rows of an order, found in one pass over its column.

export interface Keys {
  /** The value of row `i`: `values[at[i]]`, or `values[i]` if there is no `at`. */
  values: Float64Array;
  at: Uint32Array | null;
  /** Rows. */
  count: number;
  /** Larger values first. */
  descending: boolean;
}

/** Indices of the first `wanted` rows among those that pass, in order; of equal values the lower index comes first. */
export function firstInOrder(keys: Keys, wanted: number, passes: ((i: number) => boolean) | null): number[] {
  const { values, at, count } = keys;
  if (wanted <= 0) return [];
  const sign = keys.descending ? -1 : 1;
  const keyOf = (i: number): number => sign * values[at === null ? i : at[i]!]!;
  if (wanted * 8 > count) return smallestOfAll(keys, keyOf, wanted, passes);
  const best = new Best(wanted);
  for (let i = 0; i < count; i++) {
    const key = sign * values[at === null ? i : at[i]!]!;
    // Most rows are rejected here. One that ties with the worst comes after it.
    if (key >= best.worst) continue;
    if (passes === null || passes(i)) best.add(key, i);
  }
  return best.inOrder();
}

function smallestOfAll(
  { count }: Keys,
  keyOf: (i: number) => number,
  wanted: number,
  passes: ((i: number) => boolean) | null,
): number[] {
  const all: number[] = [];
  for (let i = 0; i < count; i++) if (passes === null || passes(i)) all.push(i);
  all.sort((a, b) => keyOf(a) - keyOf(b) || a - b);
  all.length = Math.min(all.length, wanted);
  return all;
}

/** A heap whose root is the worst of the best so far. */
class Best {
  /** A row must be below it to be among the best. */
  worst = Number.POSITIVE_INFINITY;
  readonly #wanted: number;
  readonly #keys: number[] = [];
  readonly #rows: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Rows come in ascending order of index. */
  add(key: number, row: number): void {
    const keys = this.#keys;
    const rows = this.#rows;
    if (rows.length === this.#wanted) {
      this.#sink(key, row);
      this.worst = keys[0]!;
      return;
    }
    let at = rows.push(row) - 1;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! > key || (keys[parent] === key && rows[parent]! > row)) break;
      keys[at] = keys[parent]!;
      rows[at] = rows[parent]!;
      at = parent;
    }
    keys[at] = key;
    rows[at] = row;
    if (rows.length === this.#wanted) this.worst = keys[0]!;
  }

  inOrder(): number[] {
    const keyOf = new Map(this.#rows.map((row, i) => [row, this.#keys[i]!]));
    return this.#rows.sort((a, b) => keyOf.get(a)! - keyOf.get(b)! || a - b);
  }

  /** Replaces the worst. */
  #sink(key: number, row: number): void {
    const keys = this.#keys;
    const rows = this.#rows;
    const count = rows.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      const next = child + 1;
      if (next < count && (keys[next]! > keys[child]! || (keys[next] === keys[child] && rows[next]! > rows[child]!)))
        child = next;
      if (keys[child]! < key || (keys[child] === key && rows[child]! < row)) break;
      keys[at] = keys[child]!;
      rows[at] = rows[child]!;
      at = child;
    }
    keys[at] = key;
    rows[at] = row;
  }
}
