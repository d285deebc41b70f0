// Rows as CSV (RFC 4180) for spreadsheets, which must not run any text as a formula: selections and names come from books,
// and so may be anything.

import { stringify } from 'csv-stringify/sync';
import type { TSchema } from 'typebox';
import { escapeFormulas } from '../base/model/formula-text.js';
import { words } from '../base/model/words.js';

export type CsvRow = Readonly<Record<string, unknown>>;

/** A field of the rows, or one within an object of theirs, with its header. */
export type CsvColumn = string | { key: string; header: string };

/** What of a JSON schema says which columns its objects have. */
interface Fields {
  properties?: Readonly<Record<string, Fields>>;
  anyOf?: readonly Fields[];
}

/** All fields of a schema's objects; those of an object within them have columns of their own: `total_line`. */
export function columnsOf(schema: TSchema): CsvColumn[] {
  return fieldPaths(schema as Fields).map((path) =>
    path.includes('.') ? { key: path, header: path.replaceAll('.', '_') } : path,
  );
}

function fieldPaths(schema: Fields): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    // Null, or the object.
    const within = [field, ...(field.anyOf ?? [])].flatMap(fieldPaths);
    return within.length === 0 ? [name] : within.map((path) => `${name}.${path}`);
  });
}

/**
 * A table; fields that a row lacks stay empty, numbers stay numbers. A list of words has semicolons between them; what
 * has no columns of its own is JSON.
 * @param header false for the rows that follow a table's first ones
 */
export function toCsv(columns: readonly CsvColumn[], rows: readonly CsvRow[], header = true): Buffer {
  const text = stringify(rows as CsvRow[], {
    header,
    columns: [...columns],
    record_delimiter: 'windows',
    // By itself it quotes whole record delimiters alone.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => String(value), string: escapeFormulas, object: cellOf },
  });
  return Buffer.from(text);
}

function cellOf(value: object): string {
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return escapeFormulas(isPlain ? value.join(';') : JSON.stringify(value));
}

const SELECTION_COLUMNS = words('market_type player_name stat_category team_name selection selection_type line');

export const ODDS_COLUMNS = words(`
  id event_id event_start_time sport league home_team away_team is_live status sportsbook sportsbook_name
  ${SELECTION_COLUMNS.join(' ')} is_alternate_line is_main_line odds_american odds_decimal odds_probability
  is_active indicative is_stale_pregame_price odds_american_previous last_seen_at timestamp odds_changed_at max_bet
  public_bet_pct size volume_24h open_interest exchange_token_id external_event_id market_id selection_id deep_link
  currency commission
`);

/** Added with `include=opening`. */
export const OPENING_COLUMNS: readonly CsvColumn[] = ['odds_american', 'odds_decimal', 'line', 'at', 'indicative'].map(
  (field) => ({ key: `opening.${field}`, header: `opening_${field}` }),
);

export const BEST_COLUMNS = words(`
  event_id start_time sport league home_team away_team is_live ${SELECTION_COLUMNS.join(' ')} best_book
  odds_american odds_decimal odds_probability book_count last_seen_at
`);
