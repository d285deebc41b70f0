// The text of parts that several tools show: an event's time, an outcome, a price, a side of a bet.
import {
  american,
  below,
  booksOf,
  field,
  flag,
  joined,
  type Line,
  labelled,
  off,
  percent,
  score,
  signed,
} from './readable.js';

export const market = joined(' ', field('market_type'), field('player_name'), field('team_name'));
export const what = joined(' ', market, field('selection'), field('line'));
export const when = joined(' ', field('start_time'), flag('is_live', 'live'), score);
export const row = (...parts: Line[]) => joined(' · ', ...parts);
const price = joined(' ', american('odds_american'), off);
/** For the tools that take an event id. */
export const event = labelled('event_id', 'event');
export const oddsRow = row(
  field('event_id'),
  what,
  field('sportsbook'),
  price,
  flag('is_live', 'live'),
  labelled('odds_american_previous', 'was', signed),
  labelled('id', 'id'),
);
/** Rows of get_odds, also those under their event with group_by. */
export const oddsLines = (item: unknown): (string | undefined)[] => {
  const rows = below(item, 'odds');
  return rows === undefined ? [oddsRow(item)] : [grouped(item), ...rows.map(groupedRow)];
};
const grouped = row(field('event_id'), field('event_name'), when);
const groupedRow = joined(' ', () => '-', what, field('sportsbook'), price);
const comparedMarket = row(market, percent('hold.best_available', 'hold of the best prices'));
const comparedSelection = joined(
  ' ',
  field('selection', (value) => `- ${value}`),
  field('line'),
  booksOf('books'),
);
export const comparedLines = (item: unknown): (string | undefined)[] => [
  comparedMarket(item),
  ...(below(item, 'selections') ?? []).map(comparedSelection),
];
export const side = (name: string, books: string) =>
  joined(
    ' ',
    field(`${name}.selection`),
    field(`${name}.line`),
    american(`${name}.odds.american`),
    labelled(`${name}.${books}`, 'at'),
  );

export function warnings(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > 0 ? value.join(' ') : undefined;
}
