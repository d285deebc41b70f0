// The event endpoints. Lists contain events with odds in the caller's book universe, ended ones too while they have
// odds, and unpriced ones that have a score; by id every event of the table is found, whichever books price it. Only
// the universe's books, their markets and their ids are shown of an event.

import { compareText } from '../base/model/compare.js';
import { formatMs } from '../base/model/time.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { Event, type EventBook, type EventDetail, type EventMarket, type EventsQuery } from '../schema/events.js';
import type { TableEvent } from '../tables/events.js';
import { RowFilter } from '../tables/filter/filter.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { columnsOf } from './csv.js';
import { propFields } from './row-objects.js';
import { SelectionKeys, walkSelections } from './selections.js';
import { hasScore, isCurrent } from './tally.js';

export const EVENT_COLUMNS = columnsOf(Event);

export interface EventsPage {
  items: Event[];
  total: number;
  unknown: readonly string[];
}

export class EventReader {
  readonly #catalogue: Catalogue;
  readonly #table: OddsTable;
  readonly #keys: SelectionKeys;

  readonly #whole: OddsTable;

  /** @param whole the table with every book's prices: a delayed one has only those of its tiers */
  constructor(catalogue: Catalogue, table: OddsTable, whole: OddsTable) {
    this.#catalogue = catalogue;
    this.#table = table;
    this.#whole = whole;
    this.#keys = new SelectionKeys(table);
  }

