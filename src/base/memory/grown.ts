// Typed arrays that grow: a full one is replaced by a longer copy.

type Numbers =
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

/** A longer array that begins with the contents of `old`. @param rest value of the new elements */
export function grown<Column extends Numbers>(old: Column, length: number, rest = 0): Column {
  const longer = new (old.constructor as new (length: number) => Column)(length);
  if (rest !== 0) longer.fill(rest as never, old.length);
  longer.set(old as never);
  return longer;
}

/** Room for index `no`: the array itself if it is long enough, else a copy at least twice as long. */
export function withPlace<Column extends Numbers>(old: Column, no: number, rest = 0): Column {
  return no < old.length ? old : grown(old, Math.max(no + 1, old.length * 2), rest);
}

/** Replaces each typed array of an object by a longer copy. */
export function growColumns(of: object, length: number): void {
  for (const [name, column] of Object.entries(of))
    if (ArrayBuffer.isView(column)) Object.assign(of, { [name]: grown(column as Uint8Array<ArrayBuffer>, length) });
}

// Rings of numbered values: each is at its number modulo the ring's length, and the oldest are overwritten.

interface Ring<Value> {
  readonly length: number;
  [place: number]: Value;
}

/** Copies the values with numbers from `first` to before `end` to their places in a ring of another length. */
export function copyRing<Value, To extends Ring<Value>>(from: Ring<Value>, to: To, first: number, end: number): To {
  const before = from.length;
  const after = to.length;
  for (let number = first; number < end; number++) to[number % after] = from[number % before]!;
  return to;
}
