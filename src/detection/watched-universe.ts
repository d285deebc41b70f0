// A registered set of books, and its changes in the current batch. Opportunities are found within it, never filtered
// from those of a larger set.

import { withPlace } from '../base/memory/grown.js';
import type { DetectionLimits, OpportunityKind, UniverseSpec } from '../base/model/opportunity.js';
import type { EndedRecord, PackedUniverseNews } from '../log/delta/opportunity.js';
import type { BookList } from './book-list.js';
import { widened } from './detection-limits.js';
import { DEFAULT_POLICY, NO_BOOK, type ReferencePolicy } from './reference-policy.js';

// What is stored of opportunities: the port between detection, which compares what it finds again with it, and the store.

/** Of an opportunity in a universe. */
export interface Times {
  /** Position of its detection. */
  detectedUs: number;
  /** Position at which streams are sent its last change: the one of that change, or a later one (pace.ts). */
  updatedPosition: number;
}

/** As last published. */
export interface StoredOpportunity extends Times {
  /** Number of the event in the shard. */
  eventNo: number;
  id: string;
  kind: OpportunityKind;
  record: Uint8Array;
}

export interface StoredOpportunities {
  /** Keys of the universes of which anything is stored. */
  universes(): Iterable<string>;
  of(universe: string): Iterable<StoredOpportunity>;
}

export const NOTHING_STORED: StoredOpportunities = { universes: () => [], of: () => [] };

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
  /** Records' places, and whose they are. */
  #places: number[] = [];
  #put: Times[] = [];
  #begun: (Times & { id: string })[] = [];
  #ended: (Times & EndedRecord)[] = [];

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
    if (this.#devigBook === undefined) return;
    if (name === this.#devigBook) this.policy = { ...this.policy, book: no };
    // The number was that book's.
    else if (this.policy.book === no) this.policy = { ...this.policy, book: NO_BOOK };
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
   * @param one its times may change until the end of the batch
   */
  put(place: number, one: Times): void {
    this.#places.push(place);
    this.#put.push(one);
  }

  /** As put: it is new. */
  begun(place: number, one: Times & { id: string }): void {
    this.#begun.push(one);
    this.put(place, one);
  }

  ended(one: Times & EndedRecord): void {
    const { kind, id, eventNo, detectedUs, updatedPosition } = one;
    // The object may be reused.
    this.#ended.push({ kind, id, eventNo, detectedUs, updatedPosition });
  }

  /** What ended in this batch and was found at another line: it has not ended. */
  takeRejoined(): { one: Times; before: Times }[] {
    const rejoined: { one: Times; before: Times }[] = [];
    if (this.#begun.length > 0 && this.#ended.length > 0) {
      const begun = new Map(this.#begun.map((one) => [one.id, one]));
      this.#ended = this.#ended.filter((before) => {
        const one = begun.get(before.id);
        if (one !== undefined) rejoined.push({ one, before });
        return one === undefined;
      });
    }
    this.#begun = [];
    return rejoined;
  }

  /** The changes since the last call, or undefined if there are none. */
  takeNews(): PackedUniverseNews | undefined {
    const from = this.#from;
    if (from === undefined && this.#put.length + this.#ended.length === 0) return undefined;
    const put: number[] = [];
    for (const [i, { detectedUs, updatedPosition }] of this.#put.entries())
      put.push(this.#places[i]!, detectedUs, updatedPosition);
    const expired = this.#ended.map(({ kind, id, eventNo }) => ({ kind, id, eventNo }));
    const news: PackedUniverseNews = { universe: this.key, put, expired };
    if (from !== undefined) news.from = from;
    this.#from = undefined;
    this.#places = [];
    this.#put = [];
    this.#ended = [];
    return news;
  }
}
