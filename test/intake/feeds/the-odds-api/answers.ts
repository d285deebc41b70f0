// Answers in the shape of The Odds API v4, with invented teams, for the tests of the adapter.

import { mapPoll } from '../../../../src/intake/feeds/the-odds-api/mapper.js';
import type { LeagueLookup } from '../../../../src/intake/feeds/the-odds-api/payload.js';
import type { IngestMarket } from '../../../../src/intake/ingest/message.js';

export const POLLED_AT = '2026-05-02T18:00:00.500Z';

export const LEAGUES: LeagueLookup = {
  leagueOf: (key) =>
    ({
      baseball_mlb: { id: 'mlb', sport: 'baseball' },
      baseball_mlb_preseason: { id: 'mlb', sport: 'baseball' },
      icehockey_nhl: { id: 'nhl', sport: 'hockey' },
      basketball_nba: { id: 'nba', sport: 'basketball' },
      soccer_epl: { id: 'epl', sport: 'soccer' },
    })[key],
};

export function market(key: string, outcomes: unknown, more: object = {}): object {
  return { key, last_update: '2026-05-02T17:59:50Z', outcomes, ...more };
}

export function bookmaker(key: string, markets: unknown, more: object = {}): object {
  return { key, title: key, last_update: '2026-05-02T17:59:40Z', markets, ...more };
}

export function event(id: string, bookmakers: unknown, more: object = {}): object {
  return {
    id,
    sport_key: 'baseball_mlb',
    sport_title: 'MLB',
    commence_time: '2026-05-02T20:05:00Z',
    home_team: 'River City Herons',
    away_team: 'Port Vale Otters',
    bookmakers,
    ...more,
  };
}

/** A moneyline of both teams. */
export function h2h(home: unknown, away: unknown): object {
  return market('h2h', [
    { name: 'River City Herons', price: home },
    { name: 'Port Vale Otters', price: away },
  ]);
}

export function mapEvents(events: unknown, complete = true) {
  return mapPoll({ events, polledAt: POLLED_AT, complete }, LEAGUES);
}

/** The markets of one book at one event of `sport`. */
export function marketsOf(markets: unknown, more: object = {}): { markets: IngestMarket[]; reasons: string[] } {
  const { messages, skipped } = mapEvents([event('e1', [bookmaker('fanduel', markets)], more)]);
  return { markets: messages[0]?.events?.[0]?.markets ?? [], reasons: skipped.map((part) => part.reason) };
}
