// What history asks of the place where it is kept. The file store is in src/store; a backtest keeps it in memory.
import type { EventFields } from './event-record.js';

/** In place of a shard where a gap is of several. */
export const ANY_SHARD = -1;

/** A stretch of a shard's log that was cut before history had read it. */
export interface Gap {
  shard: number;
  /** Unix µs: changes after `fromUs` and up to `toUs` may be missing. */
  fromUs: number;
  toUs: number;
}

export interface StoredPage {
  /** Time of its first change (Unix µs): with the event its key. */
  firstUs: number;
  /** Good until the next is read. */
  bytes: Uint8Array;
}

/** What one write changes, all of it or nothing. */
export interface HistoryChanges {
  /** Of each shard: everything up to there has been taken in. */
  cursors: readonly number[];
  epoch: string;
  gaps: readonly Gap[];
  events: { hno: number; fields: EventFields }[];
  /** A book's rows of an event, packed. */
  rows: { hno: number; book: string; bytes: Uint8Array }[];
  /** As pageBytes() answered them. */
  pages: { hno: number; firstUs: number; bytes: Uint8Array }[];
  /** Predictions of an event, packed: all of them. */
  predictions: { hno: number; bytes: Uint8Array }[];
  droppedPages: { hno: number; firstUs: number }[];
  /** Events of which nothing is kept any more, with their rows' ids. */
  droppedEvents: { hno: number; id: string; rowIds: readonly string[] }[];
  /** Odds ids that were not known before. */
  ids: { id: string; hno: number }[];
}

export interface HistoryState {
  cursors: readonly number[];
  epoch: string;
  gaps: readonly Gap[];
}

export interface HistoryStore {
  /** Undefined where nothing was ever written. */
  state(): HistoryState | undefined;
  events(): Iterable<{ hno: number; fields: EventFields }>;
  event(hno: number): EventFields | undefined;
  /** The event that has, or last had, this id. */
  eventOf(id: string): number | undefined;
  /** The event of a row. */
  eventOfRow(oddsId: string): number | undefined;
  /** Packed, by book. */
  rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }>;
  /** Those that may hold changes from `fromUs` to `toUs`, in the order of time. */
  pages(hno: number, fromUs: number, toUs: number): Iterable<StoredPage>;
  predictions(hno: number): Uint8Array | undefined;
  /** Events that have predictions. */
  predicted(): Iterable<number>;
  lastPage(hno: number): StoredPage | undefined;
  /** Of all events. */
  pageKeys(): Iterable<{ hno: number; firstUs: number }>;
  page(hno: number, firstUs: number): Uint8Array | undefined;
  /**
   * An encoded page as write() takes it, for good: `full` where nothing more comes to it. Apart, for it may take longer
   * than writing it.
   */
  pageBytes(encoded: Uint8Array, full: boolean): Uint8Array;
  /** Bytes of what is stored. */
  usedBytes(): number;
  write(changes: HistoryChanges): void;
}
