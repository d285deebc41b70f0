// A cached page of rows: when the request is repeated after prices have moved, the rows that moved are overwritten in
// place. The envelope (totals, cursor, lists of books) depends on which rows there are, not on their prices, and is
// made once.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { withPlace } from '../base/memory/grown.js';
import type { Transient } from '../base/memory/transient.js';
import { LIMITS } from '../base/model/limits.js';
import type { CursorPagination } from '../schema/envelope.js';
import type { IgnoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { RowComposer } from '../tables/row-composer.js';
import type { OddsTable } from '../tables/table.js';
import { digestOfText, STAMPS, tagOfRows } from './etag.js';
import { type Allocator, COMMA, footAround, HEAD, KeptPage, stampRow } from './page.js';

export class RowsPage extends KeptPage {
  readonly #table: OddsTable;
  readonly #slots: Uint32Array;
  readonly #suffix: Buffer;
  readonly #isCurrent: () => boolean;
  /** Offset of each row, and after the last one that of the suffix. */
  readonly #starts: Uint32Array;
  /** The inputs of the tag, together with the suffix. */
  readonly #stamps: Float64Array;
  readonly #suffixTag: string;

  /**
   * @param suffix its text from the closing bracket of the rows on, with the offsets of the times in it, and a tag that
   * is different for each suffix that the same rows could have
   * @param isCurrent whether the table still has these rows, in this order, for the request
   */
  constructor(
    table: OddsTable,
    slots: readonly number[],
    suffix: { text: string; tag: string },
    memory: Allocator,
    isCurrent: () => boolean,
  ) {
    super(NOTHING, true);
    this.#table = table;
    this.#slots = Uint32Array.from(slots);
    this.#suffix = Buffer.from(suffix.text);
    this.#isCurrent = isCurrent;
    this.#starts = new Uint32Array(slots.length + 1);
    this.#stamps = new Float64Array(slots.length * STAMPS);
    this.#suffixTag = suffix.tag;
    this.#layOut(memory);
  }

  override refresh(table: object, memory: Allocator): boolean {
    if (table !== this.#table || !this.#isCurrent()) return false;
    const { updatedPosition, seenMs } = this.#table.columns;
    const { json: rows } = this.#table;
    const slots = this.#slots;
    const stamps = this.#stamps;
    const starts = this.#starts;
    let changed = false;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      if (stamps[i * STAMPS + 1] === updatedPosition[slot] && stamps[i * STAMPS + 2] === seenMs[slot]) continue;
      const row = rowBytes(rows, slot);
      const longer = row.length + 1 - (starts[i + 1]! - starts[i]!);
      // A price with more or fewer digits: everything after it moves.
      if (longer !== 0) this.#shift(i + 1, longer, memory);
      this.bytes.set(row, starts[i]!);
      stampRow(stamps, i, this.#table.columns, slot, this.#table.eventOf(slot).shard);
      changed = true;
    }
    if (changed) this.forgetTag();
    return true;
  }

  protected override makeTag(): string {
    return tagOfRows(this.#stamps, this.#slots.length, this.#suffixTag);
  }

  #layOut(memory: Allocator): void {
    const { json: rows } = this.#table;
    const slots = this.#slots;
    const starts = this.#starts;
    let length = HEAD.length + slots.length + this.#suffix.length;
    for (let i = 0; i < slots.length; i++) length += rows.lengthMax(slots[i]!);
    const bytes = memory(length);
    bytes.set(HEAD, 0);
    let at = HEAD.length;
    for (let i = 0; i < slots.length; i++) {
      starts[i] = at;
      at = rows.copyRow(slots[i]!, bytes, at);
      bytes[at++] = COMMA;
      stampRow(this.#stamps, i, this.#table.columns, slots[i]!, this.#table.eventOf(slots[i]!).shard);
    }
    starts[slots.length] = at;
    // Rows are separated by commas, one fewer than there are rows.
    const suffixAt = slots.length === 0 ? at : at - 1;
    bytes.set(this.#suffix, suffixAt);
    this.bytes = bytes.subarray(0, suffixAt + this.#suffix.length) as Transient;
  }

  /** Moves row number `from`, and everything after it, by this many bytes forward (or back). */
  #shift(from: number, by: number, memory: Allocator): void {
    const starts = this.#starts;
    const old = this.bytes;
    // After the last row there is no comma: only the suffix moves then.
    const at = from === this.#slots.length ? starts[from]! - 1 : starts[from]!;
    // The same memory unless it has become too small or far too large.
    const bytes = memory(old.length + by);
    if (bytes.buffer !== old.buffer) bytes.set(old.subarray(0, starts[from - 1]!), 0);
    bytes.set(old.subarray(at), at + by);
    for (let i = from; i < starts.length; i++) starts[i]! += by;
    // The comma before the part that moved, if there is one.
    if (from < this.#slots.length) bytes[starts[from]! - 1] = COMMA;
    this.bytes = bytes;
  }
}

let row = Buffer.alloc(4_096);

/** The row's JSON, valid until the next call. */
function rowBytes(rows: RowComposer, slot: number): Uint8Array {
  const length = rows.lengthMax(slot);
  if (length > row.length) row = Buffer.alloc(2 * length);
  return row.subarray(0, rows.copyRow(slot, row, 0));
}

const NOTHING = Buffer.alloc(0);

// Everything after the rows of a page of /odds, joined from texts: building it as objects and serialising them for each
// page cost more than copying its rows.

/** Books of a universe that have rows in the table, by name. */
export interface AvailableBooks {
  booksVersion: number;
  names: readonly string[];
  /** As JSON. */
  text: string;
  /** Digest of the text, for tags. */
  digest: string;
}

export class BookLists {
  readonly #available = new WeakMap<OddsTable, Map<string, AvailableBooks>>();
  /** By book number, the number of the last page that contained it. */
  #seen = new Uint32Array(64);
  #page = 0;

  available(table: OddsTable, universe: Universe): AvailableBooks {
    const ofTable = getOrInsert(this.#available, table, () => new BoundedMap(LIMITS.bookLists.max));
    const known = ofTable.get(universe.key);
    if (known !== undefined && known.booksVersion === table.booksVersion) return known;
    const names: string[] = [];
    for (const [no, rows] of table.bookRows.entries())
      if (rows > 0 && universe.allows(table.books.name(no))) names.push(table.books.name(no));
    names.sort();
    const text = JSON.stringify(names);
    const made = { booksVersion: table.booksVersion, names, text, digest: digestOfText(text) };
    ofTable.set(universe.key, made);
    return made;
  }

  /** Books of the rows, all of them in the universe, by name. */
  returned(table: OddsTable, slots: readonly number[], available: AvailableBooks): readonly string[] {
    const { book } = table.columns;
    // When the page number wraps around, no book's entry may equal it.
    if (++this.#page === 2 ** 32) {
      this.#seen.fill(0);
      this.#page = 1;
    }
    const page = this.#page;
    const numbers: number[] = [];
    for (let i = 0; i < slots.length; i++) {
      const no = book[slots[i]!]!;
      if (no >= this.#seen.length) this.#seen = withPlace(this.#seen, no);
      if (this.#seen[no] === page) continue;
      this.#seen[no] = page;
      numbers.push(no);
    }
    if (numbers.length === available.names.length) return available.names;
    return numbers.map((no) => table.books.name(no)).sort();
  }
}

/**
 * The same as suffixOf() with a page's `meta`.
 * @param filters JSON of the filters as requested
 */
export function suffixOfRows(
  pagination: CursorPagination,
  available: Pick<AvailableBooks, 'names' | 'text'>,
  returned: readonly string[],
  filters: string,
  ignoredNames: IgnoredNames,
  overflow: boolean,
): string {
  const page = paginationText(pagination);
  const passed = nothing(ignoredNames) ? '' : `,${JSON.stringify(ignoredNames).slice(1, -1)}`;
  const meta =
    `{"count":${pagination.count},"total":${pagination.total},"books_available":${available.text}` +
    `,"books_returned":${returned === available.names ? available.text : JSON.stringify(returned)},"filters":${filters}${passed}`;
  return footAround(overflow ? '"overflow":true,' : '', page, `${meta},"pagination":${page}`, true);
}

const nothing = ({ unknown, ignored }: IgnoredNames): boolean => unknown === undefined && ignored === undefined;

function paginationText({ limit, offset, count, total, has_more, next_offset, next_cursor }: CursorPagination): string {
  const cursor = next_cursor === undefined ? '' : `,"next_cursor":"${next_cursor}"`;
  return (
    `{"limit":${limit},"offset":${offset},"count":${count},"total":${total},"has_more":${has_more}` +
    `,"next_offset":${next_offset}${cursor}}`
  );
}

/**
 * Everything the suffix of a page depends on besides its rows: a change of the suffix changes the rows' own stamps or this.
 * A cryptographic hash of the whole suffix took a twentieth of the cost of an uncached page.
 * @param filters digest of the filters that chose the rows, as far as shown
 * @param sportsbook as requested: the suffix repeats the caller's words
 */
export function suffixTag(
  filters: string,
  { limit, offset, total, has_more }: CursorPagination,
  available: AvailableBooks,
  sportsbook: string | undefined,
  ignoredNames: IgnoredNames,
): string {
  const plain = sportsbook === undefined && nothing(ignoredNames);
  const words = plain ? '' : digestOfText(JSON.stringify([sportsbook, ignoredNames]));
  return `${filters}-${limit}-${offset}-${total}-${has_more ? 1 : 0}-${available.digest}${words}`;
}
