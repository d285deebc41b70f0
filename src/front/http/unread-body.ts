// The body of a request whose client wants the connection closed after the answer. uWebSockets closes at once, and the
// kernel resets a connection with bytes that were not read: a client still sending would report that instead of the
// answer. So an answer that comes before the body's end, as a refusal does, waits for it.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { LIMITS } from '../../base/model/limits.js';

const BYTES_MAX = LIMITS.unreadBody.max;
const WAIT_MS_MAX = LIMITS.unreadBodyWait.max;

export class UnreadBody {
  /** Something reads it, and reports each chunk. */
  read = false;
  #bytes = 0;
  #ended = false;
  #then: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Undefined if the client does not ask for the connection's end, or sends no body, or only once it is asked to. */
  static of(connection: string, request: HttpRequest): UnreadBody | undefined {
    if (!/\bclose\b/i.test(connection) || request.getHeader('expect') !== '') return undefined;
    const announced = request.getHeader('content-length') !== '' || request.getHeader('transfer-encoding') !== '';
    return announced ? new UnreadBody() : undefined;
  }

  received(bytes: number, isLast: boolean): void {
    this.#bytes += bytes;
    if (isLast || this.#bytes > BYTES_MAX) this.#end();
  }

  /** Whether it must be awaited before an answer: it has not ended, and its end will be reported. */
  isAwaited(within: boolean): boolean {
    return !this.#ended && (this.read || within);
  }

  /** Calls back when it has ended, or is too long or slow to wait for. */
  whenEnded(response: HttpResponse, then: () => void): void {
    this.#then = then;
    this.#timer = setTimeout(() => this.#end(), WAIT_MS_MAX);
    if (!this.read) response.onData((chunk, isLast) => this.received(chunk.byteLength, isLast));
  }

  /** The client is gone. */
  aborted(): void {
    clearTimeout(this.#timer);
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#then?.();
    this.#then = undefined;
  }
}
