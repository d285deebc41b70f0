// What a kind of opportunity is, beside how it is found: everything else is written once, over the table of kinds.

import type { DevigMethod } from '../../base/model/devig-method.js';
import type { GameState } from '../../base/model/game-state.js';
import type { Rates } from '../../base/model/money.js';
import type { OpportunityRecord } from '../../base/model/opportunity-record.js';
import type { Cap } from '../../base/model/stake-terms.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { Limits, Measured } from './caller-thresholds.js';
import type { MoneyFacts } from './money.js';
import type { Leg, Market } from './parts.js';

/** The compared value; scores depend on the time. */
export type SortKey = (opportunity: Opportunity, nowMs: number) => number | string;

/** What an item is composed of: its record, and the legs of its sides, each with those tied with it. */
export interface Composing {
  id: string;
  market: Market;
  sides: readonly (readonly Leg[])[];
  record: OpportunityRecord;
  /** Of quotes just seen. */
  score: number;
  method: DevigMethod;
  money: MoneyFacts;
  has(flag: number): boolean;
  bookOf(row: number): string | null;
}

/** What is known when an item is served. */
export interface Serving {
  nowMs: number;
  /** Seconds since its stalest price was seen. */
  age: number;
  possibly_stale: boolean;
  detected_at: string;
  /** As of now. */
  score: number;
  /** Unix ms, of the legs in their order. */
  seenMs: readonly number[];
  /** A link for the caller's state. */
  link(book: string, link: string | null): string | null;
  /** The event's present one; the given one if the event is not known. */
  gameState(known: GameState | null): GameState | null;
  /** The book's id of the event. */
  externalEventId(book: string): string | null;
}

export interface Kind<Item extends object = object> {
  /** Number of sides whose rows are legs; all by default. Of further rows the stalest one counts. */
  readonly legSides?: number;
  /** What the record has in place of rows: its market, its books, and when the last of them was seen (Unix ms). */
  readonly without?: {
    market(record: OpportunityRecord): string;
    books(record: OpportunityRecord): readonly string[];
    seenMs(record: OpportunityRecord): number;
  };
  /** Points between lines, number of books: as the kind counts; 0 by default. */
  size?(record: OpportunityRecord): number;
  compose(from: Composing): Item;
  /** Whether no result of a game that is played breaks it. */
  isSure(has: (flag: number) => boolean): boolean;
  /** For each currency the greatest total stake; by default nothing limits it. */
  caps?(sides: readonly (readonly Leg[])[], rates: Rates): readonly Cap[];
  /**
   * The fields that serving adds at the end, in their order. It copies the item, and adding fields to a copy takes ten
   * times as long as setting those it has.
   */
  readonly servedFields: object;
  serve(item: Item, serving: Serving): object;
  /** Whether it meets the limits with this edge (percent), possibly an earlier one; an unknown one (NaN) meets them. */
  meets(one: Measured, edge: number, limits: Limits): boolean;
  /** False if none meets them with any edge between two (percent, both included). */
  mayMeet(least: number, most: number, limits: Limits): boolean;
  /** Orders of its list by name (schema/parameters.ts). */
  readonly sorts: Readonly<Record<string, SortKey>>;
  /** Those that are best first with and without `-`: nobody wants the worst arbitrage. */
  readonly bestFirst: readonly string[];
  readonly defaultSort: string;
  /** The better one comes first among equals. */
  readonly better: { readonly key: SortKey; readonly descending: boolean };
  /** Paths of the columns of a line of CSV in the served item. */
  readonly csv: readonly string[];
  /** The link of its first leg or side at a book. */
  linkAt(item: Item, book: string): string | null;
}

export const edge: SortKey = (opportunity) => opportunity.edge;
const start: SortKey = (opportunity) => opportunity.startMs;
const seen: SortKey = (opportunity) => opportunity.oldestSeenMs;
const chance: SortKey = (opportunity) => 1 / longestPrice(opportunity);

/** For every kind: the start and the names. */
export const EVENT_SORTS = {
  start_time: start,
  time: start,
  event_start_time: start,
  sport: ({ sport }) => sport,
  league: ({ league }) => league,
  market: ({ market }) => market,
} satisfies Record<string, SortKey>;

/** For every kind with prices: also the longest price and its probability, and when its stalest price was seen. */
export const PRICE_SORTS = {
  ...EVENT_SORTS,
  odds: longestPrice,
  odds_decimal: longestPrice,
  odds_american: longestPrice,
  odds_probability: chance,
  probability: chance,
  last_seen_at: seen,
  timestamp: seen,
} satisfies Record<string, SortKey>;

export const EVENT_COLUMNS = 'id event_id event_name sport league home_team away_team start_time is_live market_type';
export const PROP_COLUMNS = 'is_player_prop player_name stat_category is_alternate_line possibly_stale';

/** Columns of each of several parts of an item. */
export function columnsOfEach(prefixes: readonly string[], names: string): string {
  return prefixes.map((prefix) => names.replace(/\S+/g, `${prefix}.$&`)).join(' ');
}

// The prices of an opportunity, as the books state them (decimal, before any commission).

/** Of the item itself, its legs or its sides, whichever it has; a move has none of its own. */
export function pricesOf({ item }: Pick<Opportunity, 'item'>): number[] {
  if ('legs' in item) return item.legs.map(({ odds_decimal }) => odds_decimal);
  if ('odds_decimal' in item) return [item.odds_decimal];
  if (!('side1' in item)) return [];
  const { side1, side2 } = item;
  const third = 'side3' in item ? item.side3 : null;
  return (third === null ? [side1, side2] : [side1, side2, third]).map(({ odds }) => odds.decimal);
}

function longestPrice(opportunity: Pick<Opportunity, 'item'>): number {
  return Math.max(...pricesOf(opportunity));
}
