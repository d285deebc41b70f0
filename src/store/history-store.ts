// The store of history: an LMDB file of its own beside the shards'. Other processes may read it while it is written.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { BoundedMap } from '../base/memory/bounded-map.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isOddsId } from '../base/model/identity.js';
import { LIMITS } from '../base/model/limits.js';
import { REPORT_FAILURES } from '../base/model/storage-error.js';
import { decode, encode } from '../base/wire/codec.js';
import type { EventFields } from './history/event-record.js';
import type { HistoryChanges, HistoryState, HistoryStore, StoredPage } from './history/port.js';
import { bytesOf, couldBeKey, decoded, timedKey, timeOf } from './lmdb-table.js';
import { openStore, type Root, tableOf } from './open-store.js';
import { ReservedSpace, sharedWrites } from './reserved-space.js';
import { BufferedTable, deflated, type TableWrite, WriteBehind } from './write-behind.js';

const VERSION = 1;
const LAST_TIME = Number.MAX_SAFE_INTEGER;
/** Books of an event are adjacent, as in the shards' stores. */
const BOOKS_PER_EVENT = 4_096;
/** Above every key of the first books: an event's number has four bytes. */
const FURTHER_BOOKS = 2 ** 32 * BOOKS_PER_EVENT;
const ID_BYTES = 8;
const NUMBER_BYTES = 4;

/** First byte of a deflated page; an undeflated one begins with its version, which is different. */
const DEFLATED = 0;
/** Most pages are shorter: allocating more costs as much as inflating them. */
const INFLATED_CHUNK = 4_096;
/**
 * A page up to this size is deflated at every write, a larger one when it is full: deflating takes longer than all the
 * rest.
 */
const DEFLATED_EACH_TIME = 1_024;

interface Meta extends HistoryState {
  version: number;
  books: readonly string[];
}

function historyPath(dataDir: string): string {
  return join(dataDir, 'history');
}

export function hasHistory(dataDir: string): boolean {
  return existsSync(join(historyPath(dataDir), 'data.mdb'));
}

export class HistoryFile implements HistoryStore {
  readonly #root: Root;
  readonly #tables: ReturnType<typeof openTables>['tables'];
  readonly #space: ReservedSpace | undefined;
  readonly #path: string;
  /**
   * By key. A caller that requests one row of an event mostly requests others: inflating its pages takes half of the
   * answer's time.
   */
  readonly #inflated: BoundedMap<string, Uint8Array> | undefined;
  readonly #commits: WriteBehind;
  #books: readonly string[] = [];

