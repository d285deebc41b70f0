// WebSockets that are sent the same frames together, each with its own next number: the numbers are stored together
// here, and nothing else of a client is touched but uWebSockets' own socket.

import type { Chunk } from '../../broadcast/frame-writer.js';
import type { Sink, SocketList } from '../../broadcast/sink.js';
import { isBinary, patchSeq, type WsForm } from '../../broadcast/ws-encoder.js';

/** The part of a WebSocket that the list and its clients use. */
export interface FrameSocket {
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
export interface ListedSocket extends Sink {
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

export class WsList implements SocketList {
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
