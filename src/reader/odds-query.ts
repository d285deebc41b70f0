// The questions of GET /odds and GET /events/{id}/odds: filter, order, page, and the envelope round the encoded rows.

import type { Catalogue } from '../catalogue/catalogue.js';
import { type FilterParams, RowFilter } from '../filter/filter.js';
import { passedOver } from '../filter/passed-over.js';
import type { Universe } from '../filter/universe.js';
import { BoundedMap } from '../memory/bounded-map.js';
import { ApiError } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import { ROW_SORTS } from '../schema/sorts.js';
import type { OddsTable } from '../table/table.js';
import { type CursorKey, cursorKeyOf, decodeCursor, encodeCursor } from './cursor.js';
import { groupByEvent, picked, readFields, withState } from './look-inside.js';
import { type Allocator, footOf, type KeptPage, type Pagination, pageOfItems, pageOfRows, paginate } from './page.js';
import { RowsPage } from './rows-page.js';
import { countRows, type Sort, type SortField, selectInOrder } from './select.js';
import { SortedRows } from './sorted-rows.js';
import { standing } from './standing.js';

export interface OddsParams extends FilterParams {
  sportsbook?: string | undefined;
  sort?: string | undefined;
  fields?: string | undefined;
  group_by?: 'event' | undefined;
  state?: string | undefined;
  limit: number;
  offset: number;
  cursor?: string | undefined;
}

/** Above this many rows a client does better with a snapshot than with pages of a delta. */
export const OVERFLOW_ROWS = LIMITS.deltaRows.max;

export interface OddsQuestion {
  table: OddsTable;
  universe: Universe;
  params: OddsParams;
  /** Parameters the endpoint does not know. */
  ignored: readonly string[];
  /** Where the answer may be put; memory of its own where not given. */
  memory?: Allocator;
  /** True where the answer is kept, and may be brought up to date in its memory. */
  kept?: boolean;
}

export class OddsReader {
  readonly #catalogue: Catalogue;
  /** Counts by filter, good while the table's structure stands. */
  readonly #totals = new WeakMap<OddsTable, Map<string, { structure: number; total: number }>>();
  readonly #sorted = new SortedRows();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  odds({ table, universe, params, ignored, memory, kept = false }: OddsQuestion): KeptPage {
    const filter = new RowFilter(table, this.#catalogue, universe, params);
    const sort = parseSort(params.sort);
    const filterText = JSON.stringify([
      universe.key,
      params.sport,
      params.league,
      params.market,
      params.event,
      params.live,
      params.is_active,
      params.min_odds,
      params.max_odds,
      params.team,
      params.date,
      params.q,
      params.sort,
    ]);
    const after = params.cursor === undefined ? null : decodeCursor(params.cursor, filterText);
    const page = { limit: params.limit, offset: after === null ? params.offset : 0, after };
    const selected =
      sort === null
        ? { ...selectInOrder(table, filter, page), total: this.#total(table, filter, filterText) }
        : this.#sorted.select(table, filter, sort, page, filterText);
    const pagination = {
      ...paginate(params.limit, page.offset, selected.slots.length, selected.total),
      ...nextCursor(table, selected, params.limit, filterText),
    };
    if (after !== null) pagination.has_more = pagination.next_cursor !== undefined;
    return this.#answer(
      table,
      selected.slots,
      pagination,
      params,
      metaOf(table, filter, selected.slots, params, ignored),
      memory,
      kept && sort === null ? standing(table, filter) : null,
    );
  }

