// GET /odds: filter, order, page, and the envelope of the encoded rows.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { ApiError } from '../base/model/errors.js';
import { jsonText } from '../base/model/json-text.js';
import { LIMITS } from '../base/model/limits.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { CursorPagination } from '../schema/envelope.js';
import type { OddsQuery } from '../schema/odds.js';
import { type RequestedParameters, ROW_SORTS } from '../schema/parameters.js';
import { RowFilter } from '../tables/filter/filter.js';
import { ignoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { cursorKeyOf, decodeCursor, encodeCursor } from './cursor.js';
import { digestOfText } from './etag.js';
import { type Allocator, type KeptPage, pageOfItems, pageOfRows, paginate } from './page.js';
import { groupByEvent, type OddsObject, picked, readFields, rowObject } from './row-objects.js';
import { BookLists, RowsPage, suffixOfRows, suffixTag } from './rows-page.js';
import { countRows, type Sort, type SortField, selectInOrder } from './select.js';
import { SortedRows } from './sorted-rows.js';

/** Above this many rows a client does better with a snapshot than with pages of a delta. */
export const OVERFLOW_ROWS = LIMITS.deltaRows.max;

export type OddsParams = Omit<OddsQuery, 'format'>;

export interface OddsQuestion {
  table: OddsTable;
  universe: Universe;
  params: OddsParams;
  asked: RequestedParameters;
  /** Memory for the answer; by default it gets its own. */
  memory?: Allocator;
  /** True if the answer is cached, and may be refreshed in its memory. */
  kept?: boolean;
}

/** The rows of a page as objects: for those who want others of their fields, more beside them, or another form. */
export interface OddsItems {
  slots: readonly number[];
  rows: OddsObject[];
  pagination: CursorPagination;
  meta: { books_available: readonly string[] };
  extra: object;
}

export class OddsReader {
  readonly #catalogue: Catalogue;
  /** Counts by filter, valid until the table's structure changes. */
  readonly #totals = new WeakMap<OddsTable, Map<string, { structure: number; total: number }>>();
  readonly #sorted = new SortedRows();
  readonly #books = new BookLists();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  odds(question: OddsQuestion): KeptPage {
    const { table, params, asked, memory, kept = false } = question;
    if (params.group_by !== undefined || params.fields !== undefined || params.state !== undefined)
      return pageOfOdds(table, this.items(question), params, readFields(params.fields));
    const { filter, slots, pagination, digest, available, overflow, inOrder } = this.#page(question);
    const returned = this.#books.returned(table, slots, available);
    const passed = ignoredNames(filter.unknown, asked);
    const suffix = suffixOfRows(pagination, available, returned, asked.echoText, passed, overflow);
    // A cursor belongs to a universe; otherwise callers of different tiers may get the same bytes.
    const chosenBy = pagination.next_cursor === undefined ? digestOfText(asked.echoText) : digest;
    const tag = suffixTag(chosenBy, pagination, available, params.sportsbook, passed);
    const isCurrent = kept && inOrder && memory !== undefined ? sameSelection(table, filter) : null;
    if (isCurrent !== null) return new RowsPage(table, slots, { text: suffix, tag }, memory!, isCurrent);
    return pageOfRows(table, slots, suffix, memory, tag);
  }

  items(question: OddsQuestion): OddsItems {
    const { table, params, asked } = question;
    const { filter, slots, pagination, available, overflow } = this.#page(question);
    const meta = {
      count: slots.length,
      total: pagination.total,
      books_available: available.names,
      books_returned: this.#books.returned(table, slots, available),
      filters: asked.echo,
      ...ignoredNames(filter.unknown, asked),
    };
    const rows = slots.map((slot) => rowObject(table, this.#catalogue, slot, params.state));
    return { slots, rows, pagination, meta, extra: overflow ? { overflow } : {} };
  }

  /** What a question selects, and its place among the pages. */
  #page({ table, universe, params, asked }: OddsQuestion) {
    const filter = new RowFilter(table, this.#catalogue, universe, params);
    const sort = parseSort(params.sort);
    const filterKey = `[${jsonText(universe.key)},${asked.filters}]`;
    const digest = digestOfText(filterKey);
    const after = params.cursor === undefined ? null : decodeCursor(params.cursor, digest);
    const page = { limit: params.limit, offset: after === null ? params.offset : 0, after };
    let selected: { slots: number[]; keys: (number | string)[] | null };
    let total: number;
    if (sort === null) {
      selected = selectInOrder(table, filter, page);
      total = this.#total(table, filter, filterKey);
    } else {
      const sorted = this.#sorted.select(table, filter, sort, page, filterKey);
      selected = sorted;
      total = sorted.total;
    }
    const { slots } = selected;
    const pagination = paginate(params.limit, page.offset, slots.length, total);
    // A full page may be the last: the next one is then empty, which also marks the end.
    if (slots.length > 0 && slots.length >= params.limit && slots.length < total) {
      const key = cursorKeyOf(table, slots.at(-1)!, selected.keys?.at(-1) ?? null);
      pagination.next_cursor = encodeCursor(key, digest);
    }
    if (after !== null) {
      pagination.has_more = pagination.next_cursor !== undefined;
      // Where a cursor's page stands among all is not counted: a number would lead back to the first pages.
      pagination.next_offset = null;
    }
    const available = this.#books.available(table, universe);
    return { filter, slots, pagination, digest, available, overflow: total > OVERFLOW_ROWS, inOrder: sort === null };
  }

  /** All rows that match, in order. */
  wholeSlots({ table, universe, params, asked }: OddsQuestion): readonly number[] {
    const filter = new RowFilter(table, this.#catalogue, universe, params);
    const sort = parseSort(params.sort);
    const page = { limit: table.rowCount, offset: 0, after: null };
    if (sort === null) return selectInOrder(table, filter, page).slots;
    return this.#sorted.select(table, filter, sort, page, `[${jsonText(universe.key)},${asked.filters}]`).slots;
  }

  /** @param filterKey JSON text of the filters as requested */
  #total(table: OddsTable, filter: RowFilter, filterKey: string): number {
    if (filter.dependsOnPrices || filter.events !== null) return countRows(filter);
    const totals = getOrInsert(this.#totals, table, () => new BoundedMap(LIMITS.totals.max));
    const known = totals.get(filterKey);
    if (known !== undefined && known.structure === table.structure) return known.total;
    const total = countRows(filter);
    totals.set(filterKey, { structure: table.structure, total });
    return total;
  }
}

/** The rows with these fields of theirs (undefined: all), under their events if they are grouped. */
export function shaped(
  table: OddsTable,
  { slots, rows }: Pick<OddsItems, 'slots' | 'rows'>,
  { group_by }: Pick<OddsParams, 'group_by'>,
  fields: readonly string[] | undefined,
): OddsObject[] {
  if (group_by !== undefined) return groupByEvent(table, slots, rows, fields);
  return fields === undefined ? rows : rows.map((row) => picked(row, fields));
}

export function pageOfOdds(
  table: OddsTable,
  items: OddsItems,
  params: Pick<OddsParams, 'group_by'>,
  fields: readonly string[] | undefined,
): KeptPage {
  const { pagination, meta, extra } = items;
  const { group_by } = params;
  const groupMeta = group_by === undefined ? {} : { group_by, books_available: meta.books_available.length };
  return pageOfItems(shaped(table, items, params, fields), pagination, { ...meta, ...groupMeta }, extra, true);
}

const FIELDS = new Map(
  Object.entries(ROW_SORTS).flatMap(([field, names]) => names.map((name) => [name as string, field as SortField])),
);

/** Null if there is none. Throws ApiError `invalid_request`. */
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

// Whether a request would still select the same rows in the same order, so that its answer can be refreshed row by row.
// Prices do not matter: they are compared row by row.

/** A test of whether the filter selects what it does now; null if that depends on prices. */
function sameSelection(table: OddsTable, filter: RowFilter): (() => boolean) | null {
  if (filter.dependsOnPrices) return null;
  const { events } = filter;
  // Whether a league or sport is known may change with any event that is added or removed.
  if (
    events === null ||
    filter.leagues !== null ||
    filter.sports !== null ||
    filter.searches ||
    filter.unknown.length > 0
  ) {
    const { structure } = table;
    return () => table.structure === structure;
  }
  const { booksVersion } = table;
  const known = events.map((id) => {
    const event = table.events.get(id);
    return { id, event, structure: event?.rows.structure, startMs: event?.startMs, live: event?.live };
  });
  return () =>
    table.booksVersion === booksVersion &&
    known.every(({ id, event, structure, startMs, live }) => {
      const now = table.events.get(id);
      return now === event && now?.rows.structure === structure && now?.startMs === startMs && now?.live === live;
    });
}
