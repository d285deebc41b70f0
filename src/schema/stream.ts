// Parameters of the SSE stream.

import { Type } from '../base/model/json-schema.js';
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
