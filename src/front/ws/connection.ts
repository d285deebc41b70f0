// One WebSocket connection: its stream, and the answers to its messages. Sending changes is the broadcaster's task.

import type { Static } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyRecord } from '../../accounts/key-record.js';
import { KEY_ENDED } from '../../accounts/stream-slots.js';
import { ApiError } from '../../base/model/errors.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import { shownFailure } from '../../base/model/storage-error.js';
import { formatMs } from '../../base/model/time.js';
import { decodeUntrusted } from '../../base/wire/codec.js';
import { parseJson, REQUEST_BOUNDS } from '../../base/wire/untrusted.js';
import type { Stream } from '../../broadcast/streams.js';
import { appliedFilters, channelsIn, filtersOf, type StreamRequest } from '../../broadcast/subscription.js';
import type { Engine } from '../../engine/engine.js';
import { PROTOCOL_VERSION } from '../../schema/frames.js';
import { meaningOf } from '../../schema/parameters.js';
import {
  type ClientMessage,
  ID_CHARS_MAX,
  PingMessage,
  SubscribeFilters,
  SubscribeMessage,
  UnsubscribeMessage,
  type WsQuery,
} from '../../schema/stream.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import { namedFilters, withoutNulls } from '../http/json-body.js';
import { schemaComplaint } from '../http/schema-complaint.js';
import type { TurnWork } from '../http/turn-work.js';
import type { WsSink } from './ws-sink.js';

export interface ConnectionHost {
  engine: Engine;
  /** Whether a key that connected would be refused now. */
  hasEnded(key: KeyRecord): boolean;
  /** An error other than an ApiError. */
  failed(error: unknown): void;
  /** Where messages are worked off, beside requests. */
  turn: TurnWork;
}

type Subscribe = Extract<ClientMessage, { type: 'subscribe' }>;

const WAITING_MAX = LIMITS.messagesWaiting.max;
const WAITING_BYTES_MAX = LIMITS.messageBytesWaiting.max;

/**
 * Clients are checked every 10 s. One that was silent for this many checks is pinged, repeatedly. An answer takes as
 * long as the data still buffered for it: two minutes if that was never much, five if its socket was ever full (several
 * MB, at 30 kB a second).
 */
const SILENT_CHECKS = { pinged: 6, gone: 12, goneWhereFull: 30 } as const;

export class WsConnection {
  readonly #host: ConnectionHost;
  readonly #key: KeyRecord;
  readonly #sink: WsSink;
  readonly #stream: Stream;
  readonly #guard = new FloodGuard();
  /** Where the first accepted subscription resumes; NaN if the URL requests it without a position. */
  #resumeFrom: number | null = null;
  /** Checks since it was last known to be alive. */
  #silentChecks = 0;
  #wasFull = false;
  /** Messages that a later turn reads. */
  #waiting = 0;
  #waitingBytes = 0;
  /** Messages to be read after one that waits; undefined if none does. */
  #behind: (() => void)[] | undefined;

  constructor(host: ConnectionHost, key: KeyRecord, sink: WsSink, stream: Stream) {
    this.#host = host;
    this.#key = key;
    this.#sink = sink;
    this.#stream = stream;
    stream.attach(sink);
  }

