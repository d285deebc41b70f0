// Rows in the server's form, for tests of the dashboard's models.
import type { OddsRow } from '../../src/client/client.js';

export const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

export function row(given: Partial<OddsRow> & { sportsbook: string; odds_decimal: number }): OddsRow {
  const { odds_decimal } = given;
  const market = given.market_type ?? 'moneyline';
  const side = given.selection_type ?? 'home';
  const at = new Date(NOW_MS - 10_000).toISOString();
  return {
    id: [given.sportsbook, market, side, given.line ?? '', given.is_alternate_line ? 'alternate' : ''].join('-'),
    sportsbook_name: given.sportsbook,
    currency: 'USD',
    event_id: 'nba_lakers_celtics_2026-11-20',
    sport: 'basketball',
    league: 'nba',
    home_team: 'Los Angeles Lakers',
    away_team: 'Boston Celtics',
    market_type: market,
    selection: { home: 'Los Angeles Lakers', away: 'Boston Celtics', over: 'Over', under: 'Under' }[side] ?? side,
    selection_type: side,
    is_alternate_line: false,
    is_main_line: true,
    odds_american: odds_decimal >= 2 ? Math.round((odds_decimal - 1) * 100) : Math.round(-100 / (odds_decimal - 1)),
    odds_probability: 1 / odds_decimal,
    probability: 1 / odds_decimal,
    line: null,
    is_live: false,
    odds_changed_at: at,
    is_active: true,
    odds_american_previous: null,
    last_seen_at: at,
    timestamp: at,
    event_start_time: new Date(NOW_MS + 3_600_000).toISOString(),
    status: 'upcoming',
    deep_link: null,
    ...given,
  };
}
