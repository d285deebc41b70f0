// Counts of the table by league, book and market type: over all books, for events that have not ended. Exact for every
// request; counted again only when rows or events were added, removed or moved, and then only what changed.
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { TableEvent } from '../tables/events.js';
import type { OddsTable } from '../tables/table.js';
import { countSelections, SelectionKeys } from './selections.js';

/** Whether a score of the game is known. */
export function hasScore(event: TableEvent): boolean {
  return (event.state?.home_score ?? event.state?.away_score ?? null) !== null;
}

/** Events that count: not ended, and with someone's odds or a score. Others are only reached by id. */
export function isCurrent(event: TableEvent): boolean {
  return event.status !== 'ended' && (event.rows.count > 0 || hasScore(event));
}

export interface LeagueTally {
  sport: string;
  events: number;
  live: number;
}

export interface MarketTally {
  events: number;
  /** A selection that several books price counts once. */
  selections: number;
  sports: Set<string>;
}

type EventMarkets = ReturnType<typeof countSelections>;

export class Tally {
  readonly #table: OddsTable;
  readonly #keys: SelectionKeys;
  readonly #ofEvent = new WeakMap<TableEvent, { version: number; markets: EventMarkets }>();
  #leagues: Counted<Map<string, LeagueTally>> = { structure: -1, value: new Map() };
  #books: Counted<number[]> = { structure: -1, value: [] };
  #markets: Counted<Map<string, MarketTally>> = { structure: -1, value: new Map() };

  constructor(table: OddsTable) {
    this.#table = table;
    this.#keys = new SelectionKeys(table);
  }

  /** By league id; leagues without events are omitted. */
  leagues(): ReadonlyMap<string, LeagueTally> {
    if (this.#leagues.structure !== this.#table.structure)
      this.#leagues = { structure: this.#table.structure, value: this.#countLeagues() };
    return this.#leagues.value;
  }

  /** Events a book has odds for. */
  eventsOfBook(book: string): number {
    if (this.#books.structure !== this.#table.structure)
      this.#books = { structure: this.#table.structure, value: this.#countBooks() };
    return this.#books.value[this.#table.books.find(book)] ?? 0;
  }

  /** By market type; types without rows are omitted. */
  markets(): ReadonlyMap<string, MarketTally> {
    if (this.#markets.structure !== this.#table.structure)
      this.#markets = { structure: this.#table.structure, value: this.#countMarkets() };
    return this.#markets.value;
  }

  #countLeagues(): Map<string, LeagueTally> {
    const leagues = new Map<string, LeagueTally>();
    for (const event of this.#table.events.ordered()) {
      if (!isCurrent(event)) continue;
      const league = getOrInsert(leagues, event.league, () => ({ sport: event.sport, events: 0, live: 0 }));
      league.events++;
      if (event.live) league.live++;
    }
    return leagues;
  }

  #countBooks(): number[] {
    const books: number[] = this.#table.books.names.map(() => 0);
    for (const event of this.#table.events.ordered())
      if (isCurrent(event)) for (const book of event.byBook.keys()) books[book]!++;
    return books;
  }

  #countMarkets(): Map<string, MarketTally> {
    const byNo: (MarketTally | undefined)[] = [];
    for (const event of this.#table.events.ordered()) {
      if (!isCurrent(event)) continue;
      for (const { market, selections } of this.#marketsOf(event)) {
        let tally = byNo[market];
        if (tally === undefined) {
          tally = { events: 0, selections: 0, sports: new Set() };
          byNo[market] = tally;
        }
        tally.events++;
        tally.selections += selections;
        tally.sports.add(event.sport);
      }
    }
    const markets = new Map<string, MarketTally>();
    for (const [no, tally] of byNo.entries()) if (tally !== undefined) markets.set(this.#table.markets.name(no), tally);
    return markets;
  }

  #marketsOf(event: TableEvent): EventMarkets {
    const known = this.#ofEvent.get(event);
    if (known !== undefined && known.version === event.version) return known.markets;
    const markets = countSelections(this.#table, this.#keys, event.rows.sorted());
    this.#ofEvent.set(event, { version: event.version, markets });
    return markets;
  }
}

interface Counted<T> {
  structure: number;
  value: T;
}
