// Raw messages as a book would push them, with only what a test wants different.

import type { Clock } from '../../../src/base/model/clock.js';
import type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from '../../../src/intake/ingest/message.js';

/** Later than every message, for tests that set the time of each batch themselves. */
export const latest: Clock = { now: () => Date.parse('2099-01-01T00:00:00Z') };

export function selection(fields: Partial<Record<keyof IngestSelection, unknown>> = {}): IngestSelection {
  return {
    selection: 'Lakers',
    selection_type: 'home',
    ...(fields['odds_decimal'] === undefined ? { odds_american: -110 } : {}),
    ...fields,
  } as IngestSelection;
}

export function market(
  selections: readonly unknown[],
  fields: Partial<Record<keyof IngestMarket, unknown>> = {},
): IngestMarket {
  return { market_type: 'moneyline', selections, ...fields } as IngestMarket;
}

export function event(
  markets: readonly unknown[],
  fields: Partial<Record<keyof IngestEvent, unknown>> = {},
): IngestEvent {
  return {
    league: 'nba',
    home_team: 'Los Angeles Lakers',
    away_team: 'Boston Celtics',
    start_time: '2026-11-20T20:00:00Z',
    markets,
    ...fields,
  } as IngestEvent;
}

export function message(
  events: readonly unknown[],
  fields: Partial<Record<keyof IngestMessage, unknown>> = {},
): IngestMessage {
  return { book: 'draftkings', polled_at: '2026-11-20T18:00:00Z', scope: 'event', events, ...fields } as IngestMessage;
}

/** Home and away at American prices. */
export function moneyline(home: unknown, away: unknown): IngestMarket {
  return market([
    selection({ selection: 'Home', selection_type: 'home', odds_american: home }),
    selection({ selection: 'Away', selection_type: 'away', odds_american: away }),
  ]);
}

/** Over and under of one number. */
export function total(line: number, over: unknown, under: unknown, alternate = false): IngestMarket {
  const side = (type: string, price: unknown) =>
    selection({ selection: type, selection_type: type, line, odds_american: price, is_alternate_line: alternate });
  return market([side('over', over), side('under', under)], { market_type: 'total_points' });
}

/** Home at `line`, away at its opposite. */
export function spread(line: number, home: unknown, away: unknown): IngestMarket {
  return market(
    [
      selection({ selection: 'Home', selection_type: 'home', line, odds_american: home }),
      selection({ selection: 'Away', selection_type: 'away', line: -line, odds_american: away }),
    ],
    { market_type: 'point_spread' },
  );
}
