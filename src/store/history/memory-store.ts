// History in memory, for a backtest.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { EventFields } from './event-record.js';
import type { HistoryState, HistoryStore, StoredPage } from './port.js';

export function memoryHistoryStore(): HistoryStore {
  const eventsByNo = new Map<number, EventFields>();
  const eventIds = new Map<string, number>();
  const books = new Map<number, Map<string, Uint8Array>>();
  const rowIds = new Map<string, number>();
  /** By event, in order of time. */
  const pagesByEvent = new Map<number, StoredPage[]>();
  const predictionsByEvent = new Map<number, Uint8Array>();
  const resultsByEvent = new Map<number, Uint8Array>();
  let last: HistoryState | undefined;
  const pagesOf = (hno: number): readonly StoredPage[] => pagesByEvent.get(hno) ?? [];
  return {
    state: () => last,
    *events() {
      for (const [hno, fields] of eventsByNo) yield { hno, fields };
    },
    event: (hno) => eventsByNo.get(hno),
    eventOf: (id) => eventIds.get(id),
    eventOfRow: (oddsId) => rowIds.get(oddsId),
    *rows(hno) {
      for (const [book, bytes] of books.get(hno) ?? []) yield { book, bytes };
    },
    pages: (hno, _fromUs, toUs) => pagesOf(hno).filter(({ firstUs }) => firstUs <= toUs),
    lastPage: (hno) => pagesOf(hno).at(-1),
    *pageKeys() {
      for (const [hno, pages] of pagesByEvent) for (const { firstUs } of pages) yield { hno, firstUs };
    },
    page: (hno, firstUs) => pagesOf(hno).find((page) => page.firstUs === firstUs)?.bytes,
    result: (hno) => resultsByEvent.get(hno),
    predictions: (hno) => predictionsByEvent.get(hno),
    predicted: () => predictionsByEvent.keys(),
    pageBytes: (encoded) => Uint8Array.from(encoded),
    usedBytes: () => [...pagesByEvent.values()].flat().reduce((sum, { bytes }) => sum + bytes.length, 0),
    write({ events, rows, pages, predictions, results, ids, droppedPages, droppedEvents, cursors, epoch, gaps }) {
      last = { cursors: [...cursors], epoch, gaps: [...gaps] };
      for (const { hno, fields } of events) {
        eventsByNo.set(hno, fields);
        eventIds.set(fields.id, hno);
      }
      for (const { hno, book, bytes } of rows)
        getOrInsert(books, hno, () => new Map()).set(book, Uint8Array.from(bytes));
      for (const { hno, firstUs, bytes } of pages) {
        const others = pagesOf(hno).filter((page) => page.firstUs !== firstUs);
        pagesByEvent.set(
          hno,
          [...others, { firstUs, bytes }].sort((a, b) => a.firstUs - b.firstUs),
        );
      }
      for (const { hno, bytes } of predictions) predictionsByEvent.set(hno, Uint8Array.from(bytes));
      for (const { hno, bytes } of results) resultsByEvent.set(hno, Uint8Array.from(bytes));
      for (const { id, hno } of ids) rowIds.set(id, hno);
      for (const { hno, firstUs } of droppedPages)
        pagesByEvent.set(
          hno,
          pagesOf(hno).filter((page) => page.firstUs !== firstUs),
        );
      for (const { hno, id, rowIds: gone } of droppedEvents) {
        for (const map of [eventsByNo, books, pagesByEvent, predictionsByEvent, resultsByEvent]) map.delete(hno);
        if (eventIds.get(id) === hno) eventIds.delete(id);
        for (const rowId of gone) rowIds.delete(rowId);
      }
    },
  };
}
