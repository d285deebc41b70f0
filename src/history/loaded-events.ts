// The events in memory: those in use, read from the store when they are asked for and let go when nobody has for long.

import { Interner } from '../memory/interner.js';
import { LIMITS } from '../model/limits.js';
import { ownText } from '../wire/own-text.js';
import { type HistoryEvent, unpackRows } from './event-record.js';
import { readPage } from './page.js';
import type { HistoryStore } from './port.js';
import { blankEvent } from './recorded-event.js';

/** They hold at most about so many rows; those untouched for longest go first. */
const ROWS_MAX = LIMITS.loadedHistoryRows.max;
const IDLE_US = 600e6;

export class LoadedEvents {
  readonly #store: HistoryStore;
  readonly #events = new Map<number, HistoryEvent>();
  readonly #texts = new Interner(LIMITS.sharedTexts.max);

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  /** Texts of a delta are parts of one that is as long as all of them: what is kept is a copy. */
  readonly intern = (text: string): string => this.#texts.intern(ownText(text));

  /** Undefined where it is not in memory. */
  held(hno: number): HistoryEvent | undefined {
    return this.#events.get(hno);
  }

  /** Read from the store where it is not in memory. */
  get(hno: number): HistoryEvent | undefined {
    const held = this.#events.get(hno);
    if (held !== undefined) return held;
    const fields = this.#store.event(hno);
    if (fields === undefined) return undefined;
    const event = blankEvent(hno, fields, 0);
    event.fieldsChanged = false;
    for (const { book, bytes } of this.#store.rows(hno))
      for (const row of unpackRows(bytes, this.intern(book), this.intern)) {
        event.rows[row.place] = row;
        event.byId.set(row.id, row);
      }
    const last = this.#store.lastPage(hno);
    if (last !== undefined) event.page = readPage(last.bytes);
    this.#events.set(hno, event);
    return event;
  }

  add(event: HistoryEvent): void {
    this.#events.set(event.hno, event);
  }

  clear(): void {
    this.#events.clear();
  }

  delete(hno: number): void {
    this.#events.delete(hno);
  }

  /** Has memory hold what is in use, not all there ever was. To be called when all is written. */
  letGo(nowUs: number): void {
    let rows = 0;
    for (const event of this.#events.values()) rows += event.rows.length;
    const longest = [...this.#events.values()].sort((a, b) => a.usedUs - b.usedUs);
    for (const event of longest) {
      if (rows <= ROWS_MAX && event.usedUs > nowUs - IDLE_US) return;
      this.#events.delete(event.hno);
      rows -= event.rows.length;
    }
  }
}
