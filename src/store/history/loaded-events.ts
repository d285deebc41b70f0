// The events in memory: read from the store when they are needed and released when they have not been used for long.

import { Interner } from '../../base/memory/detached-text.js';
import { LIMITS } from '../../base/model/limits.js';
import { type HistoryEvent, unpackRows } from './event-record.js';
import { readPage } from './page.js';
import type { HistoryStore } from './port.js';
import { blankEvent } from './recorded-event.js';

/** Approximate maximum number of rows in memory; the least recently used events are released first. */
const ROWS_MAX = LIMITS.loadedHistoryRows.max;
/** To read a game again takes a millisecond; held for ten minutes, a market that was just filled stayed in memory as long. */
const IDLE_US = 60e6;

export class LoadedEvents {
  readonly #store: HistoryStore;
  readonly #events = new Map<number, HistoryEvent>();
  readonly #texts = new Interner(LIMITS.sharedTexts.max);

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  readonly intern = (text: string): string => this.#texts.intern(text);

  /** Undefined if it is not in memory. */
  inMemory(hno: number): HistoryEvent | undefined {
    return this.#events.get(hno);
  }

  /** Read from the store if it is not in memory. */
  get(hno: number): HistoryEvent | undefined {
    const inMemory = this.#events.get(hno);
    if (inMemory !== undefined) return inMemory;
    const fields = this.#store.event(hno);
    if (fields === undefined) return undefined;
    const event = blankEvent(hno, fields, 0);
    event.fieldsChanged = false;
    for (const { book, bytes } of this.#store.rows(hno))
      for (const row of unpackRows(bytes, this.intern(book), this.intern)) event.byId.add(row);
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

  /** Releases events that are not in use. To be called when everything is written. */
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
