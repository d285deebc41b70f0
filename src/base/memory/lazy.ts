// A value that is made when it is first needed.

/** Made at the first call that does not throw. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