  /** By start, then id, or as requested. `total` is exact; only the page's events are examined further. */
  list(universe: Universe, params: EventsQuery): EventsPage {
    const { listed, filter } = this.#listed(universe, params);
    const page = listed.slice(params.offset, params.offset + params.limit);
    return { items: page.map((event) => this.#item(event, filter)), total: listed.length, unknown: filter.unknown };
  }

  /** All of them, composed as they are asked for. */
  whole(universe: Universe, params: EventsQuery) {
    const { listed, filter } = this.#listed(universe, params);
    const rows = (from: number, to: number) => listed.slice(from, to).map((event) => this.#item(event, filter));
    return { name: 'events', total: listed.length, columns: EVENT_COLUMNS, rows };
  }

  #listed(universe: Universe, params: EventsQuery) {
    const filter = new RowFilter(this.#table, this.#catalogue, universe, params);
    const listed: TableEvent[] = [];
    for (const event of filter.matchingEvents())
      if (this.#isListed(event, filter) && (params.has_score === undefined || hasScore(event) === params.has_score))
        listed.push(event);
    sortEvents(listed, params.sort);
    return { listed, filter };
  }

  #isListed(event: TableEvent, filter: RowFilter): boolean {
    if (event.rows.count === 0) {
      const isUnpriced = (this.#whole.events.get(event.id)?.rows.count ?? 0) === 0;
      return isUnpriced && filter.universe.requested === null && isCurrent(event);
    }
    for (const book of event.byBook.keys()) if (filter.hasBook(book)) return true;
    return false;
  }

  detail(universe: Universe, event: TableEvent): EventDetail {
    const filter = new RowFilter(this.#table, this.#catalogue, universe, {});
    const { markets, ...fields } = this.#common(event, filter);
    return {
      ...fields,
      markets: this.markets(filter, event).map(({ type, selection_count, book_count }) => ({
        type,
        selection_count,
        book_count,
      })),
      books: this.#books(event, filter).map((no) => this.#bookDetail(event, no)),
      ...stateOf(event),
    };
  }

  /** Market types of one event's rows that pass the filter, by name, with their selections by line and name. */
  markets(filter: RowFilter, event: TableEvent): EventMarket[] {
    const table = this.#table;
    const c = table.columns;
    const markets: EventMarket[] = [];
    let current: EventMarket | undefined;
    let marketBooks = new Set<number>();
    const close = (): void => {
      if (current !== undefined) current.book_count = marketBooks.size;
    };
    walkSelections(table, this.#keys, event.rows.sorted(), (slot) => filter.hasRow(slot), {
      market: (no) => {
        close();
        marketBooks = new Set();
        const type = table.markets.name(no);
        current = { type, market_type: type, selection_count: 0, book_count: 0, selections: [] };
        markets.push(current);
      },
      selection: (slot, books) => {
        for (const book of books) marketBooks.add(book);
        current!.selection_count++;
        const line = c.line[slot]!;
        current!.selections.push({
          name: c.selection.at(slot)!,
          type: c.selectionType.at(slot)!,
          ...(Number.isNaN(line) ? {} : { line }),
          ...propFields(table, slot),
          book_count: books.size,
        });
      },
    });
    close();
    return markets;
  }

  #item(event: TableEvent, filter: RowFilter): Event {
    const books = this.#books(event, filter).map((no) => this.#table.books.name(no));
    return { ...this.#common(event, filter), books, ...stateOf(event) };
  }

  #common(event: TableEvent, filter: RowFilter): Omit<Event, 'books' | 'game_state'> {
    const externalIds = Object.entries(event.externalIds).filter(([book]) => filter.universe.allows(book));
    const markets = new Set<number>();
    let books = 0;
    for (const [book, slots] of event.byBook) {
      if (!filter.hasBook(book)) continue;
      books++;
      for (const slot of slots) markets.add(this.#table.columns.market[slot]!);
    }
    return {
      id: event.id,
      event_id: event.id,
      external_ids: Object.fromEntries(externalIds),
      sport: event.sport,
      league: event.league,
      home_team: event.home,
      away_team: event.away,
      event_name: event.name,
      start_time: formatMs(event.startMs),
      status: event.status,
      is_live: event.live,
      book_count: books,
      markets: [...markets].map((no) => this.#table.markets.name(no)).sort(),
    };
  }

  /** Numbers of the universe's books with odds for the event, in catalogue order. */
  #books(event: TableEvent, filter: RowFilter): number[] {
    const name = (no: number): string => this.#table.books.name(no);
    const order = (no: number): number => this.#catalogue.bookOrder(name(no));
    return [...event.byBook.keys()]
      .filter((no) => filter.hasBook(no))
      .sort((a, b) => order(a) - order(b) || compareText(name(a), name(b)));
  }

  #bookDetail(event: TableEvent, no: number): EventBook {
    const { market, seenMs } = this.#table.columns;
    const markets = new Set<number>();
    let newestMs = 0;
    for (const slot of event.byBook.get(no) ?? []) {
      markets.add(market[slot]!);
      newestMs = Math.max(newestMs, seenMs[slot]!);
    }
    const id = this.#table.books.name(no);
    const name = this.#catalogue.book(id)?.name ?? id;
    return { id, name, market_count: markets.size, last_update: formatMs(newestMs) };
  }
}

/** Events come sorted by start and id; those equal in the requested order keep that. */
function sortEvents(events: TableEvent[], sort: string | undefined): void {
  if (sort === undefined) return;
  const sign = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace('-', '');
  if (name === 'sport' || name === 'league') events.sort((a, b) => sign * compareText(a[name], b[name]));
  else events.sort((a, b) => sign * (a.startMs - b.startMs));
}

/** With odds of the universe's books; or without anyone's odds, if it has a score and has not ended. */
function stateOf(event: TableEvent): Pick<Event, 'game_state'> {
  const { state, stateBooks } = event;
  if (state === null) return {};
  const books = stateBooks ?? [];
  return {
    game_state: {
      ...state,
      home_team: event.home,
      away_team: event.away,
      sport: event.sport,
      league: event.league,
      is_live: event.live,
      ...(state.period === undefined ? {} : { game_period: state.period }),
      ...(state.clock === undefined ? {} : { game_clock: state.clock }),
      primary_book: books[0] ?? null,
      book_count: books.length,
    },
  };
}
