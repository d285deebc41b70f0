// GET /odds/delta: the rows that changed after a position, and the ids of removed ones. A client that merges by id and
// asks again from the answer's server_time has what /odds shows (except for last_seen_at, whose changes do not count):
//   - rows come in the order of their changes, and server_time is how far this answer reached, not what time it is;
//   - a row that still exists but no longer passes `live`, `is_active` or the price bounds is listed as removed.

import { LIMITS } from '../base/model/limits.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { RequestedParameters } from '../schema/query-shape.js';
import { compareEvents } from '../tables/events.js';
import { RowFilter } from '../tables/filter/filter.js';
import { ignoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import type { DeltaList, DeltaPages } from './delta-pages.js';
import { compareSince, formatSince, isLater, type Since, shareOf } from './delta-since.js';
import { type OddsParams, OVERFLOW_ROWS, parseSort } from './odds-reader.js';
import { type KeptPage, pageOfItems, pageOfRows, suffixOf } from './page.js';
import { picked, readFields, rowObject } from './row-objects.js';
import { type Sort, sortKeys } from './select.js';

export type DeltaParams = Omit<OddsParams, 'group_by' | 'cursor'>;

export interface DeltaQuestion {
  table: OddsTable;
  universe: Universe;
  params: DeltaParams;
  since: Since;
  /** Called with the number of changes that were put in order. */
  looked?(rows: number): void;
  /** Position before which removals may have been dropped. */
  oldest: number;
  /** Identifies the caller: pages belong to the one who requested the first. */
  caller: string;
  asked: RequestedParameters;
}

/** Maximum number of removed ids: beyond it a snapshot is the smaller answer. */
const REMOVED_MAX = OVERFLOW_ROWS;
const PLACES_MAX = LIMITS.deltaPlaces.max;

export class DeltaReader {
  readonly #catalogue: Catalogue;
  readonly #pages: DeltaPages;
  /** The places within a commit that were given out: other nanoseconds are no such place. */
  readonly #places = new Set<string>();

  constructor(catalogue: Catalogue, pages: DeltaPages) {
    this.#catalogue = catalogue;
    this.#pages = pages;
  }

  delta(question: DeltaQuestion): KeptPage {
    const { table, params, universe } = question;
    const since = this.#knownPlace(question.since);
    const filter = new RowFilter(table, this.#catalogue, universe, params);
    const sort = parseSort(params.sort);
    const { limit, offset, ...requested } = params;
    const key = JSON.stringify([question.caller, universe.key, since, requested]);
    let list = offset === 0 ? undefined : this.#pages.get(key);
    if (list === undefined) {
      list = this.#list({ ...question, since }, filter, sort);
      question.looked?.(list.slots.length);
      list.fromStart = offset === 0;
      if (list.slots.length > offset + limit) this.#pages.keep(key, list);
      else this.#pages.forget(key);
    }
    const end = Math.min(offset + limit, list.slots.length);
    const slots: number[] = [];
    for (let i = offset; i < end; i++) if (stands(table, filter, list, i)) slots.push(list.slots[i]!);
    const reached = list.fromStart ? reachedBy(list, end, sort) : since;
    const hasMore = end < list.slots.length;
    const total = list.slots.length;
    const meta = {
      count: slots.length,
      total,
      server_time: this.#serverTime(hasMore && compareSince(reached, since) < 0 ? since : reached),
      books_changed: list.booksChanged,
      filters: { ...question.asked.echo, since: formatSince(since) },
      ...ignoredNames(filter.unknown, question.asked),
    };
    const pagination = {
      limit,
      offset,
      count: slots.length,
      total,
      has_more: hasMore,
      next_offset: hasMore ? end : null,
    };
    const extra = { removed: list.removed, ...(list.overflow ? { overflow: true } : {}) };
    return this.#encode(table, slots, params, { pagination, meta, extra });
  }

  #serverTime(reached: Since): string {
    const text = formatSince(reached);
    if (reached.share === 0) return text;
    this.#places.delete(text);
    this.#places.add(text);
    if (this.#places.size > PLACES_MAX) this.#places.delete(this.#places.values().next().value!);
    return text;
  }

  /** Unknown places (from a caller's own clock, or from before a restart) count as nothing of the commit seen. */
  #knownPlace(since: Since): Since {
    return since.share === 0 || this.#places.has(formatSince(since)) ? since : { ...since, share: 0 };
  }

  #encode(
    table: OddsTable,
    slots: readonly number[],
    params: DeltaParams,
    suffix: { pagination: object; meta: object; extra: object },
  ): KeptPage {
    if (params.fields === undefined && params.state === undefined) return pageOfRows(table, slots, suffixOf(suffix));
    const fields = readFields(params.fields);
    let rows = slots.map((slot) => rowObject(table, this.#catalogue, slot, params.state));
    if (fields !== undefined) rows = rows.map((row) => picked(row, fields));
    return pageOfItems(rows, suffix.pagination, suffix.meta, suffix.extra);
  }

  #list({ table, universe, params, since, oldest }: DeltaQuestion, filter: RowFilter, sort: Sort | null): DeltaList {
    const { live: _live, is_active: _active, min_odds: _min, max_odds: _max, date: _date, ...lasting } = params;
    const frame = new RowFilter(table, this.#catalogue, universe, lasting);
    const { updatedPosition, restatedPosition, id, book } = table.columns;
    const slots: number[] = [];
    const removed = new Set<string>();
    const books = new Set<number>();
    for (const slot of table.recency.since(since.position)) {
      if (!isLater(since, updatedPosition[slot]!, shareOf(id.lastDigits(slot)))) continue;
      const event = table.eventOf(slot);
      if (!frame.findsEvent(event) || !frame.hasRow(slot)) continue;
      if (filter.findsEvent(event) && filter.hasRow(slot)) slots.push(slot);
      // Whole rows are restated when an event goes live; a price may have left its bounds at any change.
      else if (filter.dependsOnPrices || restatedPosition[slot]! > since.position) removed.add(id.at(slot));
      else continue;
      books.add(book[slot]!);
    }
    for (const tombstone of table.tombstones.after(since.position)) {
      const { id: gone, eventId, sport, league, book: bookNo, market } = tombstone;
      if (!frame.hasBook(bookNo) || !frame.hasMarketName(market)) continue;
      if (!frame.hasEvent({ id: eventId, sport, league, live: false })) continue;
      // An id that came back is a row, not a removal.
      if (table.slotOf(gone) !== undefined) continue;
      removed.add(gone);
      books.add(bookNo);
    }
    slots.sort(orderOf(table, sort));
    return {
      slots: Uint32Array.from(slots),
      updatedPosition: Float64Array.from(slots, (slot) => updatedPosition[slot]!),
      shares: Uint16Array.from(slots, (slot) => shareOf(id.lastDigits(slot))),
      removed: removed.size > REMOVED_MAX ? [...removed].slice(0, REMOVED_MAX) : [...removed],
      booksChanged: [...books].map((no) => table.books.name(no)).sort(),
      position: table.position,
      fromStart: true,
      overflow: slots.length > OVERFLOW_ROWS || removed.size > REMOVED_MAX || since.position < oldest,
    };
  }
}

/** By change, then share, then id; or by the requested field, then in serving order. */
function orderOf(table: OddsTable, sort: Sort | null): (a: number, b: number) => number {
  const { updatedPosition, id } = table.columns;
  if (sort === null)
    return (a, b) =>
      updatedPosition[a]! - updatedPosition[b]! ||
      shareOf(id.lastDigits(a)) - shareOf(id.lastDigits(b)) ||
      id.compare(a, b);
  const keyOf = sortKeys(table, sort.field);
  const sign = sort.descending ? -1 : 1;
  return (a, b) =>
    sign * (keyOf(a) - keyOf(b)) || compareEvents(table.eventOf(a), table.eventOf(b)) || table.order(a, b);
}

/** Whether the list's row is still there and still passes; the next delta has what became of it. */
function stands(table: OddsTable, filter: RowFilter, list: DeltaList, i: number): boolean {
  const slot = list.slots[i]!;
  return table.columns.id.has(slot) && filter.findsEvent(table.eventOf(slot)) && filter.hasRow(slot);
}

/** The position up to which a reader knows the log after the list up to `end`. */
function reachedBy(list: DeltaList, end: number, sort: Sort | null): Since {
  if (end >= list.slots.length) return { position: list.position, share: 0 };
  if (sort !== null) {
    let first = Number.POSITIVE_INFINITY;
    for (let i = end; i < list.slots.length; i++) first = Math.min(first, list.updatedPosition[i]!);
    return { position: first - 1, share: 0 };
  }
  const next = list.updatedPosition[end]!;
  if (end === 0 || list.updatedPosition[end - 1] !== next) return { position: next - 1, share: 0 };
  return { position: next - 1, share: list.shares[end]! };
}
