// The answers that need to look inside encoded rows: chosen fields, rows grouped by event, links for another state.
import type { Catalogue } from '../catalogue/catalogue.js';
import { ApiError } from '../errors.js';
import { formatMs } from '../ingest/time.js';
import type { OddsTable } from '../table/table.js';

export type OddsObject = Record<string, unknown>;

/** Fields an odds item may have. */
export const ODDS_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'sportsbook',
  'event_id',
  'sport',
  'league',
  'home_team',
  'away_team',
  'market_type',
  'selection',
  'selection_type',
  'player_name',
  'stat_category',
  'team',
  'team_name',
  'is_alternate_line',
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'probability',
  'line',
  'is_live',
  'odds_changed_at',
  'last_seen_at',
  'event_start_time',
  'status',
  'deep_link',
  'public_bet_pct',
  'max_bet',
]);

export function pickFields(rows: readonly OddsObject[], fields: readonly string[]): OddsObject[] {
  for (const field of fields)
    if (!ODDS_FIELDS.has(field)) throw new ApiError('invalid_request', `fields: an odds item has no field ${field}`);
  return rows.map((row) => {
    const picked: OddsObject = {};
    for (const field of fields) if (row[field] !== undefined) picked[field] = row[field];
    return picked;
  });
}

/** The deep link for a US state, at the books whose links depend on it. */
export function withState(row: OddsObject, state: string, catalogue: Catalogue): OddsObject {
  const link = row['deep_link'];
  const book = catalogue.book(row['sportsbook'] as string);
  if (typeof link !== 'string' || book?.deepLink?.stateDependent !== true || !URL.canParse(link)) return row;
  const url = new URL(link);
  url.searchParams.set('state', state.toLowerCase());
  return { ...row, deep_link: url.toString() };
}

const GROUPED_FIELDS = [
  'id',
  'sportsbook',
  'market_type',
  'selection',
  'selection_type',
  'player_name',
  'stat_category',
  'team_name',
  'is_alternate_line',
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'probability',
  'line',
  'is_live',
  'last_seen_at',
  'odds_changed_at',
  'deep_link',
];

/** The rows of a page under their events, in the page's order; the page's limit counts rows. */
export function groupByEvent(table: OddsTable, slots: readonly number[], rows: readonly OddsObject[]): OddsObject[] {
  const groups = new Map<string, OddsObject & { odds: OddsObject[] }>();
  for (const [i, slot] of slots.entries()) {
    const event = table.eventOf(slot);
    let group = groups.get(event.id);
    if (group === undefined) {
      group = {
        event_id: event.id,
        event_name: event.name,
        sport: event.sport,
        league: event.league,
        start_time: formatMs(event.startMs),
        is_live: event.live,
        odds: [],
      };
      groups.set(event.id, group);
    }
    const item: OddsObject = {};
    for (const field of GROUPED_FIELDS) if (rows[i]![field] !== undefined) item[field] = rows[i]![field];
    group.odds.push(item);
  }
  return [...groups.values()];
}

/** An item of /events/{id}/odds: the price as an object. */
export function eventOdds(row: OddsObject): OddsObject {
  const { odds_american, odds_decimal, odds_probability, probability: _probability, ...rest } = row;
  return {
    ...rest,
    odds: {
      american: odds_american,
      decimal: odds_decimal,
      probability: odds_probability,
      odds_probability,
    },
  };
}
