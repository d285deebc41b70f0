// The store of history: an LMDB file of its own beside the shards'. Other processes may read it while it is written.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { EventFields } from '../history/event-record.js';
import type { HistoryChanges, HistoryState, HistoryStore, StoredPage } from '../history/port.js';
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from '../model/limits.js';
import { decode, encode } from '../wire/codec.js';
import { checkDataFile } from './data-file.js';
import { makeStoreDirectory } from './free-space.js';
import { bytesOf, MAP_BYTES } from './lmdb-table.js';
import { PRIVATE_STORE } from './private-files.js';
import { bytesIn, ReservedRoom } from './reserved-room.js';
import { failedCommit, StorageDamaged } from './storage-error.js';

const VERSION = 1;
/** A page's key: the event's number, then the time of its first change (Unix µs, seven bytes), big-endian. */
const EVENT_BYTES = 4;
const KEY_BYTES = EVENT_BYTES + 7;
const LOW_BITS = 2 ** 32;
const EVENT_NUMBERS = 2 ** 32;
const LAST_TIME = Number.MAX_SAFE_INTEGER;
/** Books of an event are adjacent, as in the shards' stores. */
const BOOKS_PER_EVENT = 4_096;
const ID_BYTES = 8;

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
  readonly #root: RootDatabase<Buffer, string>;
  readonly #events: Database<Buffer, number>;
  readonly #eventIds: Database<Buffer, string>;
  readonly #rows: Database<Buffer, number>;
  readonly #rowIds: Database<Buffer, Buffer>;
  readonly #pages: Database<Buffer, Buffer>;
  readonly #predictions: Database<Buffer, number>;
  readonly #room: ReservedRoom | undefined;
  readonly #path: string;
  /**
   * By key. A caller that requests one row of an event mostly requests others: inflating its pages takes half of the
   * answer's time.
   */
  readonly #inflated: BoundedMap<string, Uint8Array> | undefined;
  #books: readonly string[] = [];

  /** Throws StorageDamaged if its contents cannot be read. */
  constructor(dataDir: string, readOnly = false) {
    const path = historyPath(dataDir);
    this.#path = path;
    // Another process's reader reads each page only once.
    if (!readOnly) this.#inflated = new BoundedMap(LIMITS.inflatedHistoryPages.max);
    if (!readOnly) makeStoreDirectory(path);
    if (!readOnly) checkDataFile(path);
    try {
      this.#root = open<Buffer, string>({
        path,
        encoding: 'binary',
        mapSize: MAP_BYTES,
        maxDbs: 12,
        readOnly,
        ...PRIVATE_STORE,
      });
      const numbered = (name: string) => this.#root.openDB<Buffer, number>({ name, encoding: 'binary' });
      const keyed = (name: string) =>
        this.#root.openDB<Buffer, Buffer>({ name, encoding: 'binary', keyEncoding: 'binary' });
      this.#events = numbered('events');
      this.#eventIds = this.#root.openDB<Buffer, string>({ name: 'event-ids', encoding: 'binary' });
      this.#rows = numbered('rows');
      this.#rowIds = keyed('row-ids');
      this.#pages = keyed('pages');
      this.#predictions = numbered('predictions');
      if (!readOnly) this.#room = new ReservedRoom(path);
    } catch (error) {
      throw new StorageDamaged(path, error);
    }
  }

  state(): HistoryState | undefined {
    const bytes = this.#root.getBinary('meta');
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
    for (const { key, value } of this.#events.getRange()) yield { hno: key, fields: decode(value) as EventFields };
  }

  event(hno: number): EventFields | undefined {
    const bytes = this.#events.getBinary(hno);
    return bytes === undefined ? undefined : (decode(bytes) as EventFields);
  }

  eventOf(id: string): number | undefined {
    return this.#eventIds.getBinary(id)?.readUInt32BE(0);
  }

  eventOfRow(oddsId: string): number | undefined {
    return this.#rowIds.getBinary(idKey(oddsId))?.readUInt32BE(0);
  }

  *rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }> {
    const first = hno * BOOKS_PER_EVENT;
    for (const { key, value } of this.#rows.getRange({ start: first, end: first + BOOKS_PER_EVENT }))
      yield { book: this.#books[key - first] ?? '', bytes: value };
  }

  *pages(hno: number, fromUs: number, toUs: number): Iterable<StoredPage> {
    // The last page that began before the instant may reach beyond it.
    const [before] = this.#pages.getKeys({
      start: pageKey(hno, fromUs),
      end: pageKey(hno, 0),
      reverse: true,
      limit: 1,
    });
    const start = before !== undefined && before.readUInt32BE(0) === hno ? before : pageKey(hno, fromUs);
    for (const { key, value } of this.#pages.getRange({ start, end: pageKey(hno, Math.min(toUs, LAST_TIME - 1) + 1) }))
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
    const range = { start: pageKey(hno, LAST_TIME), end: pageKey(hno, 0), reverse: true, limit: 1 };
    for (const { key, value } of this.#pages.getRange(range))
      return key.readUInt32BE(0) === hno ? { firstUs: timeOf(key), bytes: inflated(value) } : undefined;
    return undefined;
  }

  *pageKeys(): Iterable<{ hno: number; firstUs: number }> {
    for (const key of this.#pages.getKeys()) yield { hno: key.readUInt32BE(0), firstUs: timeOf(key) };
  }

  page(hno: number, firstUs: number): Uint8Array | undefined {
    const bytes = this.#pages.getBinary(pageKey(hno, firstUs));
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
  tableBytes(): Record<'events' | 'rows' | 'pages' | 'predictions', number> {
    return {
      events: bytesOf(this.#events) + bytesOf(this.#eventIds),
      rows: bytesOf(this.#rows) + bytesOf(this.#rowIds),
      pages: bytesOf(this.#pages),
      predictions: bytesOf(this.#predictions),
    };
  }

  predictions(hno: number): Uint8Array | undefined {
    return this.#predictions.getBinary(hno);
  }

  *predicted(): Iterable<number> {
    yield* this.#predictions.getKeys();
  }

  write({ events, rows, pages, ids, predictions, droppedPages, droppedEvents, ...state }: HistoryChanges): void {
    const books = [...this.#books];
    const bookNo = (book: string): number => {
      const known = books.indexOf(book);
      return known >= 0 ? known : books.push(book) - 1;
    };
    const slabs = rows.map(({ hno, book, bytes }) => ({ key: hno * BOOKS_PER_EVENT + bookNo(book), bytes }));
    const meta = encode({ ...state, version: VERSION, books } satisfies Meta);
    const encoded = events.map(({ hno, fields }) => ({ hno, id: fields.id, bytes: encode(fields) }));
    const dropped = droppedEvents.reduce((sum, { rowIds }) => sum + rowIds.length + books.length, 0);
    const puts = [encoded, slabs, pages, predictions];
    this.#room?.reserve(
      puts.reduce((sum, { length }) => sum + length, 1) + events.length + ids.length + droppedPages.length + dropped,
      puts.reduce((sum, entries) => sum + bytesIn(entries), meta.length),
    );
    this.#commit(() => {
      for (const { hno, id, bytes } of encoded) {
        void this.#events.put(hno, bytes);
        void this.#eventIds.put(id, numberBytes(hno));
      }
      for (const { key, bytes } of slabs) void this.#rows.put(key, bytes as Buffer);
      for (const { hno, firstUs, bytes } of pages) void this.#pages.put(this.#changing(hno, firstUs), bytes as Buffer);
      for (const { id, hno } of ids) void this.#rowIds.put(idKey(id), numberBytes(hno));
      for (const { hno, bytes } of predictions) void this.#predictions.put(hno, bytes as Buffer);
      for (const { hno, firstUs } of droppedPages) void this.#pages.remove(this.#changing(hno, firstUs));
      for (const event of droppedEvents) this.#drop(event);
      void this.#root.put('meta', meta);
    });
    this.#books = books;
  }

  #commit(writes: () => void): void {
    try {
      this.#root.transactionSync(writes);
    } catch (error) {
      throw failedCommit(this.#path, this.#root, error);
    }
  }

  /** The key of a page that is about to be replaced or removed. */
  #changing(hno: number, firstUs: number): Buffer {
    const key = pageKey(hno, firstUs);
    this.#inflated?.delete(key.toString('latin1'));
    return key;
  }

  /** Within the current transaction. */
  #drop({ hno, id, rowIds }: HistoryChanges['droppedEvents'][number]): void {
    void this.#events.remove(hno);
    void this.#predictions.remove(hno);
    if (this.eventOf(id) === hno) void this.#eventIds.remove(id);
    for (const rowId of rowIds) void this.#rowIds.remove(idKey(rowId));
    for (const key of [...this.#rows.getKeys({ start: hno * BOOKS_PER_EVENT, end: (hno + 1) * BOOKS_PER_EVENT })])
      void this.#rows.remove(key);
  }

  /** Makes what others have written since visible. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  close(): Promise<void> {
    this.#room?.close();
    return this.#root.close();
  }
}

function inflated(bytes: Buffer): Uint8Array {
  return bytes[0] === DEFLATED ? inflateRawSync(bytes.subarray(1), { chunkSize: INFLATED_CHUNK }) : bytes;
}

function pageKey(hno: number, us: number): Buffer {
  if (hno >= EVENT_NUMBERS) throw new RangeError(`event number ${hno}`);
  const key = Buffer.allocUnsafe(KEY_BYTES);
  key.writeUInt32BE(hno, 0);
  const high = Math.floor(us / LOW_BITS);
  key.writeUIntBE(high, EVENT_BYTES, 3);
  key.writeUInt32BE(us - high * LOW_BITS, EVENT_BYTES + 3);
  return key;
}

function timeOf(key: Buffer): number {
  return key.readUIntBE(EVENT_BYTES, 3) * LOW_BITS + key.readUInt32BE(EVENT_BYTES + 3);
}

function idKey(oddsId: string): Buffer {
  const key = Buffer.allocUnsafe(ID_BYTES);
  key.writeBigUInt64BE(BigInt(oddsId));
  return key;
}

function numberBytes(hno: number): Buffer {
  const bytes = Buffer.allocUnsafe(EVENT_BYTES);
  bytes.writeUInt32BE(hno);
  return bytes;
}
