// GET /odds/delta: the rows that changed after a position, and the ids of removed ones. A client that merges by id and
// asks again from the answer's server_time has what /odds shows (except for last_seen_at, whose changes do not count):
//   - rows come in the order of their changes, and server_time is how far this answer reached, not what time it is;
//   - a row that still exists but no longer passes `live`, `is_active` or the price bounds is listed as removed.

import { LIMITS } from '../base/model/limits.js';
import { formatUs, parseTimeUs } from '../base/model/time.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { RequestedParameters } from '../schema/parameters.js';
import { compareEvents } from '../tables/events.js';
import { RowFilter } from '../tables/filter/filter.js';
import { ignoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
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

// The `since` of GET /odds/delta and the `server_time` that becomes the next one: a position of the change log, written
// as a time. A page may end in the middle of one commit, which may be larger than any page; then the nanosecond digits,
// which positions do not use, state how far into that commit it reached.

export interface Since {
  /** The caller knows everything up to this position … */
  position: number;
  /** … and of the commit after it the rows of lower shares (1-999); 0 if none of it. */
  share: number;
}

const SHARES = 999;

/**
 * The part of its commit a row belongs to, 1-999: computed from its id's last nine digits, so that it never changes.
 */
function shareOf(lastDigits: number): number {
  return (lastDigits % SHARES) + 1;
}

/** Undefined if the text is not an RFC 3339 time. Times before 1990 are older than any log. */
export function parseSince(text: string): Since | undefined {
  const us = parseTimeUs(text);
  if (us === undefined) {
    const ms = Date.parse(text);
    if (Number.isNaN(ms)) return undefined;
    return { position: Math.max(0, ms * 1000), share: 0 };
  }
  const digits = /\.\d{6}(\d{1,3})/.exec(text)?.[1] ?? '';
  return { position: us, share: Number(digits.padEnd(3, '0')) };
}

/** A number that sorts in the same order. */
function formatSince({ position, share }: Since): string {
  return `${formatUs(position).slice(0, -4)}${String(share).padStart(3, '0')}Z`;
}

/** Whether a change at `updatedPosition` of a row of this share is later than what the caller knows. */
function isLater(since: Since, updatedPosition: number, share: number): boolean {
  return updatedPosition > since.position && (updatedPosition > since.position + 1 || share >= since.share);
}

function compareSince(a: Since, b: Since): number {
  return a.position - b.position || a.share - b.share;
}

// The rows of a delta that did not fit its first page. They are listed once and the following pages continue in that
// list: otherwise rows that change meanwhile would move to another page and push an unread one past its reader.
// Bounded; if a list was dropped its reader gets a repetition, and never misses a row.

interface DeltaList {
  slots: Uint32Array;
  /** updatedPosition of each when the list was made. */
  updatedPosition: Float64Array;
  /** shareOf each one's id. */
  shares: Uint16Array;
  removed: readonly string[];
  booksChanged: readonly string[];
  /** Position of the table when the list was made. */
  position: number;
  /** False if its reader's first page was from an earlier list, which was dropped. */
  fromStart: boolean;
  overflow: boolean;
}

const LISTS_MAX = LIMITS.deltaLists.max;
const ROWS_MAX = LIMITS.deltaListRows.max;

export class DeltaPages {
  readonly #lists = new Map<string, DeltaList>();
  #rows = 0;

  get(key: string): DeltaList | undefined {
    return this.#lists.get(key);
  }

  keep(key: string, list: DeltaList): void {
    this.forget(key);
    if (list.slots.length > ROWS_MAX) return;
    this.#lists.set(key, list);
    this.#rows += list.slots.length;
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= LISTS_MAX && this.#rows <= ROWS_MAX) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    this.#rows -= list.slots.length;
    this.#lists.delete(key);
  }
}
