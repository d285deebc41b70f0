// Events of which the store's slabs are behind the log, and which of them are put with a commit: every one within
// seconds, a few with each, so that no commit waits for many. All slabs of an event at once, as those of its books are
// neighbours in the store: one by one each of them would cost a page.

import { LIMITS } from '../../base/model/limits.js';
import type { BookQuotes } from '../../base/model/state.js';

/** Whoever starts reads the log of this time, which takes less than reading the rows. */
const PUT_EVERY_US = 10_000_000;
/** With one commit, at least. */
const PUT_AT_ONCE = 64;

export interface EventBehind {
  readonly no: number;
  /** Position of the first batch that not all of its slabs have. */
  readonly sinceUs: number;
  /** Bytes of the log before that. */
  readonly logged: number;
  /** Those whose numbers changed since. */
  readonly books: Set<BookQuotes>;
}

export class SlabBacklog {
  /** By number; the one that is behind for the longest time is the first. */
  readonly #events = new Map<number, EventBehind>();
  #logged = 0;

  /** As the store has them. */
  load(events: readonly { no: number; sinceUs: number; quotes?: BookQuotes }[]): void {
    this.#logged = 0;
    this.#events.clear();
    for (const { no, sinceUs, quotes } of events.toSorted((a, b) => a.sinceUs - b.sinceUs))
      this.add(no, sinceUs, quotes);
  }

  /** @param quotes if it is its numbers that changed */
  add(no: number, sinceUs: number, quotes?: BookQuotes): void {
    let behind = this.#events.get(no);
    if (behind === undefined) {
      behind = { no, sinceUs, logged: this.#logged, books: new Set() };
      this.#events.set(no, behind);
    }
    if (quotes !== undefined) behind.books.add(quotes);
  }

  /** The event is removed, with its numbers. */
  remove(no: number): void {
    this.#events.get(no)?.books.clear();
  }

  /** Those that are put with a commit of so many bytes of log, in which so many changed: at least as fast as others come. */
  due(position: number, changed: number, logBytes: number): EventBehind[] {
    this.#logged += logBytes;
    return this.#first(Math.max(PUT_AT_ONCE, 2 * changed), ({ sinceUs, logged }) => {
      return position - sinceUs >= PUT_EVERY_US || this.#logged - logged >= LIMITS.logAfterSlabs.max;
    });
  }

  all(): EventBehind[] {
    return [...this.#events.values()];
  }

  /** The first of those that were behind at a position. */
  behindAt(position: number): EventBehind[] {
    return this.#first(PUT_AT_ONCE, ({ sinceUs }) => sinceUs <= position);
  }

  /** @param max slabs, the last event's apart */
  #first(max: number, are: (behind: EventBehind) => boolean): EventBehind[] {
    const first: EventBehind[] = [];
    let slabs = 0;
    for (const behind of this.#events.values()) {
      if (slabs >= max || !are(behind)) break;
      slabs += behind.books.size + 1;
      first.push(behind);
    }
    return first;
  }

  /** The first ones are put. */
  delete(first: readonly EventBehind[]): void {
    for (const { no } of first) this.#events.delete(no);
  }

  /** The position that all slabs are as of, or later, once the first ones are put and the last commit is at `position`. */
  to(position: number, first: readonly EventBehind[]): number {
    let left = first.length;
    for (const { sinceUs } of this.#events.values()) if (left-- === 0) return Math.min(sinceUs - 1, position);
    return position;
  }
}
