// The body of a request whose client wants the connection closed after the answer. uWebSockets closes at once, and the
// kernel resets a connection with bytes that were not read: a client still sending would report that instead of the
// answer. So an answer that comes before the body's end, as a refusal does, waits for it.

import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { LIMITS } from '../../model/limits.js';

const BYTES_MAX = LIMITS.unreadBody.max;

export class UnreadBody {
  /** Something reads it, and reports each chunk. */
  read = false;
  #bytes = 0;
  #ended = false;
  #then: (() => void) | undefined;

  /** Undefined if the client does not ask for the connection's end, or sends no body. */
  static of(request: HttpRequest): UnreadBody | undefined {
    if (!/\bclose\b/i.test(request.getHeader('connection'))) return undefined;
    const announced = request.getHeader('content-length') !== '' || request.getHeader('transfer-encoding') !== '';
    return announced ? new UnreadBody() : undefined;
  }

  received(bytes: number, isLast: boolean): void {
    this.#bytes += bytes;
    if (!isLast && this.#bytes <= BYTES_MAX) return;
    this.#ended = true;
    this.#then?.();
    this.#then = undefined;
  }

  /** Calls back when it has ended or is too long to wait for. False if it has, or cannot be awaited any more. */
  whenEnded(response: HttpResponse, within: boolean, then: () => void): boolean {
    if (this.#ended || !(this.read || within)) return false;
    this.#then = then;
    if (!this.read) response.onData((chunk, isLast) => this.received(chunk.byteLength, isLast));
    return true;
  }
}