  #answer(
    table: OddsTable,
    slots: number[],
    pagination: Pagination,
    params: OddsParams,
    meta: object,
    memory: Allocator | undefined,
    isCurrent: (() => boolean) | null,
  ): KeptPage {
    const extra = pagination.total > OVERFLOW_ROWS ? { overflow: true } : {};
    const counts = { count: pagination.count, total: pagination.total };
    if (params.group_by === undefined && params.fields === undefined && params.state === undefined) {
      if (isCurrent !== null && memory !== undefined) {
        const foot = footOf({ pagination, meta: { ...counts, ...meta }, extra, watermarked: true });
        return new RowsPage(table, slots, foot, memory, isCurrent);
      }
      return pageOfRows(table, slots, pagination, { ...counts, ...meta }, extra, true, memory);
    }
    const fields = readFields(params.fields);
    let rows = slots.map((slot) => JSON.parse(table.bytes.text(slot)) as Record<string, unknown>);
    if (params.state !== undefined) rows = rows.map((row) => withState(row, params.state!, this.#catalogue));
    if (params.group_by === 'event') {
      const books = (meta as { books_available: string[] }).books_available;
      const groupMeta = { ...counts, ...meta, group_by: 'event', books_available: books.length };
      return pageOfItems(groupByEvent(table, slots, rows, fields), pagination, groupMeta, extra, true);
    }
    if (fields !== undefined) rows = rows.map((row) => picked(row, fields));
    return pageOfItems(rows, pagination, { ...counts, ...meta }, extra, true);
  }

  #total(table: OddsTable, filter: RowFilter, filterText: string): number {
    if (filter.dependsOnPrices || filter.events !== null) return countRows(filter);
    let totals = this.#totals.get(table);
    if (totals === undefined) {
      totals = new BoundedMap(LIMITS.totals.max);
      this.#totals.set(table, totals);
    }
    const known = totals.get(filterText);
    if (known !== undefined && known.structure === table.structure) return known.total;
    const total = countRows(filter);
    totals.set(filterText, { structure: table.structure, total });
    return total;
  }
}

function nextCursor(
  table: OddsTable,
  selected: { slots: number[]; keys: (number | string)[] | null; total: number },
  limit: number,
  filterText: string,
): { next_cursor?: string } {
  const last = selected.slots.at(-1);
  // A full page may be the last: the next one is then empty, which is as clear an end.
  if (last === undefined || selected.slots.length < limit || selected.slots.length >= selected.total) return {};
  const place: CursorKey = cursorKeyOf(table, last, selected.keys?.at(-1) ?? null);
  return { next_cursor: encodeCursor(place, filterText) };
}

const FIELDS = new Map(
  Object.entries(ROW_SORTS).flatMap(([field, names]) => names.map((name) => [name as string, field as SortField])),
);

/** Null where none is asked for. Throws ApiError `invalid_request`. */
export function parseSort(text: string | undefined): Sort | null {
  if (text === undefined || text === '') return null;
  const descending = text.startsWith('-');
  const field = descending ? text.slice(1) : text;
  const known = FIELDS.get(field);
  if (known === undefined)
    throw new ApiError(
      'invalid_request',
      `sort: not one of ${[...FIELDS.keys()].join(', ')} (with - in front for descending)`,
    );
  return { field: known, descending };
}

/** Books of the universe that have rows in the table at all, by name. */
export function booksAvailable(table: OddsTable, universe: Universe): string[] {
  const available: string[] = [];
  for (const [no, rows] of table.bookRows.entries())
    if (rows > 0 && universe.allows(table.books.name(no))) available.push(table.books.name(no));
  return available.sort();
}

export function booksOf(table: OddsTable, slots: readonly number[]): string[] {
  const numbers = new Set<number>();
  for (const slot of slots) numbers.add(table.columns.book[slot]!);
  return [...numbers].map((no) => table.books.name(no)).sort();
}

function metaOf(
  table: OddsTable,
  filter: RowFilter,
  slots: readonly number[],
  params: OddsParams,
  ignored: readonly string[],
): object {
  return {
    books_available: booksAvailable(table, filter.universe),
    books_returned: booksOf(table, slots),
    filters: filtersEcho(params),
    ...passedOver(filter.unknown, ignored),
  };
}

/** The filters as asked, null where not given. */
export function filtersEcho(params: Partial<OddsParams>): object {
  return {
    sportsbook: params.sportsbook ?? null,
    sport: params.sport ?? null,
    league: params.league ?? null,
    market: params.market ?? null,
    event: params.event ?? null,
    live: params.live ?? null,
    is_active: params.is_active ?? null,
    min_odds: params.min_odds ?? null,
    max_odds: params.max_odds ?? null,
    team: params.team ?? null,
    date: params.date ?? null,
    q: params.q ?? null,
    sort: params.sort ?? null,
    state: params.state ?? null,
  };
}
