// The filters of a stream's subscribers: books, sports, leagues, events, market types. Equal keys share one group.

import { grown } from '../../base/memory/grown.js';
import { isPregamePrice } from '../../base/model/activity.js';
import { ApiError } from '../../base/model/errors.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { ownName } from '../../rules/catalogue/private-book.js';
import type { Tier } from '../../rules/catalogue/types.js';
import { isMainLine } from '../columns.js';
import type { TableEvent } from '../events.js';
import type { OddsTable } from '../table.js';
import type { Tombstone } from '../tombstones.js';
import {
  namesOf,
  type RequestedNames,
  requestedLeagues,
  requestedMarkets,
  requestedSports,
} from './requested-names.js';
import { devigBookOf, judgedBy, NameSet, splitList, type Universe, universeOf } from './universe.js';

export interface StreamParams {
  sport?: string | undefined;
  league?: string | undefined;
  event?: string | undefined;
  market?: string | undefined;
  /** Whether the line is its book's main one. */
  is_main_line?: boolean | undefined;
  /** Whether the game is in play and the price has not moved since its start. */
  is_stale_pregame_price?: boolean | undefined;
}

/** The same as lists, as in WebSocket messages and alert rules; an empty list does not narrow. */
export interface FilterLists {
  sportsbooks?: readonly string[] | undefined;
  sports?: readonly string[] | undefined;
  leagues?: readonly string[] | undefined;
  eventIds?: readonly string[] | undefined;
  markets?: readonly string[] | undefined;
  is_main_line?: boolean | undefined;
  is_stale_pregame_price?: boolean | undefined;
  devig_book?: string | undefined;
}

/** The filters in effect, with aliases resolved: each null if it does not narrow, or a list. */
export interface FilterEcho {
  sportsbook: string[] | null;
  sport: string[] | null;
  league: string[] | null;
  event: string[] | null;
  market: string[] | null;
  is_main_line?: boolean;
  is_stale_pregame_price?: boolean;
}

/** Rows of the selection being built; most streams need few, and large memory for each would not be returned. */
let selected = new Uint32Array(4_096);

export class StreamFilter {
  readonly key: string;
  readonly universe: Universe;
  readonly applied: FilterEcho;
  #appliedText: string | undefined;
  readonly #table: OddsTable;
  readonly #books: NameSet;
  readonly #markets: NameSet | null;
  readonly #hasMarket: (name: string) => boolean;
  readonly #sports: ReadonlySet<string> | null;
  readonly #leagues: ReadonlySet<string> | null;
  readonly #events: ReadonlySet<string> | null;
  readonly #main: boolean | null;
  readonly #pregame: boolean | null;

