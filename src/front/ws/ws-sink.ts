// The broadcaster's sink on a WebSocket: gives every frame the connection's next number and sends it, corked.

import { LIMITS } from '../../base/model/limits.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import type { EndCode, Sink, SocketList } from '../../broadcast/sink.js';
import { encodeFrame, isBinary, patchSeq, type WsForm } from '../../broadcast/ws-encoder.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import { type FrameSocket, WsList } from './ws-list.js';

/** Maximum bytes in a socket's buffer, including answers to a client that asks and never reads. */
const SOCKET_BYTES_MAX = LIMITS.socketBytes.max;

/** Corking a socket without writing flushes its buffer. */
const NOTHING = (): void => undefined;

export class WsSink implements Sink {
  readonly form: WsForm;
  readonly socket: FrameSocket;
  /** The last frame's number, while it is in no list. */
  #seq = 0;
  #full = false;
  #closed = false;
  #list: WsList | null = null;
  #index = -1;

  constructor(socket: FrameSocket, form: WsForm) {
    this.socket = socket;
    this.form = form;
  }

  get seq(): number {
    return this.#seq;
  }

  get full(): boolean {
    return this.#full;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(chunk: Chunk): void {
    if (this.#closed) return;
    const { socket } = this;
    const binary = isBinary(this.form);
    this.#list?.onOwn();
    let dropped = false;
    socket.cork(() => {
      for (const frame of chunk.frames) {
        patchSeq(this.form, frame, this.nextSeq());
        if (socket.send(frame, binary) === 2) dropped = true;
      }
    });
    this.#look();
    // Its numbers would have a gap.
    if (dropped) this.end(WS_CLOSE.tooSlow, 'backpressure');
  }

  /** A frame for this connection alone. */
  notify(type: string, fields: object): void {
    if (this.#closed) return;
    const frame = encodeFrame(this.form, this.nextSeq(), type, fields);
    if (this.socket.getBufferedAmount() + frame.length > SOCKET_BYTES_MAX) {
      this.end(WS_CLOSE.tooSlow, 'backpressure');
      return;
    }
    this.#list?.onOwn();
    this.socket.cork(() => {
      this.socket.send(frame, isBinary(this.form));
    });
    this.#look();
  }

  /** The number of the next frame. */
  nextSeq(): number {
    return this.#list === null ? ++this.#seq : this.#list.nextSeq(this.#index);
  }

  list(): SocketList {
    return new WsList(this.form);
  }

  /** Its index in a list, which counts its frames. */
  atIndex(list: WsList, index: number): void {
    this.#list = list;
    this.#index = index;
  }

  /** In no list any more; `seq` is the last frame's number. */
  left(seq: number): void {
    this.#list = null;
    this.#seq = seq;
  }

  /** Its list's frames filled the socket. */
  overflowed(): void {
    this.#full = true;
  }

  fail(code: EndCode, message: string): void {
    this.notify('error', { code, message });
    if (code === 'unauthorized') this.end(WS_CLOSE.unauthorized, code);
    else if (code === 'trial_expired') this.end(WS_CLOSE.noStreaming, code);
    else this.end(WS_CLOSE.tooSlow, 'backpressure');
  }

  offer(): boolean {
    const before = this.socket.getBufferedAmount();
    this.socket.cork(NOTHING);
    this.#look();
    return this.socket.getBufferedAmount() < before;
  }

  /** The socket sent some of its buffer; true once that is empty. */
  drained(): boolean {
    if (this.#closed) return false;
    this.#look();
    return !this.#full;
  }

  end(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.socket.end(code, reason);
  }

  ping(): void {
    this.socket.ping();
  }

  /** For a client that would not receive a close message. */
  cut(): void {
    this.socket.close();
  }

  #look(): void {
    this.#full = this.socket.getBufferedAmount() > 0;
    if (this.#full) this.#list?.onFull(this.#index);
  }

  /** The socket is closed and must not be touched any more. */
  gone(): void {
    this.#closed = true;
  }
}
