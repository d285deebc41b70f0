// A client at the end of a wire that can stop accepting bytes: the real sinks on one side, the real client's merging on
// the other, and between them the behaviour of a socket and its buffer.

import type { HttpResponse } from 'uWebSockets.js';
import assert from 'node:assert/strict';
import { Unpackr } from 'msgpackr';
import type { Start } from '../../src/broadcast/broadcaster.js';
import type { FrameEncoder } from '../../src/broadcast/frame-encoder.js';
import type { Subscriber } from '../../src/broadcast/subscriber.js';
import type { Subscription } from '../../src/broadcast/subscription.js';
import { fromSse, fromWs, type Received } from '../../src/client/events.js';
import { LiveTable } from '../../src/client/live-table.js';
import { SseParser } from '../../src/client/sse-connect.js';
import { SseSink, sseEncoder, sseGzipEncoder } from '../../src/front/sse/sse-sink.js';
import { type WsForm, WsSink, wsEncoders } from '../../src/front/ws/ws-sink.js';
import { checkSse, checkWs } from './frame-check.js';
import { Inflating } from './inflating.js';
import type { World } from './world.js';

export type Transport = 'sse' | 'sse-gzip' | 'ws-json' | 'ws-msgpack' | 'ws-deflate' | 'ws-msgpack.deflate';
export const TRANSPORTS = ['sse', 'sse-gzip', 'ws-json', 'ws-msgpack', 'ws-deflate', 'ws-msgpack.deflate'] as const;

const ENCODERS: Readonly<Record<Transport, FrameEncoder>> = {
  sse: sseEncoder,
  // With some clients of a test compressed, with the last one or two as it is.
  'sse-gzip': { ...sseGzipEncoder, packing: { fromClients: 3 } },
  'ws-json': wsEncoders.json,
  'ws-msgpack': wsEncoders.msgpack,
  'ws-deflate': wsEncoders.deflate,
  'ws-msgpack.deflate': wsEncoders['msgpack.deflate'],
};

const unpackr = new Unpackr({ int64AsType: 'number', useRecords: false });
const unpacked = (bytes: Uint8Array) => unpackr.unpackMultiple(bytes) as object[];

/** Bytes that a stalled wire still accepts before its sender must wait. */
const ROOM_WHEN_STALLED = 300;
/** No socket accepts so much at once without a reader. */
const LARGE_BYTES = 32_000;

/** Accepts messages (SSE: any bytes) in order; those that do not fit wait. */
class Wire {
  pendingBytes = 0;
  pendingMax = 0;
  stalled = false;
  readonly #pending: Uint8Array[] = [];
  #room = 0;
  readonly #arrive: (bytes: Uint8Array) => void;

  constructor(arrive: (bytes: Uint8Array) => void) {
    this.#arrive = arrive;
  }

  /** True if nothing is waiting. */
  write(bytes: Uint8Array): boolean {
    this.#pending.push(Uint8Array.from(bytes));
    this.pendingBytes += bytes.length;
    this.move();
    this.pendingMax = Math.max(this.pendingMax, this.pendingBytes);
    return this.pendingBytes === 0;
  }

  /** One that is stalled already accepts no more: a socket that took bytes would say that it can be written again. */
  stall(): void {
    if (this.stalled) return;
    this.stalled = true;
    this.#room = ROOM_WHEN_STALLED;
  }

