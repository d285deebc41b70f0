// SSE responses that are sent the same bytes together. Nothing of a client is touched but uWebSockets' own response,
// and no closure is made: what is written, and to which response, is stored outside the corked function. uWebSockets
// sends the line break that ends a chunk with the next chunk, and some clients wait for it: so the last chunk for now
// is followed by a comment line (in a compressed stream by an empty piece), in the same write to the socket.

import type { HttpResponse } from 'uWebSockets.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import { EMPTY_PIECE } from '../../broadcast/packed-chunks.js';
import type { Sink, SocketList } from '../../broadcast/sink.js';

const COMMENT = Buffer.from(':\n\n');
/** What ends a chunk; whoever reads the stream sees nothing of it. */
export const enderOf = (packed: boolean): Uint8Array => (packed ? EMPTY_PIECE : COMMENT);

/**
 * Chunks larger than uWebSockets' cork buffer leave at once, in two writes to the socket that the kernel is told belong
 * together, and what follows them is no longer corked: so what ends such a chunk is corked on its own, which costs less
 * than cutting the chunk into two.
 */
export const CORK_BYTES = 16_000;

let toWrite: Uint8Array;
let toEnd: Uint8Array;
let writeTo: HttpResponse;
let accepted = false;

const write = (): void => {
  accepted = writeTo.write(toWrite);
};
const writeLast = (): void => {
  accepted = writeTo.write(toWrite) && writeTo.write(toEnd);
};

const writeEnd = (): void => {
  accepted = writeTo.write(toEnd);
};

/**
 * Writes to the socket; false if it did not accept all of it at once. Not within another cork.
 * @param ender written after the bytes if nothing follows for now: the client must not wait for the end of the chunk
 */
export function writeCorked(response: HttpResponse, bytes: Uint8Array, ender: Uint8Array | null): boolean {
  toWrite = bytes;
  writeTo = response;
  if (ender !== null) toEnd = ender;
  if (ender === null || bytes.length <= CORK_BYTES) {
    response.cork(ender === null ? write : writeLast);
    return accepted;
  }
  response.cork(write);
  // If not all was accepted, what is written once there is room ends it.
  if (accepted) response.cork(writeEnd);
  return accepted;
}

/** A client from the list's point of view. */
export interface ListedResponse extends Sink {
  readonly response: HttpResponse;
  /** Its index in the list; null and -1 if it has left. */
  atIndex(list: SseList | null, index: number): void;
  overflowed(): void;
}

export class SseList implements SocketList {
  onFull: (index: number) => void = () => undefined;
  onOwn: () => void = () => undefined;
  readonly #ender: Uint8Array;
  #bytes: Uint8Array = COMMENT;
  #last = true;
  readonly #responses: HttpResponse[] = [];
  readonly #sinks: ListedResponse[] = [];

  constructor(packed: boolean) {
    this.#ender = enderOf(packed);
  }

  add(sink: Sink): void {
    const listed = sink as ListedResponse;
    listed.atIndex(this, this.#sinks.length);
    this.#sinks.push(listed);
    this.#responses.push(listed.response);
  }

  swap(one: number, other: number): void {
    const sinks = this.#sinks;
    const [a, b] = [sinks[one]!, sinks[other]!];
    sinks[one] = b;
    sinks[other] = a;
    this.#responses[one] = b.response;
    this.#responses[other] = a.response;
    b.atIndex(this, one);
    a.atIndex(this, other);
  }

  pop(): void {
    this.#responses.pop();
    this.#sinks.pop()!.atIndex(null, -1);
  }

  load(chunk: Chunk, last: boolean): void {
    this.#bytes = chunk.bytes;
    this.#last = last;
  }

  send(index: number): boolean {
    // It may leave during its write.
    const sink = this.#sinks[index]!;
    const all = writeCorked(this.#responses[index]!, this.#bytes, this.#last ? this.#ender : null);
    if (!all) sink.overflowed();
    return all;
  }
}
