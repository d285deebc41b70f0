// WebSocket frames, as JSON text or the same maps in MessagePack. A group's frames are encoded once; `seq`, which is
// each connection's own, comes first in a field of fixed width and is overwritten just before a frame is sent.

import { LIMITS } from '../../base/model/limits.js';
import { KIND_WORDS, keyedWords } from '../../base/model/stream-channels.js';
import { encode } from '../../base/wire/codec.js';
import type { EndCode, FrameEncoder, FramePosition, Sink, SocketList } from '../../broadcast/frame-encoder.js';
import { type Chunk, FrameWriter } from '../../broadcast/frame-writer.js';
import { storedPiece } from '../../broadcast/packed-chunks.js';
import { WS_CLOSE } from '../../schema/ws-close.js';

const SEQ_DIGITS = 12;
const JSON_OPEN = '{"seq":';
const JSON_SEQ_END = JSON_OPEN.length + SEQ_DIGITS;
/**
 * Key `seq` and the tag of a uint32: an integer to every reader. After 2^32 frames a connection counts from 0 again.
 */
const MSGPACK_SEQ = Buffer.from([0xa3, 0x73, 0x65, 0x71, 0xce, 0, 0, 0, 0]);
const MSGPACK_SEQ_AT = 6;
const HIGHEST_UINT32 = 0xffff_ffff;

/** Names in subprotocols are these after `overround.`; compressed frames have no number. */
export type WsForm = 'json' | 'msgpack' | 'deflate' | 'msgpack.deflate';

export const isPacked = (form: WsForm): boolean => form === 'deflate' || form === 'msgpack.deflate';
const isText = (form: WsForm): boolean => form === 'json' || form === 'deflate';
const isBinary = (form: WsForm): boolean => form !== 'json';

/** Writes the connection's number into a frame. */
export function patchSeq(form: WsForm, frame: Buffer, seq: number): void {
  if (isPacked(form)) return;
  if (form === 'msgpack') {
    frame.writeUInt32BE(seq >>> 0, MSGPACK_SEQ_AT);
    return;
  }
  let at = JSON_SEQ_END - 1;
  for (let rest = seq; ; rest = Math.floor(rest / 10)) {
    frame[at--] = 0x30 + (rest % 10);
    if (rest < 10) break;
  }
  // JSON allows blanks before a number; the rest of a longer number must be cleared.
  while (at >= JSON_OPEN.length) frame[at--] = 0x20;
}

const ownFrames = new FrameWriter();

/** A frame outside groups (acknowledgements, errors), with its number. */
function encodeFrame(form: WsForm, seq: number, type: string, fields: object): Buffer {
  const writer = ownFrames;
  writer.reset();
  const start = openFrame(writer, form, type);
  const rest = JSON.stringify(fields).slice(1, -1);
  if (rest !== '') writer.utf8(`,${rest}`);
  closeFrame(writer, form, start);
  const frame = writer.copy().bytes;
  patchSeq(form, frame, seq);
  return isPacked(form) ? storedPiece(frame) : frame;
}

/** A map of at most 14 fields as MessagePack, with room for `seq` in front. Positions become 64-bit integers in it. */
function transcode(fields: Record<string, unknown>, numbered: boolean): Buffer {
  for (const name in fields) {
    const value = fields[name];
    // The codec writes numbers beyond 32 bits as float64, which readers in typed languages show as 1795000000.0.
    if (typeof value === 'number' && value > HIGHEST_UINT32 && Number.isSafeInteger(value))
      fields[name] = BigInt(value);
  }
  const map = encode(fields);
  if (!numbered) return map;
  // 0x80 + n is a map of n entries.
  return Buffer.concat([Uint8Array.of(map[0]! + 1), MSGPACK_SEQ, map.subarray(1)]);
}

