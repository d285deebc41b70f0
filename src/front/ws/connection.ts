// One WebSocket connection: its subscription, and the answers to its messages. Sending changes is the broadcaster's
// task.
import type { Static } from 'typebox';
import { checkAccess, checkOpenings } from '../../accounts/access.js';
import { callerOf } from '../../accounts/caller.js';
import type { KeyRecord } from '../../accounts/key-record.js';
import { KEY_ENDED } from '../../accounts/stream-slots.js';
import { trialOf } from '../../accounts/trial.js';
import { viewerNames } from '../../accounts/viewer-access.js';
import type { Broadcaster } from '../../broadcast/broadcaster.js';
import type { Subscriber } from '../../broadcast/subscriber.js';
import { type Subscription, thresholdsOf } from '../../broadcast/subscription.js';
import { wsEncoders } from '../../broadcast/ws-encoder.js';
import { DEFAULT_STATE } from '../../catalogue/deep-link.js';
import { streamingEndMs } from '../../catalogue/tiers.js';
import type { EngineView } from '../../engine/engine-view.js';
import { type FilterEcho, filterOfLists } from '../../filter/stream-filter.js';
import { splitList } from '../../filter/universe.js';
import { CHANNEL_NAMES, type ChannelName } from '../../model/channels.js';
import { defined } from '../../model/defined.js';
import { ApiError } from '../../model/errors.js';
import { formatMs } from '../../model/time.js';
import { PROTOCOL_VERSION } from '../../schema/frames.js';
import { WS_CLOSE } from '../../schema/ws-close.js';
import type { ClientMessage, SubscribeFilters, WsQuery } from '../../schema/ws-messages.js';
import { shownFailure } from '../../store/storage-error.js';
import { checkClientMessage, FloodGuard, idIn, type MessageId, parseClientMessage } from './client-messages.js';
import type { WsSink } from './ws-sink.js';

export interface ConnectionHost {
  engine: EngineView;
  broadcaster: Broadcaster;
  nextStreamId(): string;
  /** Whether a key that connected would be refused now. */
  hasEnded(key: KeyRecord): boolean;
  /** An error other than an ApiError. */
  failed(error: unknown): void;
}

/**
 * Clients are checked every 10 s. One that was silent for this many checks is pinged, repeatedly. An answer takes as
 * long as the data still buffered for it: two minutes if that was never much, five if its socket was ever full (several
 * MB, at 30 kB a second).
 */
const SILENT_CHECKS = { pinged: 6, gone: 12, goneWhereFull: 30 } as const;

export class Connection {
  readonly #host: ConnectionHost;
  readonly #key: KeyRecord;
  readonly #sink: WsSink;
  readonly #guard = new FloodGuard();
  readonly #subscriber: Subscriber;
  /** Where the first accepted subscription resumes; NaN if the URL requests it without a position. */
  #resumeFrom: number | null = null;
  /** Checks since it was last known to be alive. */
  #silentChecks = 0;
  #wasFull = false;

