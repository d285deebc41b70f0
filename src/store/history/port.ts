// The port of history's store. The file store is in src/store; a backtest keeps history in memory.
import type { EventFields } from './event-record.js';

/** In place of a shard if a gap covers several. */
export const ANY_SHARD = -1;

/** An interval of a shard's log that was cut before history had read it. */
export interface Gap {
  shard: number;
  /** Unix µs: changes after `fromUs` and up to `toUs` may be missing. */
  fromUs: number;
  toUs: number;
}

export interface StoredPage {
  /** Time of its first change (Unix µs): part of its key, after the event. */
  firstUs: number;
  /** Valid until the next is read. */
  bytes: Uint8Array;
}

/** The changes of one write, applied atomically. */
export interface HistoryChanges {
  /** For each shard: everything up to there has been recorded. */
  cursors: readonly number[];
  epoch: string;
  gaps: readonly Gap[];
  events: { hno: number; fields: EventFields }[];
  /** A book's rows of an event, packed. */
  rows: { hno: number; book: string; bytes: Uint8Array }[];
  /** As returned by pageBytes(). */
  pages: { hno: number; firstUs: number; bytes: Uint8Array }[];
  /** Predictions of an event, packed: all of them. */
  predictions: { hno: number; bytes: Uint8Array }[];
  /** What is known of an event's end, packed. */
  results: { hno: number; bytes: Uint8Array }[];
  droppedPages: { hno: number; firstUs: number }[];
  /** Events of which nothing is stored any more, with their rows' ids. */
  droppedEvents: { hno: number; id: string; rowIds: readonly string[] }[];
  /** Odds ids that are new. */
  ids: { id: string; hno: number }[];
}

export interface HistoryState {
  cursors: readonly number[];
  epoch: string;
  gaps: readonly Gap[];
}

export interface HistoryStore {
  /** Undefined if nothing was ever written. */
  state(): HistoryState | undefined;
  events(): Iterable<{ hno: number; fields: EventFields }>;
  event(hno: number): EventFields | undefined;
  /** The event that has, or last had, this id. */
  eventOf(id: string): number | undefined;
  /** The event of a row. */
  eventOfRow(oddsId: string): number | undefined;
  /** Packed, by book. */
  rows(hno: number): Iterable<{ book: string; bytes: Uint8Array }>;
  /** Those that may contain changes from `fromUs` to `toUs`, in order of time. */
  pages(hno: number, fromUs: number, toUs: number): Iterable<StoredPage>;
  predictions(hno: number): Uint8Array | undefined;
  result(hno: number): Uint8Array | undefined;
  /** Events that have predictions. */
  predicted(): Iterable<number>;
  lastPage(hno: number): StoredPage | undefined;
  /** Over all events. */
  pageKeys(): Iterable<{ hno: number; firstUs: number }>;
  page(hno: number, firstUs: number): Uint8Array | undefined;
  /**
   * An encoded page in the form that write() accepts; `full` if nothing will be appended. Separate from write(),
   * because it may take longer than writing.
   */
  pageBytes(encoded: Uint8Array, full: boolean): Uint8Array;
  /** Bytes of what is stored. */
  usedBytes(): number;
  /** With `behind` it may end later; what is read is as if it had ended. Throws where it cannot begin. */
  write(changes: HistoryChanges, behind?: boolean): void;
}
