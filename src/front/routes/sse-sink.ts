// The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the news that there is
// room again. uWebSockets leaves what a socket did not take to whoever asks: a comment line drives it out.
import type { Sink } from '../../broadcast/subscriber.js';
import type { ResponseStream } from '../http/context.js';

const COMMENT = ':\n\n';

export class SseSink implements Sink {
  readonly #stream: ResponseStream;

  constructor(stream: ResponseStream) {
    this.#stream = stream;
  }

  send(bytes: Uint8Array): boolean {
    return this.#write(bytes);
  }

  fail(code: string, message: string): void {
    if (this.#stream.closed) return;
    this.#write(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`);
    this.#stream.end();
  }

  /** Calls back when the socket takes data again: true once it holds nothing any more. */
  onRoom(room: (drained: boolean) => void): void {
    this.#stream.response.onWritable(() => {
      if (this.#stream.closed) return true;
      const drained = this.#write(COMMENT);
      room(drained);
      return drained;
    });
  }

  #write(bytes: Uint8Array | string): boolean {
    if (this.#stream.closed) return false;
    const { response } = this.#stream;
    let taken = false;
    response.cork(() => {
      taken = response.write(bytes);
    });
    return taken;
  }
}