  /** Throws invalid_request for an unknown sport, league, sportsbook or market type; an unknown event is waited for. */
  constructor(table: OddsTable, catalogue: Catalogue, universe: Universe, params: StreamParams) {
    if (universe.unknown.length > 0) refuse('sportsbook', universe.unknown);
    this.#table = table;
    this.universe = universe;
    this.#books = new NameSet(table.books, (book) => universe.allows(book));
    this.#sports = known('sport', requestedSports(catalogue, namesOf(table), params.sport));
    this.#leagues = known('league', requestedLeagues(catalogue, namesOf(table), params.league));
    this.#events = params.event === undefined ? null : new Set(splitList(params.event));
    const hasMarket = params.market === undefined ? null : knownMarkets(catalogue, table, params.market);
    this.#markets = hasMarket === null ? null : new NameSet(table.markets, hasMarket);
    this.#hasMarket = hasMarket ?? (() => true);
    this.#main = params.is_main_line ?? null;
    this.#pregame = params.is_stale_pregame_price ?? null;
    const list = (names: Iterable<string> | null) => (names === null ? null : [...new Set(names)]);
    this.applied = {
      sportsbook: universe.requested === null ? null : universe.requested.map(ownName),
      sport: list(this.#sports),
      league: list(this.#leagues),
      event: list(this.#events),
      market: params.market === undefined ? null : list(splitList(params.market)),
      ...(this.#main === null ? {} : { is_main_line: this.#main }),
      ...(this.#pregame === null ? {} : { is_stale_pregame_price: this.#pregame }),
    };
    const part = (names: Iterable<string> | null) => (names === null ? null : [...names].sort());
    const markets = part(params.market === undefined ? null : splitList(params.market));
    // As JSON: no name that a caller may choose can mean "all", or a name more.
    const names = [part(this.#sports), part(this.#leagues), part(this.#events), markets];
    this.key = JSON.stringify([universe.key, ...names, this.#main, this.#pregame]);
  }

  /** As JSON. */
  get appliedText(): string {
    this.#appliedText ??= JSON.stringify(this.applied);
    return this.#appliedText;
  }

  hasRow(slot: number): boolean {
    return this.#isInScope(slot) && (this.#pregame === null || this.#isPregame(slot) === this.#pregame);
  }

  /** Whether rows come into it and leave it by a change of their own: each that changed may be new to a reader. */
  get canChange(): boolean {
    return this.#pregame !== null;
  }

  /** Whether the row is outside of it now and may have been inside. */
  mayHaveLeft(slot: number): boolean {
    return this.#pregame !== null && this.#isInScope(slot) && this.#isPregame(slot) !== this.#pregame;
  }

  #isInScope(slot: number): boolean {
    const c = this.#table.columns;
    return (
      this.#books.has(c.book[slot]!) &&
      (this.#markets === null || this.#markets.has(c.market[slot]!)) &&
      (this.#main === null || isMainLine(c, slot) === this.#main)
    );
  }

  #isPregame(slot: number): boolean {
    return isPregamePrice(this.#table.columns.activity[slot]!);
  }

  hasMarket(name: string): boolean {
    return this.#hasMarket(name);
  }

  hasBook(book: number): boolean {
    return this.#books.has(book);
  }

  hasEvent(event: Pick<TableEvent, 'id' | 'sport' | 'league'>): boolean {
    return (
      (this.#leagues === null || this.#leagues.has(event.league)) &&
      (this.#sports === null || this.#sports.has(event.sport)) &&
      (this.#events === null || this.#events.has(event.id))
    );
  }

  hasTombstone(tombstone: Tombstone): boolean {
    return (
      this.#books.has(tombstone.book) &&
      this.#hasMarket(tombstone.market) &&
      (this.#main === null || tombstone.alternate !== this.#main) &&
      this.hasEvent({ id: tombstone.eventId, sport: tombstone.sport, league: tombstone.league })
    );
  }

  /** All rows that match now, in serving order. */
  select(): Uint32Array {
    let slots = selected;
    let count = 0;
    for (const event of this.#table.events.ordered()) {
      if (!this.hasEvent(event)) continue;
      const rows = event.rows.sorted();
      if (count + rows.length > slots.length) {
        slots = grown(slots, (count + rows.length) * 2);
        selected = slots;
      }
      for (let i = 0; i < rows.length; i++) if (this.hasRow(rows[i]!)) slots[count++] = rows[i]!;
    }
    return slots.slice(0, count);
  }
}

/** Throws ApiError for unknown names and for books above the tier. */
export function filterOfLists(
  { table, catalogue }: { table: OddsTable; catalogue: Catalogue },
  tier: Tier,
  lists: FilterLists,
  account: string | undefined,
): StreamFilter {
  const { sportsbooks, sports, leagues, eventIds, markets, is_main_line, is_stale_pregame_price, devig_book } = lists;
  const joined = (names: readonly string[] = []) => (names.length === 0 ? undefined : names.join(','));
  const universe = universeOf(catalogue, tier, joined(sportsbooks), table.knowsBook, account);
  const devigBook = devigBookOf(catalogue, tier, devig_book, table.knowsBook, account);
  return new StreamFilter(table, catalogue, judgedBy(universe, devigBook), {
    sport: joined(sports),
    league: joined(leagues),
    event: joined(eventIds),
    market: joined(markets),
    is_main_line,
    is_stale_pregame_price,
  });
}

function refuse(name: string, unknown: readonly string[]): never {
  throw new ApiError('invalid_request', `${name}: unknown ${unknown.join(', ')}`);
}

function known(name: string, { ids, unknown }: RequestedNames): ReadonlySet<string> | null {
  if (unknown.length > 0) refuse(name, unknown);
  return ids;
}

function knownMarkets(catalogue: Catalogue, table: OddsTable, market: string): (name: string) => boolean {
  const { unknown, has } = requestedMarkets(catalogue, table, market);
  if (unknown.length > 0) refuse('market', unknown);
  return has;
}
