// Server-sent events: `event:`, `data:` and, if the client's state is complete, `id:` (last, which the format allows).

import type { HttpResponse } from 'uWebSockets.js';
import { KIND_WORDS, keyedWords } from '../../base/model/stream-channels.js';
import type { EndCode, FrameEncoder, Sink, SocketList } from '../../broadcast/frame-encoder.js';
import type { Chunk, FrameWriter } from '../../broadcast/frame-writer.js';
import { EMPTY_PIECE, GZIP_HEAD, storedPiece } from '../../broadcast/packed-chunks.js';
import type { ResponseStream } from '../http/context.js';

export const sseEncoder: FrameEncoder = {
  name: 'sse',
  packing: null,
  byBook: false,
  sendsEmptyKinds: false,
  completesResume: false,
  snapshot(writer, rows, { slots, total, offset, hasMore }) {
    open(writer, 'snapshot');
    writer.ascii('{"odds":');
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length},"total":${total},"offset":${offset},"has_more":${hasMore}}`);
    close(writer, null);
  },
  complete(writer, { books, rows }, position) {
    open(writer, 'snapshot:complete');
    writer.utf8(JSON.stringify({ status: 'ready', books, total_odds: rows }));
    close(writer, position);
  },
  snapshotRequired(writer, reason) {
    writer.ascii(snapshotRequiredText(reason));
  },
  removed(writer, ids, book, { complete }) {
    open(writer, 'odds:removed');
    writer.ascii(`{"ids":["${ids.join('","')}"],"count":${ids.length},"book":"${book}"}`);
    close(writer, complete);
  },
  added(writer, rows, slots, book, { complete }) {
    open(writer, 'odds:added');
    writer.ascii('{"odds":');
    rows.rows(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}"}`);
    close(writer, complete);
  },
  updated(writer, rows, slots, book, partial, { complete }) {
    open(writer, 'odds:update');
    writer.ascii('{"odds":');
    rows.deltas(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}","partial":${partial}}`);
    close(writer, complete);
  },
  locked(writer, rows, slots, book, { complete }) {
    open(writer, 'odds:locked');
    writer.ascii('{"ids":');
    rows.ids(writer, slots);
    writer.ascii(`,"count":${slots.length},"book":"${book}"}`);
    close(writer, complete);
  },
  detected(writer, kind, items, _initial, { complete }) {
    open(writer, `${KIND_WORDS[kind].prefix}:detected`);
    writer.utf8(`[${items.join(',')}]`);
    close(writer, complete);
  },
  expired(writer, kind, ids, timestamp, { complete }) {
    open(writer, `${KIND_WORDS[kind].prefix}:expired`);
    writer.ascii(`{"expired":["${ids.join('","')}"],"timestamp":"${timestamp}"}`);
    close(writer, complete);
  },
  items(writer, name, items, initial, { complete }) {
    const { event, snapshot = event } = keyedWords(name);
    open(writer, initial ? snapshot : event);
    writer.utf8(`{"data":[${items.join(',')}],"count":${items.length}}`);
    close(writer, complete);
  },
  gone(writer, name, ids, { complete }) {
    open(writer, keyedWords(name).removed!);
    writer.utf8(`{"ids":${JSON.stringify(ids)},"count":${ids.length}}`);
    close(writer, complete);
  },
  heartbeat(writer, timestamp, position) {
    open(writer, 'heartbeat');
    writer.ascii(`{"timestamp":"${timestamp}"}`);
    close(writer, position);
  },
};

/** For clients that accept gzip. */
export const sseGzipEncoder: FrameEncoder = { ...sseEncoder, name: 'sse-gzip', packing: { fromClients: 20 } };

/** At an event's end: the client must forget its last id. An empty one makes browsers send none. */
export const CLEARS_ID = '\nid:';

/** Also outside a group's frames. */
export function snapshotRequiredText(reason: string): string {
  return `event: snapshot_required\ndata: ${JSON.stringify({ reason })}${CLEARS_ID}\n\n`;
}

function open(writer: FrameWriter, type: string): void {
  writer.ascii(`event: ${type}\ndata: `);
}

function close(writer: FrameWriter, position: number | null): void {
  writer.ascii(position === null ? '\n\n' : `\nid: evt_${position}\n\n`);
}

/**
 * uWebSockets closes a response 8 to 12 s after a write that failed, unless another one fails or it becomes writable,
 * for which a slow reader must first drain a third of the kernel's buffer: until then its timeout is reset at this
 * interval.
 */
const KEEP_MS = 3_000;
/** The head of the answer, and the frames of chunks. */
const HEAD_BYTES = 1_500;

/**
 * The broadcaster's sink on an SSE response: one cork, so one write to the socket, per send; and the notification that
 * there is room again. With an onWritable handler uWebSockets does not send what it has buffered: only a write flushes
 * it, so the handler writes a comment line.
 */
export class SseSink implements Sink {
  readonly response: HttpResponse;
  readonly #stream: ResponseStream;
  readonly #packed: boolean;
  readonly #ender: Uint8Array;
  #full = false;
  /** What was written within the request's handler. */
  #opening = HEAD_BYTES;
  #list: SocketList | null = null;
  #index = -1;
  #keep: NodeJS.Timeout | undefined;

