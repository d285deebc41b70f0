// The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the notification that
// there is room again. With an onWritable handler uWebSockets does not send what it has buffered: only a write flushes
// it, so the handler writes a comment line.

import type { HttpResponse } from 'uWebSockets.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import { EMPTY_PIECE, GZIP_HEAD, storedPiece } from '../../broadcast/packed-chunks.js';
import type { EndCode, Sink, SocketList } from '../../broadcast/sink.js';
import type { ResponseStream } from '../http/context.js';

/**
 * uWebSockets closes a response 8 to 12 s after a write that failed, unless another one fails or it becomes writable,
 * for which a slow reader must first drain a third of the kernel's buffer: until then its timeout is reset at this
 * interval.
 */
const KEEP_MS = 3_000;
/** The head of the answer, and the frames of chunks. */
const HEAD_BYTES = 1_500;

export class SseSink implements Sink {
  readonly response: HttpResponse;
  readonly #stream: ResponseStream;
  readonly #packed: boolean;
  readonly #ender: Uint8Array;
  #full = false;
  /** What was written within the request's handler. */
  #opening = HEAD_BYTES;
  #list: SocketList | null = null;
  #index = -1;
  #keep: NodeJS.Timeout | undefined;

  /** @param packed the stream is one gzip member; its head is the first to be sent */
  constructor(stream: ResponseStream, packed: boolean) {
    this.#stream = stream;
    this.#packed = packed;
    this.#ender = enderOf(packed);
    this.response = stream.response;
    stream.onClose(() => clearInterval(this.#keep));
  }

  get full(): boolean {
    return this.#full;
  }

  get room(): number | undefined {
    return this.#stream.corked ? CORK_BYTES - this.#opening : undefined;
  }

  send(chunk: Chunk, last: boolean): void {
    this.#list?.onOwn();
    this.#write(chunk.bytes, last ? this.#ender : null);
  }

  /** Begins the body; to be called before anything else is sent. */
  open(): void {
    const retry = 'retry: 3000\n\n';
    this.#write(this.#packed ? Buffer.concat([GZIP_HEAD, storedPiece(Buffer.from(retry))]) : Buffer.from(retry));
  }

  /** For what is sent beside the broadcaster's frames. */
  sendText(text: string): void {
    const bytes = Buffer.from(text);
    this.#list?.onOwn();
    this.#write(this.#packed ? storedPiece(bytes) : bytes);
  }

  fail(code: EndCode, message: string): void {
    if (this.#stream.closed) return;
    this.sendText(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`);
    this.#stream.end();
  }

  offer(): boolean {
    const wasFull = this.#full;
    const drained = this.#write(this.#ender, null);
    if (drained && wasFull) this.#keepOpen();
    return drained;
  }

  list(): SocketList {
    return new SseList(this.#packed);
  }

  /** Its index in a list; null if in none. */
  atIndex(list: SocketList | null, index: number): void {
    this.#list = list;
    this.#index = index;
  }

  /** Its list's write filled the socket. */
  overflowed(): void {
    this.#full = true;
  }

  /** Calls back when the socket accepts data again: true once nothing is buffered any more. */
  onRoom(room: (drained: boolean) => void): void {
    this.#stream.response.onWritable(() => {
      clearInterval(this.#keep);
      if (this.#stream.closed) return true;
      const drained = this.#write(this.#ender, null);
      room(drained);
      return drained;
    });
  }

  /** False if the socket did not accept all of it at once. */
  #write(bytes: Uint8Array, ender: Uint8Array | null = this.#ender): boolean {
    const all = !this.#stream.closed && writeCorked(this.response, bytes, ender);
    if (this.#stream.corked) this.#opening += bytes.length;
    this.#full = !all;
    if (!all) this.#list?.onFull(this.#index);
    return all;
  }

  /** It was drained without becoming writable. */
  #keepOpen(): void {
    clearInterval(this.#keep);
    this.#keep = setInterval(() => {
      this.response.pause();
      this.response.resume();
    }, KEEP_MS);
  }
}

// SSE responses that are sent the same bytes together. Nothing of a client is touched but uWebSockets' own response,
// and no closure is made: what is written, and to which response, is stored outside the corked function. uWebSockets
// sends the line break that ends a chunk with the next chunk, and some clients wait for it: so the last chunk for now
// is followed by a comment line (in a compressed stream by an empty piece), in the same write to the socket.

const COMMENT = Buffer.from(':\n\n');
/** What ends a chunk; whoever reads the stream sees nothing of it. */
export const enderOf = (packed: boolean): Uint8Array => (packed ? EMPTY_PIECE : COMMENT);

/**
 * Chunks larger than uWebSockets' cork buffer leave at once, in two writes to the socket that the kernel is told belong
 * together, and what follows them is no longer corked: so what ends such a chunk is corked on its own, which costs less
 * than cutting the chunk into two.
 */
const CORK_BYTES = 16_000;

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
interface ListedResponse extends Sink {
  readonly response: HttpResponse;
  /** Its index in the list; null and -1 if it has left. */
  atIndex(list: SseList | null, index: number): void;
  overflowed(): void;
}

class SseList implements SocketList {
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
