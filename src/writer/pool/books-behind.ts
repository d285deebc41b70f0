// Books whose numbers in the store are behind the log, and which of them are put with a commit: every one within seconds,
// a few with each, so that no commit waits for many. All those of an event at once, as they are neighbours in the store:
// one by one each of them would cost a page.

import { LIMITS } from '../../base/model/limits.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';

/** Whoever starts reads the log of this time, which takes less than reading the rows. */
const PUT_EVERY_US = 10_000_000;
/** With one commit, at least. */
const PUT_AT_ONCE = 64;

/** Of one event. */
interface Behind {
  /** Position of the first batch that not all of its slabs have. */
  readonly sinceUs: number;
  /** Bytes of the log before that. */
  readonly logged: number;
  readonly books: Set<BookQuotes>;
}

export class BooksBehind {
  /** The event that is behind for the longest time is the first. */
  readonly #events = new Map<EventState, Behind>();
  #logged = 0;

  /** As the store has them; the position of the first batch that each slab may not have. */
  load(books: readonly [quotes: BookQuotes, sinceUs: number][]): void {
    this.#logged = 0;
    this.#events.clear();
    for (const [quotes, sinceUs] of books.toSorted(([, a], [, b]) => a - b)) this.add(quotes, sinceUs);
  }

  add(quotes: BookQuotes, sinceUs: number): void {
    const { event } = quotes;
    const behind = this.#events.get(event);
    if (behind === undefined) this.#events.set(event, { sinceUs, logged: this.#logged, books: new Set([quotes]) });
    else behind.books.add(quotes);
  }

  /** They are put, or gone. */
  delete(put: Iterable<BookQuotes>): void {
    for (const quotes of put) {
      const books = this.#events.get(quotes.event)?.books;
      if (books?.delete(quotes) && books.size === 0) this.#events.delete(quotes.event);
    }
  }

  /** Those that are put with a commit of so many bytes of log, in which so many changed: at least as fast as others come. */
  *due(position: number, changed: number, logBytes: number): Iterable<BookQuotes> {
    this.#logged += logBytes;
    let left = Math.max(PUT_AT_ONCE, 2 * changed);
    for (const { sinceUs, logged, books } of this.#events.values()) {
      const isDue = position - sinceUs >= PUT_EVERY_US || this.#logged - logged >= LIMITS.logAfterSlabs.max;
      if (!isDue || left <= 0) return;
      left -= books.size;
      yield* books;
    }
  }

  /** The first of those that were behind at a position. */
  first(position: number): Set<BookQuotes> {
    const first = new Set<BookQuotes>();
    for (const { sinceUs, books } of this.#events.values()) {
      if (sinceUs > position || first.size >= PUT_AT_ONCE) break;
      for (const quotes of books) first.add(quotes);
    }
    return first;
  }

  /** The position that all slabs are as of, or later, once these are put and the last commit is at `position`. */
  to(position: number, put: ReadonlySet<BookQuotes>): number {
    for (const { sinceUs, books } of this.#events.values())
      for (const quotes of books) if (!put.has(quotes)) return Math.min(sinceUs - 1, position);
    return position;
  }
}
