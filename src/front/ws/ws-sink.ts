// The broadcaster's sink on a WebSocket: gives every frame the connection's next number and sends it, corked.
import { encodeFrame, patchSeq, type WsForm } from '../../broadcast/dress-ws.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import type { EndCode, Sink } from '../../broadcast/subscriber.js';
import { WS_CLOSE } from '../../schema/ws-close.js';

/** What is used of a uWebSockets socket. */
export interface FrameSocket {
  /** 0: it waits in the socket's buffer; 2: it was dropped. */
  send(message: Uint8Array, isBinary: boolean): number;
  cork(callback: () => void): unknown;
  getBufferedAmount(): number;
  end(code: number, reason: string): void;
}

/** Answers to a client that asks and never reads may take this much. */
const ANSWERS_BYTES_MAX = 1024 * 1024;

export class WsSink implements Sink {
  readonly form: WsForm;
  readonly #socket: FrameSocket;
  #seq = 0;
  #full = false;
  #closed = false;

  constructor(socket: FrameSocket, form: WsForm) {
    this.#socket = socket;
    this.form = form;
  }

  get full(): boolean {
    return this.#full;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(chunk: Chunk): void {
    if (this.#closed) return;
    const socket = this.#socket;
    const binary = this.form === 'msgpack';
    let dropped = false;
    socket.cork(() => {
      for (const frame of chunk.frames) {
        patchSeq(this.form, frame, ++this.#seq);
        if (socket.send(frame, binary) === 2) dropped = true;
      }
    });
    this.#full = socket.getBufferedAmount() > 0;
    // Its numbers would have a gap.
    if (dropped) this.end(WS_CLOSE.tooSlow, 'too slow');
  }

  /** A frame that is this connection's own. */
  tell(type: string, fields: object): void {
    if (this.#closed) return;
    if (this.#socket.getBufferedAmount() > ANSWERS_BYTES_MAX) {
      this.end(WS_CLOSE.tooSlow, 'too slow');
      return;
    }
    const frame = encodeFrame(this.form, ++this.#seq, type, fields);
    this.#socket.cork(() => {
      this.#socket.send(frame, this.form === 'msgpack');
    });
    this.#full = this.#socket.getBufferedAmount() > 0;
  }

  fail(code: EndCode, message: string): void {
    this.tell('error', { code, message });
    if (code === 'trial_expired') this.end(WS_CLOSE.noStreaming, code);
    else this.end(WS_CLOSE.tooSlow, 'too slow');
  }

  /** The socket sent some of what it holds; true once that is all. */
  drained(): boolean {
    if (this.#closed) return false;
    this.#full = this.#socket.getBufferedAmount() > 0;
    return !this.#full;
  }

  end(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.end(code, reason);
  }

  /** The socket is gone and must not be touched any more. */
  gone(): void {
    this.#closed = true;
  }
}
