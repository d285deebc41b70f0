// Which rows a request is about: the caller's universe and the filters that every odds endpoint shares.

import { isActive, isPregamePrice } from '../../base/model/activity.js';
import { decimalFromAmerican } from '../../base/model/price.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { isMainLine } from '../columns.js';
import { compareEvents, type TableEvent } from '../events.js';
import type { OddsTable } from '../table.js';
import { eventSearch, type SearchParams } from './event-search.js';
import {
  namesOf,
  type RequestedNames,
  requestedLeagues,
  requestedMarkets,
  requestedSports,
} from './requested-names.js';
import type { StreamParams } from './stream-filter.js';
import { booksIn, NameSet, splitList, type Universe } from './universe.js';

export interface FilterParams extends SearchParams, StreamParams {
  live?: boolean | undefined;
  /** False: only suspended rows. */
  is_active?: boolean | undefined;
  /** False: only the others. */
  is_main_line?: boolean | undefined;
  /** True: only rows of games in play whose price has not moved since the start. */
  is_stale_pregame_price?: boolean | undefined;
  min_odds?: number | undefined;
  max_odds?: number | undefined;
}

export class RowFilter {
  readonly universe: Universe;
  readonly events: readonly string[] | null;
  /** Names that neither table nor catalogue know, for `meta.unknown`. */
  readonly unknown: string[];
  readonly live: boolean | null;
  readonly active: boolean | null;
  readonly #main: boolean | null;
  readonly #pregame: boolean | null;
  /** Ids, as the next; null means all. */
  readonly sports: ReadonlySet<string> | null;
  readonly leagues: ReadonlySet<string> | null;
  readonly #table: OddsTable;
  readonly #books: NameSet;
  readonly #markets: NameSet | null;
  readonly #marketTest: ((market: string) => boolean) | null;
  readonly #minDecimal: number;
  readonly #maxDecimal: number;
  readonly #bounded: boolean;
  readonly #search: ((event: TableEvent) => boolean) | null;

  constructor(table: OddsTable, catalogue: Catalogue, universe: Universe, params: FilterParams) {
    this.#table = table;
    this.universe = universe;
    this.unknown = [...universe.unknown];
    this.#books = booksIn(universe, table.books);
    this.live = params.live ?? null;
    this.active = params.is_active ?? null;
    this.#main = params.is_main_line ?? null;
    this.#pregame = params.is_stale_pregame_price ?? null;
    this.events = params.event === undefined ? null : [...new Set(splitList(params.event))];
    const known = namesOf(table);
    this.leagues = this.#known(requestedLeagues(catalogue, known, params.league));
    this.sports = this.#known(requestedSports(catalogue, known, params.sport));
    this.#marketTest = this.#requestedMarkets(catalogue, params.market);
    this.#markets = this.#marketTest === null ? null : new NameSet(table.markets, this.#marketTest);
    this.#search = eventSearch(catalogue, params);
    [this.#minDecimal, this.#maxDecimal] = decimalBounds(params.min_odds, params.max_odds);
    this.#bounded = this.#minDecimal !== 0 || this.#maxDecimal !== Number.POSITIVE_INFINITY;
  }

  /** True if every row passes whose event and book pass. */
  get wholeBooks(): boolean {
    return this.#markets === null && this.#main === null && !this.dependsOnPrices;
  }

  /**
   * True if it depends on prices, or on whether they can be bet, so that a count is valid only until the next change.
   */
  get dependsOnPrices(): boolean {
    return this.active !== null || this.#pregame !== null || this.#bounded;
  }

  hasBook(book: number): boolean {
    return this.#books.has(book);
  }

  hasMarket(market: number): boolean {
    return this.#markets === null || this.#markets.has(market);
  }

  /** Whether a type passes that no row may have any more. */
  hasMarketName(market: string): boolean {
    return this.#marketTest === null || this.#marketTest(market);
  }

  /** True if events are searched for by day, teams or words. */
  get searches(): boolean {
    return this.#search !== null;
  }

  /** Whether the event passes, apart from the search: that needs the event itself. */
  hasEvent(event: Pick<TableEvent, 'id' | 'sport' | 'league' | 'live'>): boolean {
    return (
      (this.live === null || event.live === this.live) &&
      (this.leagues === null || this.leagues.has(event.league)) &&
      (this.sports === null || this.sports.has(event.sport)) &&
      (this.events === null || this.events.includes(event.id))
    );
  }

  findsEvent(event: TableEvent): boolean {
    return this.hasEvent(event) && (this.#search === null || this.#search(event));
  }

  /** Whether a row of an event that passes, passes. */
  hasRow(slot: number): boolean {
    const c = this.#table.columns;
    if (!this.#books.has(c.book[slot]!)) return false;
    if (this.#markets !== null && !this.#markets.has(c.market[slot]!)) return false;
    if (this.active !== null && isActive(c.activity[slot]!) !== this.active) return false;
    if (this.#main !== null && isMainLine(c, slot) !== this.#main) return false;
    if (this.#pregame !== null && isPregamePrice(c.activity[slot]!) !== this.#pregame) return false;
    if (!this.#bounded) return true;
    const decimal = c.decimal[slot]!;
    return decimal >= this.#minDecimal && decimal <= this.#maxDecimal;
  }

  /** Events that pass, by start and id. */
  matchingEvents(): Iterable<TableEvent> {
    if (this.events === null) return this.#foundEvents();
    const found: TableEvent[] = [];
    for (const id of this.events) {
      const event = this.#table.events.get(id);
      if (event !== undefined && this.findsEvent(event)) found.push(event);
    }
    return found.length > 1 ? found.sort(compareEvents) : found;
  }

  *#foundEvents(): Iterable<TableEvent> {
    for (const event of this.#table.events.ordered()) if (this.findsEvent(event)) yield event;
  }

  #requestedMarkets(catalogue: Catalogue, market: string | undefined): ((type: string) => boolean) | null {
    if (market === undefined) return null;
    const { has, unknown } = requestedMarkets(catalogue, this.#table, market);
    this.unknown.push(...unknown);
    return has;
  }

  #known({ ids, unknown }: RequestedNames): ReadonlySet<string> | null {
    this.unknown.push(...unknown);
    return ids;
  }
}

/**
 * American bounds as decimal ones: prices compare on the decimal axis alone, where -100 and +100 are equal. A bound
 * between -100 and +100 is not a price; it separates favourites from underdogs.
 */
export function decimalBounds(min: number | undefined, max: number | undefined): [number, number] {
  const slack = 1e-9;
  const lower = min === undefined ? 0 : Math.abs(min) < 100 ? 2 - slack : decimalFromAmerican(min) - slack;
  const upper =
    max === undefined ? Number.POSITIVE_INFINITY : Math.abs(max) < 100 ? 2 - slack : decimalFromAmerican(max) + slack;
  return [Number.isNaN(lower) ? 0 : lower, Number.isNaN(upper) ? Number.POSITIVE_INFINITY : upper];
}