  /** Passes on at most `bytes`: whole writes, at least one, but no large one while it is stalled. */
  move(bytes = Number.POSITIVE_INFINITY): void {
    let left = this.stalled ? this.#room : bytes;
    while (this.#pending.length > 0 && left > 0) {
      if (this.stalled && this.#pending[0]!.length > LARGE_BYTES) break;
      const next = this.#pending.shift()!;
      left -= next.length;
      this.pendingBytes -= next.length;
      this.#arrive(next);
    }
    if (this.stalled) this.#room = Math.max(0, left);
  }
}

export class TestClient {
  readonly transport: Transport;
  readonly subscription: Subscription;
  readonly table = new LiveTable();
  /** Ids or global_seqs in order of arrival, since the last (re)connect. */
  readonly positions: number[] = [];
  position: number | null = null;
  connects = 0;
  failed: string | null = null;
  readonly frames: { type: string; value: unknown }[] = [];
  /** Called once, during the next write to its socket. */
  atWrite: (() => void) | null = null;
  readonly #world: World;
  readonly #packed: boolean;
  #wire: Wire;
  #subscriber: Subscriber | null = null;
  #sink: SseSink | WsSink | null = null;
  #writable: () => void = () => undefined;
  #seq = 0;

  constructor(world: World, transport: Transport, subscription: Subscription) {
    this.#world = world;
    this.transport = transport;
    this.#packed = ENCODERS[transport].packing !== null;
    this.subscription = subscription;
    this.#wire = new Wire(() => undefined);
  }

  get connected(): boolean {
    return this.#subscriber !== null;
  }

  get stalled(): boolean {
    return this.#wire.stalled;
  }

  get pendingBytesMax(): number {
    return this.#wire.pendingMax;
  }

  get full(): boolean {
    return this.#sink?.full ?? false;
  }

  connect(stalled = false): Start {
    const { broadcaster } = this.#world;
    const parser = new SseParser();
    const text = new TextDecoder();
    this.connects++;
    this.positions.length = 0;
    this.#seq = 0;
    const inflating = this.#packed ? new Inflating(this.#isSse) : null;
    this.#wire = new Wire((written) => {
      const bytes = inflating === null ? written : inflating.push(written);
      if (!this.#isSse) this.#message(bytes);
      else
        for (const { event, data, id } of parser.push(text.decode(bytes, { stream: true }))) {
          if (data === '') continue;
          this.frames.push({ type: event, value: JSON.parse(data) });
          if (!this.#unlike(event)) checkSse(event, JSON.parse(data));
          if (id !== undefined) this.#strictlyLater(Number(id.slice(4)));
          this.#take(fromSse(event, data, id));
        }
    });
    if (stalled) this.#wire.stall();
    const sink = this.#isSse ? this.#sseSink() : this.#wsSink();
    this.#sink = sink;
    if (sink instanceof SseSink && this.#packed) sink.open();
    const claim = broadcaster.claimGroup(ENCODERS[this.transport], this.subscription);
    const subscriber = broadcaster.subscriber(claim, sink);
    this.#subscriber = subscriber;
    return this.#start(subscriber, this.position);
  }

  /** Repeats its subscription. */
  again(): Start {
    return this.#start(this.#subscriber!, null);
  }

  /** Like the routes; the returned object is still empty if the stream waits for opportunities. */
  #start(subscriber: Subscriber, after: number | null): Start {
    const answer: Start = { at: { epoch: '', position: Number.NaN }, resumed: false, refused: null };
    this.#world.broadcaster.start(subscriber, after, (start) => {
      Object.assign(answer, start);
      this.#take({ events: [{ type: 'started', resumed: start.resumed }], position: start.resumed ? undefined : null });
      if (start.resumed) this.positions.push(start.at.position);
      subscriber.pump(this.#world.clock.now());
    });
    return answer;
  }

  stall(): void {
    this.#wire.stall();
  }

  /** Reads again: everything, or this many parts. */
  unstall(parts = Number.POSITIVE_INFINITY): void {
    this.#wire.stalled = false;
    if (!this.connected) this.#wire.move();
    for (let turns = 0; this.connected && this.full && turns < parts; turns++) {
      assert.ok(turns < 10_000, 'a socket that is read from must become empty');
      this.#wire.move(1_000);
      this.#writable();
    }
    if (parts < Number.POSITIVE_INFINITY) this.stall();
  }

