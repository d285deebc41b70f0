// The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the notification that
// there is room again. With an onWritable handler uWebSockets does not send what it has buffered: only a write flushes
// it, so the handler writes a comment line.
import type { HttpResponse } from 'uWebSockets.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import type { EndCode, Sink, SocketList } from '../../broadcast/sink.js';
import type { ResponseStream } from '../http/context.js';
import { COMMENT, SseList, writeCorked } from './sse-list.js';

/**
 * uWebSockets closes a response 8 to 12 s after a write that failed, unless another one fails or it becomes writable,
 * for which a slow reader must first drain a third of the kernel's buffer: until then its timeout is reset at this
 * interval.
 */
const KEEP_MS = 3_000;

export class SseSink implements Sink {
  readonly response: HttpResponse;
  readonly #stream: ResponseStream;
  #full = false;
  #list: SocketList | null = null;
  #index = -1;
  #keep: NodeJS.Timeout | undefined;

  constructor(stream: ResponseStream) {
    this.#stream = stream;
    this.response = stream.response;
    stream.onClose(() => clearInterval(this.#keep));
  }

  get full(): boolean {
    return this.#full;
  }

  send(chunk: Chunk, last: boolean): void {
    this.#write(chunk.bytes, last);
  }

  /** For what is sent before the broadcaster's frames begin. */
  sendText(text: string): void {
    this.#write(Buffer.from(text));
  }

  fail(code: EndCode, message: string): void {
    if (this.#stream.closed) return;
    this.#write(Buffer.from(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`));
    this.#stream.end();
  }

  offer(): boolean {
    const wasFull = this.#full;
    const drained = this.#write(COMMENT);
    if (drained && wasFull) this.#keepOpen();
    return drained;
  }

  list(): SocketList {
    return new SseList();
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
      const drained = this.#write(COMMENT);
      room(drained);
      return drained;
    });
  }

  /** False if the socket did not accept all of it at once. */
  #write(bytes: Uint8Array, last = bytes !== COMMENT): boolean {
    const all = !this.#stream.closed && writeCorked(this.response, bytes, last);
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
