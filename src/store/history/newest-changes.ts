// When each event changed last: which of them are asked about changes since an instant.
import { decodePage, endOfDayUs } from './page.js';
import type { HistoryStore } from './port.js';

export class NewestChanges {
  readonly #store: HistoryStore;
  /** By event, Unix µs. What was not written may be discarded, and comes again. */
  readonly #us = new Map<number, number>();
  /** As known from the keys of their pages: at the latest then, as a page is of one day. Absent until they are asked for. */
  #latest: Map<number, number> | undefined;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  changed(hno: number, atUs: number): void {
    this.#us.set(hno, atUs);
    this.#latest?.delete(hno);
  }

  forget(hno: number): void {
    this.#us.delete(hno);
    this.#latest?.delete(hno);
  }

  /** Those that changed at the instant or after it, ascending. */
  since(fromUs: number, only?: readonly number[]): number[] {
    this.#latest ??= this.#stored();
    for (const [hno, us] of this.#latest) if (us >= fromUs) this.#settle(hno);
    const found: number[] = [];
    for (const hno of only ?? this.#us.keys()) if ((this.#us.get(hno) ?? -1) >= fromUs) found.push(hno);
    return found.sort((a, b) => a - b);
  }

  #stored(): Map<number, number> {
    const latest = new Map<number, number>();
    for (const { hno, firstUs } of this.#store.pageKeys())
      if (!this.#us.has(hno)) latest.set(hno, Math.max(latest.get(hno) ?? 0, endOfDayUs(firstUs)));
    return latest;
  }

  #settle(hno: number): void {
    let newest = 0;
    const page = this.#store.lastPage(hno);
    if (page !== undefined)
      decodePage(page.bytes, (_row, atUs) => {
        if (atUs > newest) newest = atUs;
      });
    this.changed(hno, newest);
  }
}