  /**
   * @param readOnly another process writes it
   * @param commits of this thread, if other stores' have to be in order with its own
   * @throws StorageDamaged if its contents cannot be read
   */
  constructor(dataDir: string, readOnly = false, commits = new WriteBehind()) {
    this.#path = historyPath(dataDir);
    const { root, tables } = openTables(this.#path, readOnly);
    this.#root = root;
    this.#tables = tables;
    this.#commits = commits;
    // Another process's reader reads each page only once.
    if (readOnly) return;
    this.#inflated = new BoundedMap(LIMITS.inflatedHistoryPages.max);
    this.#space = new ReservedSpace(this.#path);
  }

  state(): HistoryState | undefined {
    const bytes = this.#tables.meta.get('meta');
    if (bytes === undefined) return undefined;
    const { version, books, ...state } = decode(bytes) as Meta;
    if (version !== VERSION)
      throw new Error(
        `history was written by another version of overround (version ${version}, this one reads ${VERSION}): move ${this.#path} away`,
      );
    this.#books = books;
    return state;
  }

  *events(): Iterable<{ hno: number; fields: EventFields }> {
    for (const { key, value } of this.#tables.events.range()) yield { hno: key, fields: decode(value) as EventFields };
  }

  event(hno: number): EventFields | undefined {
    return decoded<EventFields>(this.#tables.events.get(hno));
  }

  eventOf(id: string): number | undefined {
    return couldBeKey(id) ? this.#tables.eventIds.get(id)?.readUInt32BE(0) : undefined;
  }

  eventOfRow(oddsId: string): number | undefined {
    return isOddsId(oddsId) ? this.#tables.rowIds.get(idKey(oddsId))?.readUInt32BE(0) : undefined;
  }

  *rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }> {
    for (const range of rangesOf(hno, this.#books.length))
      for (const { key, value } of this.#tables.rows.range(range))
        yield { book: this.#books[range.firstBook + key - range.start] ?? '', bytes: value };
  }

  *pages(hno: number, fromUs: number, toUs: number): Iterable<StoredPage> {
    // The last page that began before the instant may reach beyond it.
    const [before] = this.#tables.pages.keys({
      start: timedKey(hno, fromUs),
      end: timedKey(hno, 0),
      reverse: true,
      limit: 1,
    });
    const start = before !== undefined && before.readUInt32BE(0) === hno ? before : timedKey(hno, fromUs);
    for (const { key, value } of this.#tables.pages.range({
      start,
      end: timedKey(hno, Math.min(toUs, LAST_TIME - 1) + 1),
    }))
      yield { firstUs: timeOf(key), bytes: this.#pageOf(key, value) };
  }

  /** The page as it was encoded. */
  #pageOf(key: Buffer, stored: Buffer): Uint8Array {
    if (stored[0] !== DEFLATED || this.#inflated === undefined) return inflated(stored);
    const name = key.toString('latin1');
    // Inflating allocates a larger buffer.
    const page = getOrInsert(this.#inflated, name, () => Buffer.from(inflated(stored)));
    return page;
  }

  lastPage(hno: number): StoredPage | undefined {
    const range = { start: timedKey(hno, LAST_TIME), end: timedKey(hno, 0), reverse: true, limit: 1 };
    for (const { key, value } of this.#tables.pages.range(range))
      return key.readUInt32BE(0) === hno ? { firstUs: timeOf(key), bytes: inflated(value) } : undefined;
    return undefined;
  }

  *pageKeys(): Iterable<{ hno: number; firstUs: number }> {
    for (const key of this.#tables.pages.keys()) yield { hno: key.readUInt32BE(0), firstUs: timeOf(key) };
  }

  page(hno: number, firstUs: number): Uint8Array | undefined {
    const bytes = this.#tables.pages.get(timedKey(hno, firstUs));
    return bytes === undefined ? undefined : inflated(bytes);
  }

  pageBytes(encoded: Uint8Array, full: boolean): Uint8Array {
    if (!full && encoded.length > DEFLATED_EACH_TIME) return Buffer.from(encoded);
    return Buffer.concat([Buffer.of(DEFLATED), deflated(encoded)]);
  }

  usedBytes(): number {
    return Object.values(this.tableBytes()).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Bytes in the file, by contents. */
  tableBytes(): Record<'events' | 'rows' | 'pages' | 'predictions' | 'results', number> {
    return {
      events: bytesOf(this.#tables.events) + bytesOf(this.#tables.eventIds),
      rows: bytesOf(this.#tables.rows) + bytesOf(this.#tables.rowIds),
      pages: bytesOf(this.#tables.pages),
      predictions: bytesOf(this.#tables.predictions),
      results: bytesOf(this.#tables.results),
    };
  }

  predictions(hno: number): Uint8Array | undefined {
    return this.#tables.predictions.get(hno);
  }

  result(hno: number): Uint8Array | undefined {
    return this.#tables.results.get(hno);
  }

  *predicted(): Iterable<number> {
    yield* this.#tables.predictions.keys();
  }

  write(changes: HistoryChanges, behind = false): void {
    const { events, rows, pages, ids, predictions, results, droppedPages, droppedEvents, ...state } = changes;
    const { meta, events: ofEvents, eventIds, rows: slabs, rowIds, pages: ofPages, ...of } = this.#tables;
    const books = [...this.#books];
    const bookNo = (book: string): number => {
      const known = books.indexOf(book);
      return known >= 0 ? known : books.push(book) - 1;
    };
    const puts: TableWrite[] = [
      ...events.map(({ hno, fields }): TableWrite => [ofEvents, hno, encode(fields)]),
      ...rows.map(({ hno, book, bytes }): TableWrite => [slabs, rowsKey(hno, bookNo(book)), bytes]),
      ...pages.map(({ hno, firstUs, bytes }): TableWrite => [ofPages, this.#changing(hno, firstUs), bytes]),
      ...predictions.map(({ hno, bytes }): TableWrite => [of.predictions, hno, bytes]),
      ...results.map(({ hno, bytes }): TableWrite => [of.results, hno, bytes]),
      [meta, 'meta', encode({ ...state, version: VERSION, books } satisfies Meta)],
    ];
    // A flush of a whole table has an id for each row.
    const changedIds = droppedEvents.reduce((sum, { rowIds: gone }) => sum + gone.length, ids.length);
    const ofIds = sharedWrites(this.#root, rowIds, changedIds, ID_BYTES + NUMBER_BYTES);
    const dropped = droppedPages.length + droppedEvents.length * books.length;
    const count = puts.length + events.length + ofIds + dropped;
    const writes = [
      ...puts,
      ...droppedPages.map(({ hno, firstUs }): TableWrite => [ofPages, this.#changing(hno, firstUs), undefined]),
      ...droppedEvents.flatMap((event) => this.#removals(event)),
      // After the removals: an id may have gone to another event.
      ...events.map(({ hno, fields }): TableWrite => [eventIds, fields.id, numberBytes(hno)]),
      ...ids.map(({ id, hno }): TableWrite => [rowIds, idKey(id), numberBytes(hno)]),
    ];
    this.#commits.commit({ path: this.#path, root: this.#root, space: this.#space!, count, writes }, behind);
    this.#books = books;
  }

  /** The key of a page that is about to be replaced or removed. */
  #changing(hno: number, firstUs: number): Buffer {
    const key = timedKey(hno, firstUs);
    this.#inflated?.delete(key.toString('latin1'));
    return key;
  }

  #removals({ hno, id, rowIds: ids }: HistoryChanges['droppedEvents'][number]): TableWrite[] {
    const { events, eventIds, rows, rowIds, predictions, results } = this.#tables;
    const slabs = [...rangesOf(hno, this.#books.length)].flatMap((range) => [...rows.keys(range)]);
    return [
      ...[events, predictions, results].map((table): TableWrite => [table, hno, undefined]),
      ...(this.eventOf(id) === hno ? [[eventIds, id, undefined] satisfies TableWrite] : []),
      ...ids.map((rowId): TableWrite => [rowIds, idKey(rowId), undefined]),
      ...slabs.map((key): TableWrite => [rows, key, undefined]),
    ];
  }

  /** Makes what others have written since visible. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  async close(): Promise<void> {
    try {
      await this.#commits.ended();
    } finally {
      this.#space?.close();
      await this.#root.close();
    }
  }
}

function openTables(path: string, readOnly: boolean) {
  return openStore(path, { readOnly, ...REPORT_FAILURES }, (root) => ({
    tables: {
      meta: new BufferedTable(root),
      events: new BufferedTable(tableOf<number>(root, 'events')),
      eventIds: new BufferedTable(tableOf<string>(root, 'event-ids')),
      rows: new BufferedTable(tableOf<number>(root, 'rows')),
      rowIds: new BufferedTable(tableOf<Buffer>(root, 'row-ids', { keyEncoding: 'binary' })),
      /** By event and the time of the first change. */
      pages: new BufferedTable(tableOf<Buffer>(root, 'pages', { keyEncoding: 'binary' })),
      predictions: new BufferedTable(tableOf<number>(root, 'predictions')),
      results: new BufferedTable(tableOf<number>(root, 'results')),
    },
  }));
}

function inflated(bytes: Buffer): Uint8Array {
  return bytes[0] === DEFLATED ? inflateRawSync(bytes.subarray(1), { chunkSize: INFLATED_CHUNK }) : bytes;
}

/** The first books of an event stand side by side; each further so many are after those of every event. */
function rowsKey(hno: number, bookNo: number): number {
  return Math.floor(bookNo / BOOKS_PER_EVENT) * FURTHER_BOOKS + hno * BOOKS_PER_EVENT + (bookNo % BOOKS_PER_EVENT);
}

function* rangesOf(hno: number, books: number): Generator<{ start: number; end: number; firstBook: number }> {
  for (let firstBook = 0; firstBook === 0 || firstBook < books; firstBook += BOOKS_PER_EVENT) {
    const start = rowsKey(hno, firstBook);
    yield { start, end: start + BOOKS_PER_EVENT, firstBook };
  }
}

function idKey(oddsId: string): Buffer {
  const key = Buffer.allocUnsafe(ID_BYTES);
  key.writeBigUInt64BE(BigInt(oddsId));
  return key;
}

function numberBytes(hno: number): Buffer {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes.writeUInt32BE(hno);
  return bytes;
}