  /** Says hello, and subscribes as the URL requests; `read` throws ApiError if that is invalid. */
  open(read: () => Static<typeof WsQuery>): void {
    const { engine } = this.#host;
    const { id, trial } = this.#stream;
    this.#sink.notify('connected', {
      stream_id: id,
      protocol: PROTOCOL_VERSION,
      position: engine.table.position,
      epoch: engine.directory.epoch,
      ...(trial === undefined ? {} : { trial }),
    });
    this.#answer(undefined, () => {
      const { channels, resume, from_seq, ...query } = read();
      const after = resume ? Number(from_seq ?? Number.NaN) : null;
      if (channels === undefined) this.#resumeFrom = after;
      else this.#subscribe(undefined, { channels: channelsIn(channels), filters: filtersOf(query) }, after);
    });
  }

  /** @param bytes valid only during the call */
  message(bytes: Uint8Array, isBinary: boolean): void {
    if (!this.#accepts()) return;
    const { turn } = this.#host;
    if (turn.isFree && this.#behind === undefined) {
      turn.run(() => this.#read(bytes, isBinary), this);
      return;
    }
    this.#waitingBytes += bytes.length;
    if (++this.#waiting > WAITING_MAX || this.#waitingBytes > WAITING_BYTES_MAX) {
      this.#sink.end(WS_CLOSE.flood, 'rate_limited');
      return;
    }
    const copy = bytes.slice();
    const read = (): void => {
      // Those handed over before this one began to wait.
      if (this.#behind !== undefined) {
        this.#behind.push(read);
        return;
      }
      this.#waiting--;
      this.#waitingBytes -= copy.length;
      this.#read(copy, isBinary);
    };
    turn.run(read, this);
  }

  /** The client has sent a ping or a pong of the protocol. */
  signal(): void {
    this.#accepts();
  }

  /** Counts what came from the client; false if it goes unread. */
  #accepts(): boolean {
    if (this.#sink.closed) return false;
    this.#silentChecks = 0;
    if (!this.#guard.message(this.#host.engine.clock.now())) return true;
    this.#sink.end(WS_CLOSE.flood, 'rate_limited');
    return false;
  }

  #read(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#sink.closed) return;
    if (this.#host.hasEnded(this.#key)) {
      this.endKey();
      return;
    }
    let id: MessageId;
    let message: ClientMessage;
    try {
      const value = parseClientMessage(bytes, isBinary);
      id = idIn(value);
      message = checkClientMessage(value);
    } catch (error) {
      this.#refuse(id, error);
      if (this.#guard.malformed()) this.#sink.end(WS_CLOSE.flood, 'invalid_request');
      return;
    }
    this.#answer(id, () => this.#handle(message));
  }

  /** Pings a silent client, and disconnects one that does not answer; called every 10 s. */
  watch(): void {
    if (this.#sink.closed) return;
    if (this.#sink.full) {
      // Whether it still reads is checked by the broadcaster.
      this.#wasFull = true;
      this.#silentChecks = 0;
      return;
    }
    this.#silentChecks++;
    if (this.#silentChecks >= (this.#wasFull ? SILENT_CHECKS.goneWhereFull : SILENT_CHECKS.gone)) this.#sink.cut();
    else if (this.#silentChecks >= SILENT_CHECKS.pinged) this.#sink.ping();
  }

  drain(): void {
    this.#stream.progressed(this.#sink.drained());
  }

  close(): void {
    this.#sink.gone();
    this.#stream.close();
  }

  /** Its key was revoked or has expired. */
  endKey(): void {
    this.#sink.fail('unauthorized', KEY_ENDED);
  }

  shutDown(): void {
    this.#sink.end(WS_CLOSE.shutdown, 'unavailable');
  }

  #handle(message: ClientMessage): void {
    switch (message.type) {
      case 'ping':
        this.#sink.notify('pong', { ...idOf(message.id), timestamp: formatMs(this.#host.engine.clock.now()) });
        return;
      case 'unsubscribe':
        this.#stream.unsubscribe();
        this.#sink.notify('subscribed', {
          ...idOf(message.id),
          global_seq: 0,
          channels: [],
          filters: {},
          resumed: false,
        });
        return;
      case 'subscribe': {
        const waits = this.#stream.ready();
        if (waits === null) this.#reopen(message);
        else this.#holdBack(waits, () => this.#answer(message.id, () => this.#reopen(message)));
      }
    }
  }

  #reopen({ id, channels, filters = {}, from_seq }: Subscribe): void {
    this.#stream.reopen();
    this.#subscribe(id, { channels, filters }, from_seq ?? this.#resumeFrom);
  }

  /** Messages that come until then are read after it. */
  #holdBack(until: Promise<void>, act: () => void): void {
    this.#behind = [];
    void until.then(() => {
      const behind = this.#behind ?? [];
      this.#behind = undefined;
      if (!this.#sink.closed) act();
      for (const read of behind) this.#host.turn.run(read, this);
    });
  }

  /** Replaces the subscription; throws ApiError before anything is changed. */
  #subscribe(id: MessageId, request: StreamRequest, after: number | null): void {
    this.#stream.subscribe(request);
    const { channels, filter } = this.#stream.subscription;
    this.#resumeFrom = null;
    this.#stream.begin(after, (start) => {
      this.#sink.notify('subscribed', {
        ...idOf(id),
        global_seq: start.resumed ? start.at.position : 0,
        channels: [...channels],
        filters: appliedFilters(request.filters, filter.applied),
        position: start.at.position,
        resumed: start.resumed,
      });
      if (start.refused !== null) this.#sink.notify('snapshot_required', { global_seq: 0, reason: start.refused });
    });
  }

  #answer(id: MessageId, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#refuse(id, error);
    }
  }

  #refuse(id: MessageId, error: unknown): void {
    if (!(error instanceof ApiError)) this.#host.failed(error);
    const shown = shownFailure(error);
    this.#sink.notify('error', { code: shown.code, message: shown.message, ...idOf(id) });
  }
}

