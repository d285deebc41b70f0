// The beginning of a stream of bytes, which stays part of it.

export interface Peeked {
  head: Buffer;
  /** All of it, the head included. To be read once. */
  bytes: AsyncIterable<Buffer>;
}

/** Reads at least `length` bytes, or all there are. */
export async function peek(bytes: AsyncIterable<Buffer>, length: number): Promise<Peeked> {
  const source = bytes[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let read = 0;
  let done = false;
  while (read < length && !done) {
    const next = await source.next();
    if (next.done) done = true;
    else {
      parts.push(next.value);
      read += next.value.length;
    }
  }
  const head = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  return { head, bytes: whole(head, source, done) };
}

async function* whole(head: Buffer, source: AsyncIterator<Buffer>, done: boolean): AsyncGenerator<Buffer, void> {
  try {
    if (head.length > 0) yield head;
    while (!done) {
      const next = await source.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await source.return?.();
  }
}
