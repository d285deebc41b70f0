// A registered set of books, and its news of the running batch. Opportunities are found inside it, never filtered from
// what a larger set has.

import type { Named, Opportunity, Refreshed, UniverseNews } from '../delta/opportunity.js';
import { withPlace } from '../memory/grown.js';
import type { DetectionLimits, OpportunityKind, UniverseSpec } from '../model/opportunity.js';
import type { BookList } from './book-list.js';
import { widened } from './detection-limits.js';

export class Universe {
  readonly key: string;
  readonly #books: ReadonlySet<string> | null;
  /** It has every book, listed or not. */
  readonly allBooks: boolean;
  /** Somebody may be told of moves in it. */
  readonly moves: boolean;
  readonly kept: DetectionLimits;
  /** Most that are alive in it with those beyond the usual limits. */
  readonly beyondMax: number;
  /** By book number: 1 where the book belongs to it. */
  mask = new Uint8Array(64);
  /** Set until its first whole news are told. */
  whole = true;
  /** As its whole news tell it. */
  sinceUs: number;
  /** Registered after others were evaluated: what was remembered of it may have changed in ways that no number shows. */
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

  /** What happened since the last call, or undefined where nothing did. */
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
