// Opportunities as lines of CSV: legs and sides in columns of their own.
import type { OpportunityKind } from '../model/opportunity.js';
import type { ServedOpportunity } from './serve.js';

const EVENT = 'id event_id event_name sport league home_team away_team start_time is_live market_type';
const PROP = 'is_player_prop player_name stat_category is_alternate_line possibly_stale';

const each = (prefixes: readonly string[], names: string): string =>
  prefixes.map((prefix) => names.replace(/\S+/g, `${prefix}.$&`)).join(' ');

const LEG =
  'sportsbook selection selection_type line odds_american odds_decimal odds_decimal_net stake_percent odds_id last_seen_at deep_link';
const MIDDLE_SIDE =
  'book selection line odds.american odds.decimal odds.decimal_net odds.fair_probability stake_percent odds_age_seconds deep_link';
const HOLD_SIDE = 'selection line books odds.american odds.decimal odds.decimal_net odds.fair_probability';

const COLUMNS: Record<OpportunityKind, readonly string[]> = {
  ev: `${EVENT} selection line sportsbook odds_american odds_decimal odds_decimal_net ev_percentage fair_probability no_vig_odds kelly_percent confidence_score book_count market_width devig_method sharp_book odds_id deep_link arb_available arb_profit ${PROP} oldest_odds_age_seconds warnings detected_at`.split(
    ' ',
  ),
  arbitrage:
    `${EVENT} line profit_percent implied_total ${each(['legs.0', 'legs.1', 'legs.2'], LEG)} ${PROP} oldest_odds_age_seconds warnings detected_at`.split(
      ' ',
    ),
  middle:
    `${EVENT} ${each(['side1', 'side2'], MIDDLE_SIDE)} middle_size middle_numbers middle_probability expected_value worst_case_loss best_case_profit break_even_percent is_guaranteed_profit key_numbers quality_score ${PROP} oldest_odds_age_seconds warnings detected_at`.split(
      ' ',
    ),
  move: `id kind direction event_id event_name sport league home_team away_team start_time is_live market_type player_name stat_category team_name selection selection_type line_from line_to probability_from probability_to ${each(['books.0', 'books.1', 'books.2'], 'book from to at')} ${each(['laggards.0', 'laggards.1', 'laggards.2'], 'book odds odds_decimal line edge_percent odds_id')} started_at last_moved_at detected_at`.split(
    ' ',
  ),
  low_hold:
    `${EVENT} line hold_percentage ${each(['side1', 'side2', 'side3'], HOLD_SIDE)} all_books confidence ${PROP} odds_age_seconds warnings detected_at`.split(
      ' ',
    ),
};

/** Names of the columns of a kind. */
export function csvColumns(kind: OpportunityKind): string[] {
  return COLUMNS[kind].map(columnName);
}

/** An item as a line: lists are joined by semicolons. */
export function csvRow(kind: OpportunityKind, item: ServedOpportunity): Record<string, unknown> {
  return Object.fromEntries(COLUMNS[kind].map((path) => [columnName(path), flat(valueAt(item, path))]));
}

function columnName(path: string): string {
  return path
    .replace(/^(leg|book|laggard)s\.(\d)/, (_, name, place) => `${name}${Number(place) + 1}`)
    .replaceAll('.', '_');
}

function valueAt(item: ServedOpportunity, path: string): unknown {
  let value: unknown = item;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}

function flat(value: unknown): unknown {
  return Array.isArray(value) ? value.join(';') : value;
}
