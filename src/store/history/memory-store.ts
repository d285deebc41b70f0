// History in memory, for a backtest.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { EventFields } from './event-record.js';
import type { HistoryChanges, HistoryState, HistoryStore, StoredPage } from './port.js';

export class MemoryHistoryStore implements HistoryStore {
  readonly #events = new Map<number, EventFields>();
  readonly #eventIds = new Map<string, number>();
  readonly #rows = new Map<number, Map<string, Uint8Array>>();
  readonly #rowIds = new Map<string, number>();
  /** By event, in order of time. */
  readonly #pages = new Map<number, StoredPage[]>();
  readonly #predictions = new Map<number, Uint8Array>();
  readonly #results = new Map<number, Uint8Array>();
  #state: HistoryState | undefined;

  state(): HistoryState | undefined {
    return this.#state;
  }

  *events(): Iterable<{ hno: number; fields: EventFields }> {
    for (const [hno, fields] of this.#events) yield { hno, fields };
  }

  event(hno: number): EventFields | undefined {
    return this.#events.get(hno);
  }

  eventOf(id: string): number | undefined {
    return this.#eventIds.get(id);
  }

  eventOfRow(oddsId: string): number | undefined {
    return this.#rowIds.get(oddsId);
  }

  *rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }> {
    for (const [book, bytes] of this.#rows.get(hno) ?? []) yield { book, bytes };
  }

  *pages(hno: number, _fromUs: number, toUs: number): Iterable<StoredPage> {
    for (const page of this.#pages.get(hno) ?? []) if (page.firstUs <= toUs) yield page;
  }

  lastPage(hno: number): StoredPage | undefined {
    return this.#pages.get(hno)?.at(-1);
  }

  *pageKeys(): Iterable<{ hno: number; firstUs: number }> {
    for (const [hno, pages] of this.#pages) for (const { firstUs } of pages) yield { hno, firstUs };
  }

  page(hno: number, firstUs: number): Uint8Array | undefined {
    return this.#pages.get(hno)?.find((page) => page.firstUs === firstUs)?.bytes;
  }

  result(hno: number): Uint8Array | undefined {
    return this.#results.get(hno);
  }

  predictions(hno: number): Uint8Array | undefined {
    return this.#predictions.get(hno);
  }

  predicted(): Iterable<number> {
    return this.#predictions.keys();
  }

  pageBytes(encoded: Uint8Array): Uint8Array {
    return Uint8Array.from(encoded);
  }

  usedBytes(): number {
    let bytes = 0;
    for (const pages of this.#pages.values()) for (const page of pages) bytes += page.bytes.length;
    return bytes;
  }

  write(changes: HistoryChanges): void {
    const { events, rows, pages, predictions, results, ids, droppedPages, droppedEvents, cursors, epoch, gaps } =
      changes;
    this.#state = { cursors: [...cursors], epoch, gaps: [...gaps] };
    for (const { hno, fields } of events) {
      this.#events.set(hno, fields);
      this.#eventIds.set(fields.id, hno);
    }
    for (const { hno, book, bytes } of rows)
      getOrInsert(this.#rows, hno, () => new Map()).set(book, Uint8Array.from(bytes));
    for (const { hno, firstUs, bytes } of pages) this.#putPage(hno, { firstUs, bytes });
    for (const { hno, bytes } of predictions) this.#predictions.set(hno, Uint8Array.from(bytes));
    for (const { hno, bytes } of results) this.#results.set(hno, Uint8Array.from(bytes));
    for (const { id, hno } of ids) this.#rowIds.set(id, hno);
    for (const { hno, firstUs } of droppedPages)
      this.#pages.set(
        hno,
        (this.#pages.get(hno) ?? []).filter((page) => page.firstUs !== firstUs),
      );
    for (const { hno, id, rowIds } of droppedEvents) {
      for (const map of [this.#events, this.#rows, this.#pages, this.#predictions, this.#results]) map.delete(hno);
      if (this.#eventIds.get(id) === hno) this.#eventIds.delete(id);
      for (const rowId of rowIds) this.#rowIds.delete(rowId);
    }
  }

  #putPage(hno: number, page: StoredPage): void {
    const pages = this.#pages.get(hno) ?? [];
    this.#pages.set(hno, [...pages.filter(({ firstUs }) => firstUs !== page.firstUs), page]);
    this.#pages.get(hno)!.sort((a, b) => a.firstUs - b.firstUs);
  }
}
