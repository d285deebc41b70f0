// One WebSocket connection: its stream, and the answers to its messages. Sending changes is the broadcaster's task.
import type { Static } from 'typebox';
import type { KeyRecord } from '../../accounts/key-record.js';
import { KEY_ENDED } from '../../accounts/stream-slots.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { shownFailure } from '../../base/model/storage-error.js';
import { formatMs } from '../../base/model/time.js';
import type { Stream } from '../../broadcast/streams.js';
import { appliedFilters, channelsIn, filtersOf, type StreamRequest } from '../../broadcast/subscription.js';
import type { Engine } from '../../engine/engine.js';
import { PROTOCOL_VERSION } from '../../schema/frames.js';
import type { ClientMessage, WsQuery } from '../../schema/stream.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import type { TurnWork } from '../http/turn-work.js';
import { checkClientMessage, FloodGuard, idIn, type MessageId, parseClientMessage } from './client-messages.js';
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
    if (++this.#waiting > WAITING_MAX) {
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
