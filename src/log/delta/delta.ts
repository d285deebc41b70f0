// What one committed batch changed: the entry of the change log, and the message that carries it to every reader.
// Applied in the order events → removals → rows → touches, it turns the previous table into the next; with statements and
// polls, which only shards need, a shard's previous state into the next (writer/shard/fold.ts).

import type { DepthText } from '../../base/model/depth.js';
import type { NormalFuture, NormalSplits } from '../../base/model/normal-message.js';
import type { ResultRecord } from '../../base/model/result.js';
import type { RowDelta } from '../../base/model/row-delta.js';
import type { BookQuotes, EventFields } from '../../base/model/state.js';
import type { PackedNews, UniverseNews } from './opportunity.js';

/** Raise it when the shape of a delta changes: whoever reads another version refuses it. */
export const DELTA_VERSION = 7;

/** Without opportunities. */
export interface TableDelta {
  version: number;
  /** Position in the change log: Unix µs of the commit, strictly increasing. */
  position: number;
  shard: number;
  events: EventDelta[];
  /** Numbers of events that are removed (their rows were removed before). */
  dropped: number[];
  books: BookDelta[];
  /** Depths that changed, of rows that there are after this batch. Absent if none did, and in entries of older releases. */
  depths?: DepthDelta[];
  splits: SplitsDelta[];
  futures: FutureDelta[];
  /** What became of games: whole records. Absent if none changed, and in entries of older releases. */
  results?: ResultRecord[];
  /** Ids of events whose results are stored no longer. */
  expiredResults?: string[];
  /** What books state of events, where that changed. Absent as `depths`. */
  statements?: StatementDelta[];
  /** Rows of the shard after it, where some came or went: whoever folds deltas has as many. */
  rows?: number;
  /** Newest polls of books' whole leagues that changed. Absent as `depths`. */
  polls?: PollDelta[];
}

export interface Delta extends TableDelta {
  /** Opportunities that appeared, changed or ended, by universe: as records. */
  opportunities: PackedNews;
}

/** As its listeners see it. */
export interface OpenDelta extends TableDelta {
  opportunities: UniverseNews[];
}

export interface EventDelta extends EventFields {
  externalIds: Record<string, string>;
}

/** A book's changes in one event. */
export type BookDelta = [
  event: number,
  book: string,
  /** Of the last of its messages of this batch about the event; 0 if there was none. */
  polledUs: number,
  touches: Touch[],
  /** Numbers of the rows removed. */
  removed: number[],
  changed: RowDelta[],
];

/** The depth is null if the book states none any more. */
export type DepthDelta = [row: number, depth: DepthText | null];

/** Rows seen again at `seenMs`; null means every row of this book and event. */
export type Touch = [seenMs: number, rows: number[] | null];

/**
 * A book's statements about an event, its number in the shard's store among them. Those that are not in a delta state
 * liveness and status anew at each poll.
 */
export type StatementDelta = [
  event: number,
  book: string,
  bookNo: number,
  externalId: string | null,
  startMs: number | null,
  live: boolean | null,
  status: BookQuotes['status'],
  statedMs: number,
  swapped: boolean,
  state: BookQuotes['state'],
];

/** Unix µs; null if the poll is forgotten. */
export type PollDelta = [leagueAndBook: string, us: number | null];

export interface SplitsDelta {
  eventId: string;
  league: string;
  sport: string;
  home: string;
  away: string;
  splits: Omit<NormalSplits, 'league' | 'sport' | 'eventId' | 'home' | 'away' | 'startMs' | 'path'>;
}

export interface FutureDelta {
  book: string;
  polledMs: number;
  future: NormalFuture;
  /** There is no room for it any more. */
  forgotten?: true;
}
