// Everything after the rows of a page of /odds, joined from texts: building it as objects and serialising them for each
// page cost more than copying its rows.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { withPlace } from '../base/memory/grown.js';
import { LIMITS } from '../base/model/limits.js';
import type { CursorPagination } from '../schema/envelope.js';
import type { IgnoredNames } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { OddsTable } from '../tables/table.js';
import { digestOfText } from './etag.js';
import { footAround } from './page.js';

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
