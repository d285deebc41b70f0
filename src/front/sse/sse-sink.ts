// The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the notification that
// there is room again. With an onWritable handler uWebSockets does not send what it has buffered: only a write flushes
// it, so the handler writes a comment line.
import type { HttpResponse } from 'uWebSockets.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import { GZIP_HEAD, storedPiece } from '../../broadcast/packed-chunks.js';
import type { EndCode, Sink, SocketList } from '../../broadcast/sink.js';
import type { ResponseStream } from '../http/context.js';
import { CORK_BYTES, enderOf, SseList, writeCorked } from './sse-list.js';

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
