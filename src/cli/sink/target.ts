// What a sink writes to. A target has one file; it is chosen by the beginning of its address.
import { type Fields, type Identity, type Part, timeOf } from './part-builder.js';

/** Where an earlier run came to. */
export interface Kept {
  position: number | null;
  /** Up to there `odds_changes` has every change; null where it is not known to. */
  changes: number | null;
  /** What it asked for: with other filters its position says nothing. */
  filters: string | null;
  /** Opportunities and moves that were not over; null where that is not stored. */
  open: Identity[] | null;
}

export interface Note {
  /** The last two are of `odds_changes`. */
  event: 'started' | 'restated' | 'gap' | 'no_history';
  reason: string | null;
  /** The last position before it; up to where changes were known. */
  before: number | null;
}

export interface Target {
  /** Makes what is missing, and leaves what an unfinished run began. */
  open(filters: string): Promise<Kept>;
  /** A snapshot begins: what stands is replaced by what comes until the next commit, or until it begins anew. */
  restart(): Promise<void>;
  /** Within one transaction until the next commit. */
  write(part: Part): Promise<void>;
  /** Everything since the last commit lasts from here on, with its position. */
  commit(position: number, notes: readonly Note[]): Promise<void>;
  /**
   * Rows of `odds_changes` that the stream may have told or not, in a transaction of its own between two commits. A removal
   * is the one that the stream told later: at its position, or just before the last change. Up to `upTo` it has every change then, or from here on only what the stream tells (null). Absent where nothing is stored.
   */
  fill?(rows: readonly Fields[], upTo: number | null, notes: readonly Note[]): Promise<void>;
  /** Called each second in which nothing else happens. */
  rest?(): Promise<void>;
  /** Lets go of what was not committed; may be opened again. */
  close(): Promise<void>;
}

/** What the target cannot take, ever: a sentence for who runs it. */
export class SinkError extends Error {}

/** It is gone for now: it is waited for. */
export class TargetGone extends Error {}

/**
 * When what a snapshot lacks was found gone: after all that was told of it, also where the server began again at an earlier
 * position.
 */
export function goneAt(position: number, notes: readonly Note[]): string {
  return timeOf(Math.max(position, ...notes.map(({ before }) => (before ?? 0) + 1)));
}
