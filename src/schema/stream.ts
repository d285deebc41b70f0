// What streams are asked for: parameters of SSE, parameters and messages of WebSocket clients.

import type { Static } from 'typebox';
import { Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { CHANNEL_WORDS } from '../base/model/stream-channels.js';
import * as filters from './parameters.js';

export const Channel = Type.Enum([...CHANNEL_WORDS], {
  description:
    'opportunities: ev, arbitrage, middles and low_hold; all: those and odds; of both, what the caller may see',
});

export const StreamFilters = {
  sport: filters.sport,
  league: filters.league,
  market: filters.market,
  sportsbook: filters.sportsbook,
  is_main_line: filters.isMainLine,
  is_stale_pregame_price: filters.isStalePregame,
  min_ev: Type.Number({ default: 2, description: 'lowest EV in percent, for ev:detected' }),
  min_profit: Type.Number({ default: 0.5, description: 'lowest profit in percent, for arb:detected' }),
  max_hold: Type.Number({ default: 5, description: 'highest hold in percent, for low_hold:detected' }),
  min_size: Type.Number({ default: 0.5, description: 'smallest middle, for middles:detected' }),
  ...filters.staked,
  devig_book: filters.devigBook,
  state: filters.state,
  include: filters.include,
  max_hz: filters.maxHz,
  resume: Type.Boolean({
    default: false,
    description: 'with Last-Event-ID: sends missed changes instead of a new snapshot',
  }),
};

export const StreamQuery = Type.Object({
  channel: Type.Optional(Channel),
  event: filters.event,
  ...StreamFilters,
});

export const EventStreamQuery = Type.Object(StreamFilters);

const POSITION_BOUNDS = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };

export const WsQuery = Type.Object({
  channels: filters.text(`channels, comma-separated: ${CHANNEL_WORDS.join(', ')}`),
  event: filters.event,
  ...StreamFilters,
  // Without defaults here: the filters are echoed as requested.
  min_ev: Type.Optional(Type.Number()),
  min_profit: Type.Optional(Type.Number()),
  max_hold: Type.Optional(Type.Number()),
  min_size: Type.Optional(Type.Number()),
  // Read as text: it has more digits than numbers in a query may have.
  from_seq: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,16}$',
      description: 'with resume: the last global_seq that the client has; later changes are replayed',
    }),
  ),
});

/** Longer ids are invalid. */
export const ID_CHARS_MAX = LIMITS.messageId.max;

const names = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 1_000 });
const id = Type.Union([Type.String({ maxLength: ID_CHARS_MAX }), Type.Number()], {
  description: 'chosen by the client; repeated in the answer',
});

export const SubscribeFilters = Type.Object(
  {
    sports: Type.Optional(names),
    leagues: Type.Optional(names),
    sportsbooks: Type.Optional(names),
    markets: Type.Optional(names),
    eventIds: Type.Optional(names),
    is_main_line: filters.isMainLine,
    is_stale_pregame_price: filters.isStalePregame,
    min_ev: Type.Optional(Type.Number()),
    min_profit: Type.Optional(Type.Number()),
    max_hold: Type.Optional(Type.Number()),
    min_size: Type.Optional(Type.Number()),
    devig_book: filters.devigBook,
    ...filters.staked,
    max_hz: filters.maxHz,
    state: filters.state,
    include: filters.include,
  },
  {
    description:
      'omitted filters do not restrict; singular names (league), and event, events, event_id, are accepted, a list may ' +
      'be one string with commas, and an unknown name is refused',
  },
);

export const SubscribeMessage = Type.Object({
  type: Type.Literal('subscribe'),
  id: Type.Optional(id),
  channels: Type.Array(Channel, {
    minItems: 1,
    maxItems: 20,
    description: 'replaces the previous subscription',
  }),
  filters: Type.Optional(SubscribeFilters),
  from_seq: Type.Optional(Type.Integer(POSITION_BOUNDS)),
});

export const UnsubscribeMessage = Type.Object({ type: Type.Literal('unsubscribe'), id: Type.Optional(id) });

export const PingMessage = Type.Object({ type: Type.Literal('ping'), id: Type.Optional(id) });

export const ClientMessage = Type.Union([SubscribeMessage, UnsubscribeMessage, PingMessage]);

export type ClientMessage = Static<typeof ClientMessage>;
export type SubscribeFilters = Static<typeof SubscribeFilters>;
