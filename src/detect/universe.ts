// A registered set of books, and its changes in the current batch. Opportunities are found within it, never filtered
// from those of a larger set.

import type { EndedRecord, PackedUniverseNews } from '../delta/opportunity.js';
import { withPlace } from '../memory/grown.js';
import type { DetectionLimits, OpportunityKind, UniverseSpec } from '../model/opportunity.js';
import { idAt, type RecordWriter, recordEnd } from '../model/opportunity-record.js';
import type { BookList } from './book-list.js';
import { widened } from './detection-limits.js';

/** Of an opportunity in a universe. */
export interface Times {
  /** Position of its detection. */
  detectedUs: number;
  /** Position at which streams are sent its last change: the one of that change, or a later one (pace.ts). */
  updatedPosition: number;
}

interface Found extends Times {
  record: Uint8Array;
}

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
  /** Set until its complete state is published. */
  whole = true;
  /** Set until its first evaluation, in which not every market need be evaluated. */
  fresh = true;
  /** Every market has been evaluated for it. */
  complete = false;
  readonly #fromPosition: number;
  /** Registered after others were evaluated: remembered opportunities may have changed in ways that no number shows. */
  readonly late: boolean;
  /** By id, until the complete state is published: what of it was found by now, as its record and positions. */
  readonly #found = new Map<string, Found>();
  #put: number[] = [];
  #expired: EndedRecord[] = [];

  constructor(spec: UniverseSpec, books: BookList, kept: DetectionLimits = widened(spec.kept), late = false) {
    this.key = spec.key;
    this.#fromPosition = spec.fromPosition ?? 0;
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

  /**
   * An opportunity is new or changed.
   * @param place of its record
   */
  put(records: RecordWriter, place: number, times: Times): void {
    if (!this.whole) {
      this.#push(place, times);
      return;
    }
    const { bytes } = records;
    const record = Uint8Array.from(bytes.subarray(place, recordEnd(bytes, place)));
    const { detectedUs, updatedPosition } = times;
    this.#found.set(idAt(record, 0), { record, detectedUs, updatedPosition });
  }

  expired(kind: OpportunityKind, id: string, eventNo: number): void {
    if (this.whole) this.#found.delete(id);
    this.#expired.push({ kind, id, eventNo });
  }

  #push(place: number, { detectedUs, updatedPosition }: Times): void {
    this.#put.push(place, detectedUs, updatedPosition);
  }

  /** The changes since the last call, or undefined if there are none, or its first state is not complete yet. */
  takeNews(records: RecordWriter): PackedUniverseNews | undefined {
    const { whole } = this;
    if (whole ? !this.complete : this.#put.length + this.#expired.length === 0) return undefined;
    for (const found of this.#found.values()) this.#push(records.append(found.record), found);
    const news: PackedUniverseNews = {
      universe: this.key,
      whole,
      ...(whole ? { fromPosition: this.#fromPosition } : {}),
      put: this.#put,
      expired: this.#expired,
    };
    this.whole = false;
    this.#found.clear();
    this.#put = [];
    this.#expired = [];
    return news;
  }
}
