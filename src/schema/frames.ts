// Every event and frame of the streams: data of SSE events by name, WebSocket frames by type. The AsyncAPI document is
// generated from these, and the tests validate every frame they receive against them.
import type { Static, TProperties, TSchema } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { EVENT_STATUSES } from '../base/model/normal-message.js';
import {
  CHANNEL_NAMES,
  CHANNEL_WORDS,
  KEYED_NAMES,
  type KeyedName,
  KIND_WORDS,
  keyedWords,
} from '../base/model/stream-channels.js';
import { StreamingTrial } from './account.js';
import { AccountBet } from './bets.js';
import { instant } from './envelope.js';
import { GameState } from './events.js';
import { Move } from './moves.js';
import {
  american,
  bookId,
  changedAt,
  decimal,
  depth,
  eventId,
  gameFields,
  isActive,
  isIndicative,
  isMainLine,
  isStalePregame,
  Odds,
  previousAmerican,
  probability,
} from './odds-items.js';
import { ArbitrageOpportunity, EvOpportunity, LowHoldOpportunity, MiddleOpportunity } from './opportunities-items.js';
import { Result } from './results.js';
import { SubscribeFilters } from './stream.js';

/**
 * Raised whenever a frame changes its shape; WebSocket's `connected` reports it. A test compares it with the schemas.
 */
export const PROTOCOL_VERSION = 15;

const STRICT = { additionalProperties: false } as const;
const strict = <T extends TProperties>(properties: T, description?: string) =>
  Type.Object(properties, { ...STRICT, ...(description === undefined ? {} : { description }) });
const count = Type.Integer({ minimum: 0, description: 'items in this event' });
const ids = Type.Array(Type.String(), { description: 'ids to remove' });
const lockedIds = Type.Array(Type.String(), {
  description: 'suspended rows; each is also in an odds:update or odds:added of the same tick',
});
const names = orNull(Type.Array(Type.String()), 'as applied, with aliases resolved; null if it does not restrict');
const position = (description: string) => Type.Integer({ minimum: 0, description });
const code = Type.String({
  description:
    'as in REST errors; backpressure: the client was too slow; trial_expired: the streaming trial of its key is over; unauthorized: its key has ended; ' +
    'both end the stream',
});
const trial = Type.Optional(StreamingTrial);
const timestamp = instant('when it was sent');
const reason = Type.Enum(['too_old', 'unknown_position'], {
  description: 'missed changes are no longer in the log, or the position is not of this log',
});

export const OddsDelta = strict(
  {
    id: Type.String({ description: 'id of the row it belongs to' }),
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    line: orNull(Type.Number()),
    is_live: Type.Boolean(),
    odds_changed_at: changedAt,
    is_active: isActive,
    indicative: isIndicative,
    is_main_line: isMainLine,
    is_stale_pregame_price: isStalePregame,
    odds_american_previous: previousAmerican,
    depth,
  },
  'what moved of one row; merge it by id',
);
export type OddsDelta = Static<typeof OddsDelta>;

export const GameStateNews = strict(
  {
    event_id: eventId,
    ...gameFields,
    start_time: instant('scheduled start'),
    status: Type.Enum([...EVENT_STATUSES]),
    is_live: Type.Boolean({ description: 'false: the game has ended, or its live state was withdrawn' }),
    game_state: orNull(GameState),
  },
  'score and progress of one game; replaces the last of the same event_id',
);
export type GameStateNews = Static<typeof GameStateNews>;

const OPPORTUNITIES = [
  { ...KIND_WORDS.ev, item: EvOpportunity },
  { ...KIND_WORDS.arbitrage, item: ArbitrageOpportunity },
  { ...KIND_WORDS.middle, item: MiddleOpportunity },
  { ...KIND_WORDS.low_hold, item: LowHoldOpportunity },
  { ...KIND_WORDS.move, item: Move },
] as const;

/** Items sent whole: each replaces the last of the same id. */
const KEYED_ITEMS: Readonly<Record<KeyedName, TSchema>> = {
  gamestate: GameStateNews,
  results: Result,
  filled: AccountBet,
  graded: AccountBet,
};
/** Of each kind of them, its event's shape by its name. */
const keyed = (shape: (type: string, properties: TProperties) => TSchema) =>
  Object.fromEntries(
    KEYED_NAMES.flatMap((name) => {
      const { event, snapshot, removed } = keyedWords(name);
      const data = { data: Type.Array(KEYED_ITEMS[name]), count };
      return [
        ...[event, snapshot].flatMap((type) => (type === undefined ? [] : [[type, shape(type, data)]])),
        ...(removed === undefined ? [] : [[removed, shape(removed, { ids, count })]]),
      ];
    }),
  );

const complete = {
  books: Type.Array(bookId, { description: "the caller's books that have rows at all, whatever the other filters" }),
  total_odds: Type.Integer({ minimum: 0, description: 'rows the client now has' }),
};

