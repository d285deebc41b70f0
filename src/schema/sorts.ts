// Sort orders of lists, by name. Synonyms stand side by side, so that names used by other services' clients work here.
// A leading `-` reverses every order: highest, latest or last in the alphabet first.

const START = ['start_time', 'time', 'event_start_time'] as const;
const SEEN = ['last_seen_at', 'timestamp'] as const;
const PRICE = ['odds', 'odds_decimal', 'odds_american'] as const;
const CHANCE = ['odds_probability', 'probability'] as const;
const NAMES = ['sport', 'league'] as const;

/** The fields rows are compared by, with their synonyms; the first is the field of a row. */
export const ROW_SORTS = {
  odds_american: ['odds_american'],
  odds_decimal: ['odds_decimal', 'odds'],
  odds_probability: CHANCE,
  event_start_time: ['event_start_time', 'start_time', 'time'],
  last_seen_at: SEEN,
  sportsbook: ['sportsbook'],
  league: ['league'],
  sport: ['sport'],
} as const;
export type RowSort = keyof typeof ROW_SORTS;

export const EVENT_SORTS = [...START, ...NAMES] as const;

const COMMON = [...START, ...NAMES, 'market', ...PRICE, ...CHANCE, ...SEEN] as const;

/** For opportunities, by kind: the kind's own orders, and those of every kind. */
export const OPPORTUNITY_SORTS = {
  ev: ['ev', 'profit', 'confidence', 'quality', 'kelly', 'book_count', ...COMMON],
  arbitrage: ['profit', 'ev', ...COMMON],
  middle: ['quality', 'ev', 'profit', 'middle_size', ...COMMON],
  low_hold: ['hold', 'confidence', 'quality', ...COMMON],
  move: ['detected_at', 'last_moved_at', 'timestamp', 'edge', 'book_count', ...START, ...NAMES, 'market'],
} as const;
export type OpportunitySort = { [Kind in keyof typeof OPPORTUNITY_SORTS]: (typeof OPPORTUNITY_SORTS)[Kind][number] };

/** With and without a leading `-`. */
export function bothWays<Name extends string>(names: readonly Name[]): (Name | `-${Name}`)[] {
  return names.flatMap((name) => [name, `-${name}` as const]);
}
