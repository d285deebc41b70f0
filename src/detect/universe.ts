// A registered set of books, and its changes in the current batch. Opportunities are found within it, never filtered
// from those of a larger set.

import type { Named, Opportunity, Refreshed, UniverseNews } from '../delta/opportunity.js';
import { withPlace } from '../memory/grown.js';
import type { DetectionLimits, OpportunityKind, UniverseSpec } from '../model/opportunity.js';
import type { BookList } from './book-list.js';
import { widened } from './detection-limits.js';

export class Universe {
  readonly key: string;
  readonly #books: ReadonlySet<string> | null;
  /** It includes every book, listed or not. */
  readonly allBooks: boolean;
  /** Whether moves are published in it. */
  readonly moves: boolean;
  readonly kept: DetectionLimits;
  /** Maximum number of its active opportunities including those beyond the default limits. */
  readonly beyondMax: number;
  /** By book number: 1 if the book belongs to it. */
  mask = new Uint8Array(64);
  /** Set until its first complete state is published. */
  whole = true;
  /** As published with its complete state. */
  sinceUs: number;
  /** Registered after others were evaluated: remembered opportunities may have changed in ways that no number shows. */
  readonly late: boolean;
  #detected: Opportunity[] = [];
  #expired: Named[] = [];
  #moved: Opportunity[] = [];
  #released: Named[] = [];
  #refreshed: Refreshed[] = [];

  constructor(spec: UniverseSpec, books: BookList, kept: DetectionLimits = widened(spec.kept), late = false) {
    this.key = spec.key;
    this.sinceUs = spec.sinceUs ?? 0;
    this.late = late;
    this.moves = spec.moves ?? true;
    this.allBooks = spec.books === null && spec.kept === undefined;
    this.kept = kept;
    this.beyondMax = spec.beyondMax ?? Number.POSITIVE_INFINITY;
    this.#books = spec.books === null ? null : new Set(spec.books);
    for (const [no, name] of books.names.entries()) if (name !== undefined) this.noteBook(no, name);
  }

  noteBook(no: number, name: string): void {
    this.mask = withPlace(this.mask, no);
    this.mask[no] = this.#books === null || this.#books.has(name) ? 1 : 0;
  }

  detected(opportunity: Opportunity): void {
    this.#detected.push(opportunity);
  }

  expired(kind: OpportunityKind, id: string): void {
    this.#expired.push({ kind, id });
  }

  moved(opportunity: Opportunity): void {
    this.#moved.push(opportunity);
  }

  released(kind: OpportunityKind, id: string): void {
    this.#released.push({ kind, id });
  }

  refreshed(news: Refreshed): void {
    this.#refreshed.push(news);
  }

  /** The changes since the last call, or undefined if there are none. */
  takeNews(): UniverseNews | undefined {
    const changes = this.#detected.length + this.#expired.length + this.#moved.length + this.#released.length;
    if (!this.whole && changes + this.#refreshed.length === 0) return undefined;
    const news: UniverseNews = {
      universe: this.key,
      whole: this.whole,
      ...(this.whole ? { sinceUs: this.sinceUs } : {}),
      detected: this.#detected,
      expired: this.#expired,
      moved: this.#moved,
      released: this.#released,
      refreshed: this.#refreshed,
    };
    this.whole = false;
    this.#detected = [];
    this.#expired = [];
    this.#moved = [];
    this.#released = [];
    this.#refreshed = [];
    return news;
  }
}