  /** A message of its own, as a WebSocket gets when it sends a ping. */
  ask(): void {
    if (this.#sink instanceof WsSink) this.#sink.notify('pong', { timestamp: '2026-11-20T18:00:00Z' });
  }

  /** Disconnects without a close; the first bytes of what is waiting may still arrive. */
  vanish(arriving: number): void {
    this.#wire.stalled = false;
    this.#wire.move(arriving);
    this.#world.broadcaster.leave(this.#subscriber!);
    this.#subscriber = null;
    this.#sink = null;
  }

  /**
   * The opportunities of these tests are ids alone, so they do not match the schema; others are tested with a real
   * server.
   */
  #unlike(type: string): boolean {
    return type.endsWith(':detected') || type === 'opportunities_snapshot';
  }

  #take({ events, position }: Received): void {
    for (const event of events) this.table.apply(event);
    if (position !== undefined) this.position = position;
  }

  #strictlyLater(position: number): void {
    const last = this.positions.at(-1);
    if (last !== undefined) assert.ok(position > last, `${this.transport}: id ${position} after ${last}`);
    this.positions.push(position);
  }

  get #isSse(): boolean {
    return this.transport === 'sse' || this.transport === 'sse-gzip';
  }

  /** One frame; compressed, as many as there are in it, which state no number. */
  #message(bytes: Uint8Array): void {
    const isJson = this.transport === 'ws-json' || this.transport === 'ws-deflate';
    const values = isJson
      ? Buffer.from(bytes)
          .toString()
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line))
      : unpacked(bytes);
    assert.ok(this.#packed || values.length === 1);
    for (const value of values as Record<string, unknown>[]) {
      assert.equal(value['seq'], this.#packed ? undefined : ++this.#seq, 'seq has no gap');
      this.#frame(this.#packed ? { ...value, seq: ++this.#seq } : value);
    }
  }

  #frame(frame: Record<string, unknown>): void {
    this.frames.push({ type: String(frame['type']), value: frame });
    if (!this.#unlike(String(frame['type']))) checkWs(frame);
    const position = frame['global_seq'];
    if (typeof position === 'number' && position > 0) {
      assert.ok(position >= (this.positions.at(-1) ?? 0), `global_seq ${position} after ${this.positions.at(-1)}`);
      this.positions.push(position);
    }
    this.#take(fromWs(frame));
  }

  #write(bytes: Uint8Array): boolean {
    const done = this.#wire.write(bytes);
    const happens = this.atWrite;
    this.atWrite = null;
    happens?.();
    return done;
  }

  #sseSink(): SseSink {
    let writable: () => boolean = () => true;
    const response = {
      cork: (callback: () => void) => callback(),
      write: (bytes: Uint8Array) => this.#write(bytes),
      pause: () => undefined,
      resume: () => undefined,
      onWritable: (callback: () => boolean) => {
        writable = callback;
      },
    } as unknown as HttpResponse;
    const sink = new SseSink(
      {
        response,
        closed: false,
        corked: false,
        writeHead: () => undefined,
        end: () => this.#fail(),
        onClose: () => undefined,
      },
      this.#packed,
    );
    sink.onRoom((drained) => {
      this.#subscriber?.progressed();
      if (drained) this.#subscriber?.pump(this.#world.clock.now());
    });
    // Like uWebSockets: what waits goes out only when the handler writes.
    this.#writable = () => writable();
    return sink;
  }

  #wsSink(): WsSink {
    const sink = new WsSink(
      {
        cork: (callback) => callback(),
        send: (message) => (this.#write(message) ? 1 : 0),
        getBufferedAmount: () => this.#wire.pendingBytes,
        ping: () => undefined,
        end: () => this.#fail(),
        close: () => this.#fail(),
      },
      this.transport.slice('ws-'.length) as WsForm,
    );
    this.#writable = () => {
      this.#subscriber?.progressed();
      if (sink.drained()) this.#subscriber?.pump(this.#world.clock.now());
    };
    return sink;
  }

  #fail(): void {
    this.failed = 'closed';
    if (this.#subscriber !== null) this.#world.broadcaster.leave(this.#subscriber);
    this.#subscriber = null;
  }
}