function wsEncoder(form: WsForm): FrameEncoder {
  return {
    name: `ws-${form}`,
    byBook: true,
    sendsEmptyKinds: true,
    completesResume: true,
    packing: isPacked(form) ? { fromClients: 1 } : null,
    snapshot(writer, rows, { slots, book }) {
      const start = openFrame(writer, form, 'initial');
      writer.ascii(`,"global_seq":0,"source":"${book ?? ''}","data":`);
      rows.rows(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      closeFrame(writer, form, start);
    },
    complete(writer, { books, rows, resumed }, position) {
      const start = openFrame(writer, form, 'snapshot:complete');
      writer.ascii(`,"global_seq":${position},"books":`);
      writer.utf8(JSON.stringify(books));
      writer.ascii(`,"total_odds":${rows},"resumed":${resumed}`);
      closeFrame(writer, form, start);
    },
    snapshotRequired(writer, reason) {
      const start = openFrame(writer, form, 'snapshot_required');
      writer.ascii(`,"global_seq":0,"reason":"${reason}"`);
      closeFrame(writer, form, start);
    },
    removed(writer, ids, book, at) {
      const start = openFrame(writer, form, 'odds:removed', at);
      writer.ascii(`,"source":"${book}","ids":["${ids.join('","')}"],"count":${ids.length}`);
      closeFrame(writer, form, start);
    },
    added(writer, rows, slots, book, at) {
      const start = openFrame(writer, form, 'odds:added', at);
      writer.ascii(`,"source":"${book}","data":`);
      rows.rows(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      closeFrame(writer, form, start);
    },
    updated(writer, rows, slots, book, _partial, at) {
      const start = openFrame(writer, form, 'odds:update', at);
      writer.ascii(`,"source":"${book}","data":`);
      rows.deltas(writer, slots);
      writer.ascii(`,"count":${slots.length}`);
      closeFrame(writer, form, start);
    },
    locked(writer, rows, slots, book, at) {
      const start = openFrame(writer, form, 'odds:locked', at);
      writer.ascii(`,"source":"${book}","ids":`);
      rows.ids(writer, slots);
      writer.ascii(`,"count":${slots.length},"book":"${book}"`);
      closeFrame(writer, form, start);
    },
    detected(writer, kind, items, initial, at) {
      const { channel, prefix } = KIND_WORDS[kind];
      const start = openFrame(writer, form, initial ? 'opportunities_snapshot' : `${prefix}:detected`, at);
      writer.ascii(initial ? `,"${channel}":[` : ',"data":[');
      writer.utf8(items.join(','));
      writer.ascii(`],"count":${items.length}`);
      closeFrame(writer, form, start);
    },
    expired(writer, kind, ids, timestamp, at) {
      const start = openFrame(writer, form, `${KIND_WORDS[kind].prefix}:expired`, at);
      writer.ascii(`,"expired":["${ids.join('","')}"],"count":${ids.length},"timestamp":"${timestamp}"`);
      closeFrame(writer, form, start);
    },
    items(writer, name, items, initial, at) {
      const { event, snapshot = event } = keyedWords(name);
      const start = openFrame(writer, form, initial ? snapshot : event, at);
      writer.utf8(`,"data":[${items.join(',')}],"count":${items.length}`);
      closeFrame(writer, form, start);
    },
    gone(writer, name, ids, at) {
      const start = openFrame(writer, form, keyedWords(name).removed!, at);
      writer.utf8(`,"ids":${JSON.stringify(ids)},"count":${ids.length}`);
      closeFrame(writer, form, start);
    },
    heartbeat(writer, timestamp, position) {
      const start = openFrame(writer, form, 'heartbeat');
      writer.ascii(`,"timestamp":"${timestamp}"${position === null ? '' : `,"global_seq":${position}`}`);
      closeFrame(writer, form, start);
    },
  };
}

/** Begins a frame, with its position if it has one; returns where. */
function openFrame(writer: FrameWriter, form: WsForm, type: string, at?: FramePosition): number {
  const start = writer.length;
  if (form === 'json') writer.ascii(`${JSON_OPEN}${' '.repeat(SEQ_DIGITS)},"type":"${type}"`);
  else writer.ascii(`{"type":"${type}"`);
  if (at !== undefined) writer.ascii(`,"global_seq":${at.complete ?? at.before}${at.replay ? ',"replay":true' : ''}`);
  return start;
}

/** Frames of one compressed message are lines, or maps one after the other. */
function closeFrame(writer: FrameWriter, form: WsForm, start: number): void {
  writer.ascii(form === 'deflate' ? '}\n' : '}');
  if (!isText(form)) {
    const fields = JSON.parse(writer.takeBack(start)) as Record<string, unknown>;
    writer.raw(transcode(fields, !isPacked(form)));
  }
  writer.endFrame();
}

export const wsEncoders: Readonly<Record<WsForm, FrameEncoder>> = {
  json: wsEncoder('json'),
  msgpack: wsEncoder('msgpack'),
  deflate: wsEncoder('deflate'),
  'msgpack.deflate': wsEncoder('msgpack.deflate'),
};

/** Maximum bytes in a socket's buffer, including answers to a client that asks and never reads. */
const SOCKET_BYTES_MAX = LIMITS.socketBytes.max;

/** Corking a socket without writing flushes its buffer. */
const NOTHING = (): void => undefined;

/** The broadcaster's sink on a WebSocket: gives every frame the connection's next number and sends it, corked. */
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
