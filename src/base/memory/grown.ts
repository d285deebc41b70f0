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