  constructor(host: ConnectionHost, key: KeyRecord, sink: WsSink) {
    this.#host = host;
    this.#key = key;
    this.#sink = sink;
    const seat = host.broadcaster.seat(wsEncoders[sink.form], this.#subscription([], {}));
    this.#subscriber = host.broadcaster.subscriber(seat, sink, streamingEndMs(key));
    this.#subscriber.idleIn(this.#subscriber.group);
  }

  /** Greets, and subscribes as the URL requests; `read` throws ApiError if that is invalid. */
  open(read: () => Static<typeof WsQuery>): void {
    const { engine } = this.#host;
    const trial = trialOf(this.#key, engine.clock.now());
    this.#sink.notify('connected', {
      stream_id: this.#host.nextStreamId(),
      protocol: PROTOCOL_VERSION,
      position: engine.table.position,
      epoch: engine.directory.epoch,
      ...(trial === undefined ? {} : { trial }),
    });
    this.#answer(undefined, () => {
      const query = read();
      const after = query.resume ? Number(query.from_seq ?? Number.NaN) : null;
      if (query.channels === undefined) this.#resumeFrom = after;
      else this.#subscribe(undefined, channelsOf(query.channels), filtersOf(query), after);
    });
  }

  message(bytes: Uint8Array, isBinary: boolean): void {
    if (this.#sink.closed) return;
    this.noteActivity();
    if (this.#host.hasEnded(this.#key)) {
      this.endKey();
      return;
    }
    if (this.#guard.message(this.#host.engine.clock.now())) {
      this.#sink.end(WS_CLOSE.flood, 'rate_limited');
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

  /** The client has sent something. */
  noteActivity(): void {
    this.#silentChecks = 0;
  }

  /** Pings a silent client, and disconnects one that does not answer; called every 10 s. */
  watch(): void {
    if (this.#sink.closed) return;
    if (this.#sink.full) {
      // Whether it still reads is checked by the broadcaster.
      this.#wasFull = true;
      this.noteActivity();
      return;
    }
    this.#silentChecks++;
    if (this.#silentChecks >= (this.#wasFull ? SILENT_CHECKS.goneWhereFull : SILENT_CHECKS.gone)) this.#sink.cut();
    else if (this.#silentChecks >= SILENT_CHECKS.pinged) this.#sink.ping();
  }

  drain(): void {
    this.#subscriber.progressed(this.#host.engine.clock.now());
    if (this.#sink.drained()) this.#subscriber.requestTurn();
  }

  close(): void {
    this.#sink.gone();
    this.#host.broadcaster.leave(this.#subscriber);
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
        this.#host.broadcaster.move(this.#subscriber, wsEncoders[this.#sink.form], this.#subscription([], {}));
        this.#subscriber.idleIn(this.#subscriber.group);
        this.#sink.notify('subscribed', {
          ...idOf(message.id),
          global_seq: 0,
          channels: [],
          filters: {},
          resumed: false,
        });
        return;
      case 'subscribe':
        this.#subscribe(message.id, message.channels, message.filters ?? {}, message.from_seq ?? this.#resumeFrom);
    }
  }

  /** Replaces the subscription; throws ApiError before anything is changed. */
  #subscribe(id: MessageId, channels: readonly ChannelName[], filters: SubscribeFilters, after: number | null): void {
    const { broadcaster, engine } = this.#host;
    for (const channel of channels) checkAccess(this.#key, { channel }, engine.clock.now());
    if (filters.include !== undefined) checkOpenings(broadcaster.hasOpenings, this.#key.tier);
    const subscription = this.#subscription(channels, this.#restrictedByToken(filters));
    broadcaster.move(this.#subscriber, wsEncoders[this.#sink.form], subscription);
    this.#resumeFrom = null;
    broadcaster.start(this.#subscriber, after, (start) => {
      this.#sink.notify('subscribed', {
        ...idOf(id),
        global_seq: start.resumed ? start.at.position : 0,
        channels: [...subscription.channels],
        filters: appliedFilters(filters, subscription.filter.applied),
        position: start.at.position,
        resumed: start.resumed,
      });
      if (start.refused !== null) this.#sink.notify('snapshot_required', { global_seq: 0, reason: start.refused });
      // Outside uWebSockets' own callback, where a cork is one write to the socket.
      setImmediate(() => this.#subscriber.pump(engine.clock.now()));
    });
  }

  #subscription(channels: readonly ChannelName[], filters: SubscribeFilters): Subscription {
    return {
      channels: new Set(channels),
      filter: filterOfLists(this.#host.engine, this.#key.tier, filters),
      thresholds: thresholdsOf(filters),
      state: (filters.state ?? DEFAULT_STATE).toLowerCase(),
      openings: filters.include === 'opening',
      caller: callerOf(this.#key),
    };
  }

  /** Throws ApiError if more is requested than a viewer token allows. */
  #restrictedByToken(filters: SubscribeFilters): SubscribeFilters {
    const { viewer } = this.#key;
    if (viewer === undefined) return filters;
    const restricted: SubscribeFilters = { ...filters };
    for (const [name, list] of LISTS) {
      const names = viewerNames(viewer, name, filters[list]);
      if (names !== undefined) restricted[list] = [...names];
    }
    return restricted;
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

/** A token's filters in the form of a message. */
const LISTS = [
  ['sport', 'sports'],
  ['league', 'leagues'],
  ['sportsbook', 'sportsbooks'],
  ['market', 'markets'],
  ['event', 'eventIds'],
] as const;

function idOf(id: MessageId): { id?: string | number } {
  return id === undefined ? {} : { id };
}

/** Throws invalid_request for an unknown channel. */
function channelsOf(text: string): ChannelName[] {
  const names = splitList(text);
  const known: readonly string[] = CHANNEL_NAMES;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new ApiError('invalid_request', `channels: unknown ${unknown.join(', ')}`);
  return names as ChannelName[];
}

/** The filters in effect: thresholds as given, names resolved. */
function appliedFilters(filters: SubscribeFilters, applied: FilterEcho): SubscribeFilters {
  const { sports: _s, leagues: _l, sportsbooks: _b, markets: _m, eventIds: _e, ...others } = filters;
  const { sport, league, sportsbook, market, event } = applied;
  return {
    ...(sport === null ? {} : { sports: sport }),
    ...(league === null ? {} : { leagues: league }),
    ...(sportsbook === null ? {} : { sportsbooks: sportsbook }),
    ...(market === null ? {} : { markets: market }),
    ...(event === null ? {} : { eventIds: event }),
    ...others,
  };
}

/** REST's parameters as a message's filters. */
function filtersOf(query: Static<typeof WsQuery>): SubscribeFilters {
  const { event, sport, league, sportsbook, market, min_ev, min_profit, max_hold, min_size, state, include } = query;
  const { min_stake, currency, guaranteed } = query;
  const list = (text: string | undefined) => (text === undefined ? undefined : splitList(text));
  return defined({
    sports: list(sport),
    leagues: list(league),
    sportsbooks: list(sportsbook),
    markets: list(market),
    eventIds: list(event),
    min_ev,
    min_profit,
    max_hold,
    min_size,
    min_stake,
    currency,
    guaranteed,
    state,
    include,
  });
}