/** Data of server-sent events by event name. */
export const SSE_EVENTS: Readonly<Record<string, TSchema>> = {
  connected: strict({
    stream_id: Type.String(),
    channel: Type.Enum([...CHANNEL_WORDS]),
    filters: strict({
      sportsbook: names,
      sport: names,
      league: names,
      event: names,
      market: names,
      is_main_line: Type.Optional(Type.Boolean()),
      is_stale_pregame_price: Type.Optional(Type.Boolean()),
    }),
    reconnected: Type.Boolean({
      description: 'Last-Event-ID was sent; unless resumed is true, discard the previous state',
    }),
    position: position('position in the change log the stream starts from'),
    epoch: Type.String({ description: 'identifies the data directory' }),
    resumed: Type.Boolean({ description: 'missed changes follow instead of a snapshot' }),
    trial,
  }),
  snapshot_required: strict({ reason }),
  snapshot: strict({
    odds: Type.Array(Odds, { maxItems: 1000 }),
    count,
    total: Type.Integer({ minimum: 0, description: 'rows of the whole snapshot' }),
    offset: Type.Integer({ minimum: 0 }),
    has_more: Type.Boolean(),
  }),
  'snapshot:complete': strict({ status: Type.Literal('ready'), ...complete }),
  'odds:update': strict({
    odds: Type.Array(OddsDelta),
    count,
    book: bookId,
    partial: Type.Boolean({ description: 'more events of this book follow' }),
  }),
  'odds:added': strict({ odds: Type.Array(Odds), count, book: bookId }),
  'odds:removed': strict({ ids, count, book: bookId }),
  'odds:locked': strict({ ids: lockedIds, count, book: bookId }),
  ...Object.fromEntries(
    OPPORTUNITIES.flatMap(({ prefix, item }) => [
      [`${prefix}:detected`, Type.Array(item, { description: 'new or changed: upsert by id' })],
      [`${prefix}:expired`, strict({ expired: ids, timestamp })],
    ]),
  ),
  ...keyed((_type, properties) => strict(properties)),
  heartbeat: strict({ timestamp }),
  error: strict({ code, message: Type.String() }),
};

const seq = Type.Integer({ minimum: 1, description: 'number within the connection, without gaps' });
const globalSeq = position(
  'position in the change log up to which the client is complete once it has applied this frame, for from_seq; 0 from a fresh ' +
    'start to snapshot:complete: forget the one you had. Else it never falls',
);
const replay = Type.Optional(Type.Literal(true, { description: 'missed change, sent because of from_seq' }));
const id = Type.Optional(Type.Union([Type.String(), Type.Number()], { description: 'id of the message it answers' }));

const frame = <T extends TProperties>(type: string, properties: T) =>
  strict({ seq, type: Type.Literal(type), ...properties });
const news = <T extends TProperties>(type: string, properties: T) =>
  frame(type, { global_seq: globalSeq, replay, ...properties });

/** WebSocket frames by type, in JSON or, the same maps, in MessagePack. */
export const WS_FRAMES: Readonly<Record<string, TSchema>> = {
  connected: frame('connected', {
    stream_id: Type.String(),
    protocol: Type.Literal(PROTOCOL_VERSION, { description: 'version of these frames' }),
    position: position('position of the newest change'),
    epoch: Type.String({ description: 'identifies the data directory' }),
    trial,
  }),
  subscribed: frame('subscribed', {
    id,
    global_seq: globalSeq,
    channels: Type.Array(Type.Enum([...CHANNEL_NAMES]), { description: 'empty after unsubscribe' }),
    filters: SubscribeFilters,
    position: Type.Optional(position('position in the change log the subscription starts from')),
    resumed: Type.Boolean({ description: 'true: missed changes follow; false: discard the previous state' }),
  }),
  snapshot_required: frame('snapshot_required', { global_seq: globalSeq, reason }),
  initial: frame('initial', {
    global_seq: globalSeq,
    source: bookId,
    data: Type.Array(Odds, { maxItems: 1000 }),
    count,
  }),
  opportunities_snapshot: frame('opportunities_snapshot', {
    global_seq: globalSeq,
    ...Object.fromEntries(
      OPPORTUNITIES.map(({ channel, item }) => [channel, Type.Optional(Type.Array(item, { maxItems: 1000 }))]),
    ),
    count,
  }),
  'snapshot:complete': frame('snapshot:complete', { global_seq: globalSeq, ...complete, resumed: Type.Boolean() }),
  'odds:update': news('odds:update', { source: bookId, data: Type.Array(OddsDelta), count }),
  'odds:added': news('odds:added', { source: bookId, data: Type.Array(Odds), count }),
  'odds:removed': news('odds:removed', { source: bookId, ids, count }),
  'odds:locked': news('odds:locked', { source: bookId, ids: lockedIds, count, book: bookId }),
  ...Object.fromEntries(
    OPPORTUNITIES.flatMap(({ prefix, item }) => [
      [`${prefix}:detected`, news(`${prefix}:detected`, { data: Type.Array(item), count })],
      [`${prefix}:expired`, news(`${prefix}:expired`, { expired: ids, count, timestamp })],
    ]),
  ),
  ...keyed((type, properties) => news(type, properties)),
  heartbeat: frame('heartbeat', { timestamp, global_seq: Type.Optional(globalSeq) }),
  pong: frame('pong', { id, timestamp }),
  error: frame('error', { code, message: Type.String(), id }),
};

/** Shapes that REST returns too: frames refer to them. */
export const SHARED_ITEMS: Readonly<Record<string, TSchema>> = {
  Odds,
  EvOpportunity,
  ArbitrageOpportunity,
  MiddleOpportunity,
  LowHoldOpportunity,
  Move,
  GameState,
  Result,
};
