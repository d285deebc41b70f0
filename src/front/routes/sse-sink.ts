// The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the news that there is
// room again. A response with an onWritable handler gets no help from uWebSockets with what it could not send: only a
// write drives it out, so the handler writes a comment line.
import type { Chunk } from '../../broadcast/frame-writer.js';
import type { EndCode, Sink } from '../../broadcast/subscriber.js';
import type { ResponseStream } from '../http/context.js';

const COMMENT = ':\n\n';

export class SseSink implements Sink {
  readonly #stream: ResponseStream;
  #full = false;
  #bytes: Uint8Array | string = '';
  #taken = false;
  /** One for the stream's life: a closure for each of a million writes a second would be felt. */
  readonly #corked = (): void => {
    this.#taken = this.#stream.response.write(this.#bytes);
  };

  constructor(stream: ResponseStream) {
    this.#stream = stream;
  }

  get full(): boolean {
    return this.#full;
  }

  send(chunk: Chunk): void {
    this.#full = !this.#write(chunk.bytes);
  }

  /** For what is said before the broadcaster's course begins. */
  greet(text: string): void {
    this.#full = !this.#write(text);
  }

  fail(code: EndCode, message: string): void {
    if (this.#stream.closed) return;
    this.#write(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`);
    this.#stream.end();
  }

  /** Calls back when the socket takes data again: true once it holds nothing any more. */
  onRoom(room: (drained: boolean) => void): void {
    this.#stream.response.onWritable(() => {
      if (this.#stream.closed) return true;
      const drained = this.#write(COMMENT);
      this.#full = !drained;
      room(drained);
      return drained;
    });
  }

  /** False where the socket did not take all of it at once. */
  #write(bytes: Uint8Array | string): boolean {
    if (this.#stream.closed) return false;
    this.#bytes = bytes;
    this.#stream.response.cork(this.#corked);
    this.#bytes = '';
    return this.#taken;
  }
}