function idOf(id: MessageId): { id?: string | number } {
  return id === undefined ? {} : { id };
}

// Parses WebSocket clients' messages, and counts what no honest client sends.

const VALIDATORS = {
  subscribe: Compile(SubscribeMessage),
  unsubscribe: Compile(UnsubscribeMessage),
  ping: Compile(PingMessage),
};

const MESSAGE_BYTES_MAX = LIMITS.messageBytes.max;

/** A message's id, chosen by the client; repeated in the answer. */
type MessageId = string | number | undefined;

/** JSON text, or MessagePack in binary. Throws ApiError invalid_request or payload_too_large. */
export function parseClientMessage(bytes: Uint8Array, isBinary: boolean): unknown {
  if (bytes.length > MESSAGE_BYTES_MAX)
    throw new ApiError('payload_too_large', `the message is larger than ${MESSAGE_BYTES_MAX} bytes`);
  try {
    return isBinary ? decodeUntrusted(bytes, REQUEST_BOUNDS) : parseJson(bytes, REQUEST_BOUNDS);
  } catch (error) {
    const what = isBinary ? 'the message is not MessagePack: it' : 'the message';
    throw new ApiError('invalid_request', `${what} ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

/** The id of any message, if there is one that can be repeated. */
export function idIn(value: unknown): MessageId {
  const id = isMap(value) ? value['id'] : undefined;
  if (typeof id === 'number') return Number.isFinite(id) ? id : undefined;
  return typeof id === 'string' && id.length <= ID_CHARS_MAX ? id : undefined;
}

/** The parsed value as one of the messages, its filters under their own names. Throws ApiError invalid_request. */
export function checkClientMessage(value: unknown): ClientMessage {
  const type = isMap(value) ? value['type'] : undefined;
  if (type !== 'subscribe' && type !== 'unsubscribe' && type !== 'ping')
    throw new ApiError('invalid_request', 'type must be subscribe, unsubscribe or ping');
  const given = value as Readonly<Record<string, unknown>>;
  const message = type === 'subscribe' ? named(given) : withoutNulls(given);
  const validator = VALIDATORS[type];
  if (!validator.Check(message))
    throw new ApiError('invalid_request', schemaComplaint(validator.Schema(), message, 'the message'));
  return message as ClientMessage;
}

const MESSAGE_NAMES = new Set(Object.keys(SubscribeMessage.properties));
const FILTER_NAMES = meaningOf(Object.keys(SubscribeFilters.properties));

/** A subscription with its filters under the names of the schema; an unknown name would silently narrow nothing. */
function named(given: Readonly<Record<string, unknown>>): object {
  refuse('', unknownIn(given, MESSAGE_NAMES));
  const message = withoutNulls(given);
  const { filters } = message;
  if (!isMap(filters)) return message;
  refuse('filters: ', unknownIn(filters, FILTER_NAMES));
  return { ...message, filters: namedFilters(filters, FILTER_NAMES) };
}

function unknownIn(map: object, known: { has(name: string): boolean }): string[] {
  return Object.keys(map).filter((name) => !known.has(name));
}

function refuse(where: string, unknown: readonly string[]): void {
  if (unknown.length > 0)
    throw new ApiError('invalid_request', `${where}unknown ${unknown.slice(0, 20).join(', ').slice(0, 200)}`);
}

const MESSAGES_PER_SECOND = LIMITS.messagesPerSecond.max;
const FLOOD_SECONDS = 5;
const MALFORMED_MAX = LIMITS.malformedMessages.max;

/** True means: close the connection. */
class FloodGuard {
  #second = 0;
  #inSecond = 0;
  #floodedSeconds = 0;
  #malformed = 0;

  message(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      const flooded = this.#inSecond > MESSAGES_PER_SECOND && second === this.#second + 1;
      this.#floodedSeconds = flooded ? this.#floodedSeconds + 1 : 0;
      this.#second = second;
      this.#inSecond = 0;
    }
    this.#inSecond++;
    return this.#floodedSeconds >= FLOOD_SECONDS;
  }

  malformed(): boolean {
    return ++this.#malformed >= MALFORMED_MAX;
  }
}
