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
