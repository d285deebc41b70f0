// Typed arrays that grow: a longer one takes the place of the one that is full.

type Numbers =
  | Float64Array<ArrayBuffer>
  | BigUint64Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>;

/** A longer array that begins with what `old` holds. @param rest what stands in the places behind it */
export function grown<Column extends Numbers>(old: Column, length: number, rest = 0): Column {
  const longer = new (old.constructor as new (length: number) => Column)(length);
  if (rest !== 0) longer.fill(rest as never, old.length);
  longer.set(old as never);
  return longer;
}

/** Room for place `no`: the array itself where it has it, else one at least twice as long. */
export function withPlace<Column extends Numbers>(old: Column, no: number, rest = 0): Column {
  return no < old.length ? old : grown(old, Math.max(no + 1, old.length * 2), rest);
}
