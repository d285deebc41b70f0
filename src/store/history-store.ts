// The store of history: an LMDB file of its own beside the shards'. Other processes may read it while it is written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { BoundedMap } from '../base/memory/bounded-map.js';
import { isOddsId } from '../base/model/identity.js';
import { LIMITS } from '../base/model/limits.js';
import { decode, encode } from '../base/wire/codec.js';
import type { EventFields } from './history/event-record.js';
import type { HistoryChanges, HistoryState, HistoryStore, StoredPage } from './history/port.js';
import { bytesOf, couldBeKey, decoded, timedKey, timeOf } from './lmdb-table.js';
import { commitTo, openStore, tableOf } from './open-store.js';
import { bytesIn, ReservedSpace, sharedWrites } from './reserved-space.js';

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
const DEFLATE_LEVEL = 3;
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
  readonly #db: ReturnType<typeof openTables>;
  readonly #room: ReservedSpace | undefined;
  readonly #path: string;
  /**
   * By key. A caller that requests one row of an event mostly requests others: inflating its pages takes half of the
   * answer's time.
   */
  readonly #inflated: BoundedMap<string, Uint8Array> | undefined;
  #books: readonly string[] = [];

  /** Throws StorageDamaged if its contents cannot be read. */
  constructor(dataDir: string, readOnly = false) {
    this.#path = historyPath(dataDir);
    this.#db = openTables(this.#path, readOnly);
    // Another process's reader reads each page only once.
    if (readOnly) return;
    this.#inflated = new BoundedMap(LIMITS.inflatedHistoryPages.max);
    this.#room = new ReservedSpace(this.#path);
  }

  state(): HistoryState | undefined {
    const bytes = this.#db.root.getBinary('meta');
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
    for (const { key, value } of this.#db.events.getRange()) yield { hno: key, fields: decode(value) as EventFields };
  }

  event(hno: number): EventFields | undefined {
    return decoded<EventFields>(this.#db.events.getBinary(hno));
  }

  eventOf(id: string): number | undefined {
    return couldBeKey(id) ? this.#db.eventIds.getBinary(id)?.readUInt32BE(0) : undefined;
  }

  eventOfRow(oddsId: string): number | undefined {
    return isOddsId(oddsId) ? this.#db.rowIds.getBinary(idKey(oddsId))?.readUInt32BE(0) : undefined;
  }

  *rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }> {
    for (const range of rangesOf(hno, this.#books.length))
      for (const { key, value } of this.#db.rows.getRange(range))
        yield { book: this.#books[range.firstBook + key - range.start] ?? '', bytes: value };
  }

  *pages(hno: number, fromUs: number, toUs: number): Iterable<StoredPage> {
    // The last page that began before the instant may reach beyond it.
    const [before] = this.#db.pages.getKeys({
      start: timedKey(hno, fromUs),
      end: timedKey(hno, 0),
      reverse: true,
      limit: 1,
    });
    const start = before !== undefined && before.readUInt32BE(0) === hno ? before : timedKey(hno, fromUs);
    for (const { key, value } of this.#db.pages.getRange({
      start,
      end: timedKey(hno, Math.min(toUs, LAST_TIME - 1) + 1),
    }))
      yield { firstUs: timeOf(key), bytes: this.#pageOf(key, value) };
  }

  /** The page as it was encoded. */
  #pageOf(key: Buffer, stored: Buffer): Uint8Array {
    if (stored[0] !== DEFLATED || this.#inflated === undefined) return inflated(stored);
    const name = key.toString('latin1');
    let page = this.#inflated.get(name);
    if (page === undefined) {
      // Inflating allocates a larger buffer.
      page = Buffer.from(inflated(stored));
      this.#inflated.set(name, page);
    }
    return page;
  }

  lastPage(hno: number): StoredPage | undefined {
    const range = { start: timedKey(hno, LAST_TIME), end: timedKey(hno, 0), reverse: true, limit: 1 };
    for (const { key, value } of this.#db.pages.getRange(range))
      return key.readUInt32BE(0) === hno ? { firstUs: timeOf(key), bytes: inflated(value) } : undefined;
    return undefined;
  }

  *pageKeys(): Iterable<{ hno: number; firstUs: number }> {
    for (const key of this.#db.pages.getKeys()) yield { hno: key.readUInt32BE(0), firstUs: timeOf(key) };
  }

  page(hno: number, firstUs: number): Uint8Array | undefined {
    const bytes = this.#db.pages.getBinary(timedKey(hno, firstUs));
    return bytes === undefined ? undefined : inflated(bytes);
  }

  pageBytes(encoded: Uint8Array, full: boolean): Uint8Array {
    if (!full && encoded.length > DEFLATED_EACH_TIME) return Buffer.from(encoded);
    return Buffer.concat([Buffer.of(DEFLATED), deflateRawSync(encoded, { level: DEFLATE_LEVEL })]);
  }

  usedBytes(): number {
    return Object.values(this.tableBytes()).reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Bytes in the file, by contents. */
  tableBytes(): Record<'events' | 'rows' | 'pages' | 'predictions' | 'results', number> {
    return {
      events: bytesOf(this.#db.events) + bytesOf(this.#db.eventIds),
      rows: bytesOf(this.#db.rows) + bytesOf(this.#db.rowIds),
      pages: bytesOf(this.#db.pages),
      predictions: bytesOf(this.#db.predictions),
      results: bytesOf(this.#db.results),
    };
  }

  predictions(hno: number): Uint8Array | undefined {
    return this.#db.predictions.getBinary(hno);
  }

  result(hno: number): Uint8Array | undefined {
    return this.#db.results.getBinary(hno);
  }

  *predicted(): Iterable<number> {
    yield* this.#db.predictions.getKeys();
  }

  write({
    events,
    rows,
    pages,
    ids,
    predictions,
    results,
    droppedPages,
    droppedEvents,
    ...state
  }: HistoryChanges): void {
    const books = [...this.#books];
    const bookNo = (book: string): number => {
      const known = books.indexOf(book);
      return known >= 0 ? known : books.push(book) - 1;
    };
    const slabs = rows.map(({ hno, book, bytes }) => ({ key: rowsKey(hno, bookNo(book)), bytes }));
    const meta = encode({ ...state, version: VERSION, books } satisfies Meta);
    const encoded = events.map(({ hno, fields }) => ({ hno, id: fields.id, bytes: encode(fields) }));
    // A flush of a whole table has an id for each row.
    const changedIds = droppedEvents.reduce((sum, { rowIds }) => sum + rowIds.length, ids.length);
    const ofIds = sharedWrites(this.#db.root, this.#db.rowIds, changedIds, ID_BYTES + NUMBER_BYTES);
    const dropped = droppedEvents.length * books.length;
    const puts = [encoded, slabs, pages, predictions, results];
    this.#room?.reserve(
      puts.reduce((sum, { length }) => sum + length, 1) + events.length + ofIds + droppedPages.length + dropped,
      puts.reduce((sum, entries) => sum + bytesIn(entries), meta.length),
    );
    commitTo(this.#path, this.#db.root, () => {
      for (const { hno, id, bytes } of encoded) {
        void this.#db.events.put(hno, bytes);
        void this.#db.eventIds.put(id, numberBytes(hno));
      }
      for (const { key, bytes } of slabs) void this.#db.rows.put(key, bytes as Buffer);
      for (const { hno, firstUs, bytes } of pages)
        void this.#db.pages.put(this.#changing(hno, firstUs), bytes as Buffer);
      for (const { id, hno } of ids) void this.#db.rowIds.put(idKey(id), numberBytes(hno));
      for (const { hno, bytes } of predictions) void this.#db.predictions.put(hno, bytes as Buffer);
      for (const { hno, bytes } of results) void this.#db.results.put(hno, bytes as Buffer);
      for (const { hno, firstUs } of droppedPages) void this.#db.pages.remove(this.#changing(hno, firstUs));
      for (const event of droppedEvents) this.#drop(event);
      void this.#db.root.put('meta', meta);
    });
    this.#books = books;
  }

  /** The key of a page that is about to be replaced or removed. */
  #changing(hno: number, firstUs: number): Buffer {
    const key = timedKey(hno, firstUs);
    this.#inflated?.delete(key.toString('latin1'));
    return key;
  }

  /** Within the current transaction. */
  #drop({ hno, id, rowIds }: HistoryChanges['droppedEvents'][number]): void {
    void this.#db.events.remove(hno);
    void this.#db.predictions.remove(hno);
    void this.#db.results.remove(hno);
    if (this.eventOf(id) === hno) void this.#db.eventIds.remove(id);
    for (const rowId of rowIds) void this.#db.rowIds.remove(idKey(rowId));
    for (const range of rangesOf(hno, this.#books.length))
      for (const key of [...this.#db.rows.getKeys(range)]) void this.#db.rows.remove(key);
  }

  /** Makes what others have written since visible. */
  refresh(): void {
    this.#db.root.resetReadTxn();
  }

  close(): Promise<void> {
    this.#room?.close();
    return this.#db.root.close();
  }
}

function openTables(path: string, readOnly: boolean) {
  return openStore(path, { readOnly }, (root) => ({
    events: tableOf<number>(root, 'events'),
    eventIds: tableOf<string>(root, 'event-ids'),
    rows: tableOf<number>(root, 'rows'),
    rowIds: tableOf<Buffer>(root, 'row-ids', { keyEncoding: 'binary' }),
    /** By event and the time of the first change. */
    pages: tableOf<Buffer>(root, 'pages', { keyEncoding: 'binary' }),
    predictions: tableOf<number>(root, 'predictions'),
    results: tableOf<number>(root, 'results'),
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