  /** @param packed the stream is one gzip member; its head is the first to be sent */
  constructor(stream: ResponseStream, packed: boolean) {
    this.#stream = stream;
    this.#packed = packed;
    this.#ender = enderOf(packed);
    this.response = stream.response;
    stream.onClose(() => clearInterval(this.#keep));
  }

  get full(): boolean {
    return this.#full;
  }

  get room(): number | undefined {
    return this.#stream.corked ? CORK_BYTES - this.#opening : undefined;
  }

  send(chunk: Chunk, last: boolean): void {
    this.#list?.onOwn();
    this.#write(chunk.bytes, last ? this.#ender : null);
  }

  /** Begins the body; to be called before anything else is sent. */
  open(): void {
    const retry = 'retry: 3000\n\n';
    this.#write(this.#packed ? Buffer.concat([GZIP_HEAD, storedPiece(Buffer.from(retry))]) : Buffer.from(retry));
  }

  /** For what is sent beside the broadcaster's frames. */
  sendText(text: string): void {
    const bytes = Buffer.from(text);
    this.#list?.onOwn();
    this.#write(this.#packed ? storedPiece(bytes) : bytes);
  }

  fail(code: EndCode, message: string): void {
    if (this.#stream.closed) return;
    this.sendText(`event: error\ndata: ${JSON.stringify({ code, message })}\n\n`);
    this.#stream.end();
  }

  offer(): boolean {
    const wasFull = this.#full;
    const drained = this.#write(this.#ender, null);
    if (drained && wasFull) this.#keepOpen();
    return drained;
  }

  list(): SocketList {
    return new SseList(this.#packed);
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
      const drained = this.#write(this.#ender, null);
      room(drained);
      return drained;
    });
  }

  /** False if the socket did not accept all of it at once. */
  #write(bytes: Uint8Array, ender: Uint8Array | null = this.#ender): boolean {
    const all = !this.#stream.closed && writeCorked(this.response, bytes, ender);
    if (this.#stream.corked) this.#opening += bytes.length;
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

// SSE responses that are sent the same bytes together. Nothing of a client is touched but uWebSockets' own response,
// and no closure is made: what is written, and to which response, is stored outside the corked function. uWebSockets
// sends the line break that ends a chunk with the next chunk, and some clients wait for it: so the last chunk for now
// is followed by a comment line (in a compressed stream by an empty piece), in the same write to the socket.

const COMMENT = Buffer.from(':\n\n');
/** What ends a chunk; whoever reads the stream sees nothing of it. */
export const enderOf = (packed: boolean): Uint8Array => (packed ? EMPTY_PIECE : COMMENT);

/**
 * Chunks larger than uWebSockets' cork buffer leave at once, in two writes to the socket that the kernel is told belong
 * together, and what follows them is no longer corked: so what ends such a chunk is corked on its own, which costs less
 * than cutting the chunk into two.
 */
const CORK_BYTES = 16_000;

let toWrite: Uint8Array;
let toEnd: Uint8Array;
let writeTo: HttpResponse;
let accepted = false;

const write = (): void => {
  accepted = writeTo.write(toWrite);
};
const writeLast = (): void => {
  accepted = writeTo.write(toWrite) && writeTo.write(toEnd);
};

const writeEnd = (): void => {
  accepted = writeTo.write(toEnd);
};

/**
 * Writes to the socket; false if it did not accept all of it at once. Not within another cork.
 * @param ender written after the bytes if nothing follows for now: the client must not wait for the end of the chunk
 */
export function writeCorked(response: HttpResponse, bytes: Uint8Array, ender: Uint8Array | null): boolean {
  toWrite = bytes;
  writeTo = response;
  if (ender !== null) toEnd = ender;
  if (ender === null || bytes.length <= CORK_BYTES) {
    response.cork(ender === null ? write : writeLast);
    return accepted;
  }
  response.cork(write);
  // If not all was accepted, what is written once there is room ends it.
  if (accepted) response.cork(writeEnd);
  return accepted;
}

/** A client from the list's point of view. */
interface ListedResponse extends Sink {
  readonly response: HttpResponse;
  /** Its index in the list; null and -1 if it has left. */
  atIndex(list: SseList | null, index: number): void;
  overflowed(): void;
}

class SseList implements SocketList {
  onFull: (index: number) => void = () => undefined;
  onOwn: () => void = () => undefined;
  readonly #ender: Uint8Array;
  #bytes: Uint8Array = COMMENT;
  #last = true;
  readonly #responses: HttpResponse[] = [];
  readonly #sinks: ListedResponse[] = [];

  constructor(packed: boolean) {
    this.#ender = enderOf(packed);
  }

  add(sink: Sink): void {
    const listed = sink as ListedResponse;
    listed.atIndex(this, this.#sinks.length);
    this.#sinks.push(listed);
    this.#responses.push(listed.response);
  }

  swap(one: number, other: number): void {
    const sinks = this.#sinks;
    const [a, b] = [sinks[one]!, sinks[other]!];
    sinks[one] = b;
    sinks[other] = a;
    this.#responses[one] = b.response;
    this.#responses[other] = a.response;
    b.atIndex(this, one);
    a.atIndex(this, other);
  }

  pop(): void {
    this.#responses.pop();
    this.#sinks.pop()!.atIndex(null, -1);
  }

  load(chunk: Chunk, last: boolean): void {
    this.#bytes = chunk.bytes;
    this.#last = last;
  }

  send(index: number): boolean {
    // It may leave during its write.
    const sink = this.#sinks[index]!;
    const all = writeCorked(this.#responses[index]!, this.#bytes, this.#last ? this.#ender : null);
    if (!all) sink.overflowed();
    return all;
  }
}
