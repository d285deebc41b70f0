// Rows as CSV (RFC 4180) for spreadsheets. Text that a spreadsheet would run as a formula is prefixed with an
// apostrophe: selections and names come from books, and so may be anything.
import { stringify } from 'csv-stringify/sync';

export type CsvRow = Readonly<Record<string, unknown>>;

/** A field of the rows, or one within an object of theirs, with its header. */
export type CsvColumn = string | { key: string; header: string };

/** A table with a header line; fields that a row lacks stay empty, numbers stay numbers. */
export function toCsv(columns: readonly CsvColumn[], rows: readonly CsvRow[]): Buffer {
  const text = stringify(rows as CsvRow[], {
    header: true,
    columns: [...columns],
    escape_formulas: true,
    record_delimiter: 'windows',
    cast: { boolean: (value) => String(value) },
  });
  return Buffer.from(text);
}

const SELECTION_COLUMNS = [
  'market_type',
  'player_name',
  'stat_category',
  'team_name',
  'selection',
  'selection_type',
  'line',
];

export const ODDS_COLUMNS = [
  'id',
  'event_id',
  'event_start_time',
  'sport',
  'league',
  'home_team',
  'away_team',
  'is_live',
  'status',
  'sportsbook',
  'sportsbook_name',
  ...SELECTION_COLUMNS,
  'is_alternate_line',
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'is_active',
  'odds_american_previous',
  'last_seen_at',
  'timestamp',
  'odds_changed_at',
  'max_bet',
  'public_bet_pct',
  'size',
  'volume_24h',
  'open_interest',
  'exchange_token_id',
  'deep_link',
];

/** Added with `include=opening`. */
export const OPENING_COLUMNS: readonly CsvColumn[] = ['odds_american', 'odds_decimal', 'line', 'at'].map((field) => ({
  key: `opening.${field}`,
  header: `opening_${field}`,
}));

export const BEST_COLUMNS = [
  'event_id',
  'start_time',
  'sport',
  'league',
  'home_team',
  'away_team',
  'is_live',
  ...SELECTION_COLUMNS,
  'best_book',
  'odds_american',
  'odds_decimal',
  'odds_probability',
  'book_count',
  'last_seen_at',
];
