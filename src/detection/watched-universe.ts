// A registered set of books, and its changes in the current batch. Opportunities are found within it, never filtered
// from those of a larger set.

import { withPlace } from '../base/memory/grown.js';
import type { DetectionLimits, OpportunityKind, UniverseSpec } from '../base/model/opportunity.js';
import type { EndedRecord, PackedUniverseNews } from '../log/delta/opportunity.js';
import type { BookList } from './book-list.js';
import { widened } from './detection-limits.js';
import { DEFAULT_POLICY, NO_BOOK, type ReferencePolicy } from './reference-policy.js';
import type { StoredOpportunity, Times } from './stored-opportunities.js';

export class WatchedUniverse {
  readonly key: string;
  readonly #books: ReadonlySet<string> | null;
  /** It includes every book, listed or not. */
  readonly allBooks: boolean;
  /** Whether moves are published in it. */
  readonly moves: boolean;
  readonly kept: DetectionLimits;
  /** By which its prices are judged. */
  policy: ReferencePolicy;
  readonly #devigBook: string | undefined;
  /** Maximum number of its active opportunities including those beyond the default limits. */
  readonly beyondMax: number;
  /** By book number: 1 if the book belongs to it. */
  mask = new Uint8Array(64);
  /** Set until its first evaluation, in which not every market need be evaluated. */
  fresh = true;
  /** Every market has been evaluated for it. */
  complete = false;
  /** Number of its active opportunities. */
  active = 0;
  /** By id: what is stored of it, and was not found again yet. */
  readonly stored = new Map<string, StoredOpportunity>();
  /** Position from which on its ends are known if nothing is stored of it; sent with its first news. */
  #from: number | undefined;
  /** Registered after others were evaluated: stored opportunities may have changed in ways that no number shows. */
  readonly late: boolean;
  #put: number[] = [];
  #expired: EndedRecord[] = [];

  /** @param policy of a question; that of the spec by default */
  constructor(
    spec: UniverseSpec,
    books: BookList,
    kept: DetectionLimits = widened(spec.kept),
    late = false,
    policy: ReferencePolicy = DEFAULT_POLICY,
  ) {
    this.#devigBook = spec.devigBook;
    this.policy = spec.devigBook === undefined ? policy : { ...policy, book: NO_BOOK };
    this.key = spec.key;
    this.#from = spec.fromPosition ?? 0;
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
    if (name === this.#devigBook) this.policy = { ...this.policy, book: no };
  }

  /** What is stored and was not found again: all of it, or of a kind that is found elsewhere. */
  takeStored(kind?: OpportunityKind): StoredOpportunity[] {
    const taken = [...this.stored.values()].filter((one) => kind === undefined || one.kind === kind);
    for (const { id } of taken) this.stored.delete(id);
    return taken;
  }

  /**
   * An opportunity is new or changed.
   * @param place of its record
   */
  put(place: number, { detectedUs, updatedPosition }: Times): void {
    this.#put.push(place, detectedUs, updatedPosition);
  }

  expired(kind: OpportunityKind, id: string, eventNo: number): void {
    this.#expired.push({ kind, id, eventNo });
  }

  /** The changes since the last call, or undefined if there are none. */
  takeNews(): PackedUniverseNews | undefined {
    const from = this.#from;
    if (from === undefined && this.#put.length + this.#expired.length === 0) return undefined;
    const news: PackedUniverseNews = {
      universe: this.key,
      ...(from === undefined ? {} : { from }),
      put: this.#put,
      expired: this.#expired,
    };
    this.#from = undefined;
    this.#put = [];
    this.#expired = [];
    return news;
  }
}
