// The broadcaster's sink on a WebSocket: gives every frame the connection's next number and sends it, corked.

import { LIMITS } from '../../base/model/limits.js';
import type { EndCode, Sink, SocketList } from '../../broadcast/frame-encoder.js';
import type { Chunk } from '../../broadcast/frame-writer.js';
import { encodeFrame, isBinary, patchSeq, type WsForm } from '../../broadcast/ws-encoder.js';
import { WS_CLOSE } from '../../schema/ws-close.js';

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

// WebSockets that are sent the same frames together, each with its own next number: the numbers are stored together
// here, and nothing else of a client is touched but uWebSockets' own socket.

/** The part of a WebSocket that the list and its clients use. */
interface FrameSocket {
  /** 0: buffered; 2: dropped. */
  send(message: Uint8Array, isBinary: boolean): number;
  cork(callback: () => void): unknown;
  getBufferedAmount(): number;
  ping(): unknown;
  end(code: number, reason: string): void;
  /** Closes it at once. */
  close(): void;
}

/** A client from the list's point of view. */
interface ListedSocket extends Sink {
  readonly socket: FrameSocket;
  readonly closed: boolean;
  /** The last number it was sent. */
  readonly seq: number;
  nextSeq(): number;
  /** Its index in the list. */
  atIndex(list: WsList, index: number): void;
  /** It leaves the list, with the last number it was sent there. */
  left(seq: number): void;
  overflowed(): void;
}

/** What send() returns if everything was sent; 0 if some is buffered. */
const SENT = 1;

class WsList implements SocketList {
  onFull: (index: number) => void = () => undefined;
  onOwn: () => void = () => undefined;
  readonly #form: WsForm;
  readonly #binary: boolean;
  #frames: readonly Buffer[] = [];
  readonly #sockets: FrameSocket[] = [];
  readonly #sinks: ListedSocket[] = [];
  /** The last number each was sent. */
  readonly #seqs: number[] = [];
  #sink: ListedSocket | null = null;
  readonly #sendFrames = (): void => {
    const sink = this.#sink!;
    for (const frame of this.#frames) {
      if (sink.closed) return;
      patchSeq(this.#form, frame, sink.nextSeq());
      sink.socket.send(frame, this.#binary);
    }
  };

  constructor(form: WsForm) {
    this.#form = form;
    this.#binary = isBinary(form);
  }

  add(sink: Sink): void {
    const listed = sink as ListedSocket;
    this.#seqs.push(listed.seq);
    listed.atIndex(this, this.#sinks.length);
    this.#sinks.push(listed);
    this.#sockets.push(listed.socket);
  }

  swap(one: number, other: number): void {
    const [sinks, seqs] = [this.#sinks, this.#seqs];
    const [a, b, seqOfA] = [sinks[one]!, sinks[other]!, seqs[one]!];
    sinks[one] = b;
    sinks[other] = a;
    this.#sockets[one] = b.socket;
    this.#sockets[other] = a.socket;
    seqs[one] = seqs[other]!;
    seqs[other] = seqOfA;
    b.atIndex(this, one);
    a.atIndex(this, other);
  }

  pop(): void {
    this.#sockets.pop();
    this.#sinks.pop()!.left(this.#seqs.pop()!);
  }

  nextSeq(index: number): number {
    const seq = this.#seqs[index]! + 1;
    this.#seqs[index] = seq;
    return seq;
  }

  load(chunk: Chunk): void {
    this.#frames = chunk.frames;
  }

  send(index: number): boolean {
    const sink = this.#sinks[index]!;
    const all = this.#frames.length === 1 ? this.#sendOne(index) : this.#sendAll(sink);
    if (!all) sink.overflowed();
    return all;
  }

  /** A single frame is corked within send(), which then knows the result: one call for everything. */
  #sendOne(index: number): boolean {
    const frame = this.#frames[0]!;
    patchSeq(this.#form, frame, this.nextSeq(index));
    return this.#sockets[index]!.send(frame, this.#binary) === SENT;
  }

  #sendAll(sink: ListedSocket): boolean {
    this.#sink = sink;
    sink.socket.cork(this.#sendFrames);
    return sink.closed || sink.socket.getBufferedAmount() === 0;
  }
}
