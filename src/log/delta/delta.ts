// What one committed batch changed: the entry of the change log, and the message that carries it to every reader.
// Applied in the order events → removals → rows → touches, it turns the previous table into the next; with statements and
// polls, which only shards need, a shard's previous state into the next (writer/shard/fold.ts).

import type { DepthText } from '../../base/model/depth.js';
import type { NormalFuture, NormalSplits } from '../../base/model/normal-message.js';
import type { ResultRecord } from '../../base/model/result.js';
import type { RowDelta } from '../../base/model/row-delta.js';
import type { BookQuotes, EventFields } from '../../base/model/state.js';
import { decode, encode } from '../../base/wire/codec.js';
import { type BlobRow, rowsOfBlob } from './blob-rows.js';
import { NO_NEWS, type PackedNews, type UniverseNews } from './opportunity.js';

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

/**
 * A position means nothing in another epoch. Within a process all positions are of one epoch, so groups, cohorts and
 * subscribers store the number alone; so does a client's request, which continues in the epoch it was sent.
 */
export interface StreamPosition {
  /** The life of a data directory. */
  readonly epoch: string;
  /** Unix µs of the batch, at least one above the batch before. */
  readonly position: number;
}

// Deltas as bytes: in the log, between threads and between processes. A tuple, as the names of a map would be half of an
// entry of one change.

/** What most deltas have; what they seldom have follows if there is any. */
type Fields = [
  version: number,
  position: number,
  shard: number,
  books: BookDelta[],
  news: [records: Uint8Array, universes: PackedNews['universes']] | null,
  seldom?: Partial<Omit<Delta, 'version' | 'position' | 'shard' | 'books' | 'opportunities'>>,
];

/** Of release 0.2.0, and of none: rows are in another form, opportunities are left out. */
const MAPS = [5, 6];

export function encodeDelta({ version, position, shard, books, opportunities, ...others }: Delta): Buffer {
  const { records, universes } = opportunities;
  const fields: Fields = [version, position, shard, books, universes.length === 0 ? null : [records, universes]];
  const seldom = Object.entries(others).filter(([, part]) => typeof part === 'number' || part.length > 0);
  if (seldom.length > 0) fields.push(Object.fromEntries(seldom));
  return encode(fields);
}

/** Throws for bytes of another version; entries of those before are read without opportunities. */
export function decodeDelta(bytes: Uint8Array): Delta {
  const fields = decode(bytes) as Fields | (Delta & { blob: Uint8Array });
  if (!Array.isArray(fields)) return deltaOfMap(fields);
  const [version, position, shard, books, news, seldom] = fields;
  check(version, version === DELTA_VERSION);
  const opportunities = news === null ? NO_NEWS : { records: news[0], universes: news[1] };
  return {
    version,
    position,
    shard,
    events: [],
    dropped: [],
    books,
    splits: [],
    futures: [],
    ...seldom,
    opportunities,
  };
}

function deltaOfMap({ blob, ...delta }: Delta & { blob: Uint8Array }): Delta {
  check(delta.version, MAPS.includes(delta.version));
  const rowOf = rowsOfBlob(blob);
  const books = delta.books.map((book): BookDelta => {
    const [event, name, polledUs, touches, removed, rows] = book;
    return [event, name, polledUs, touches, removed, rows.map((row) => rowOf(row as unknown as BlobRow))];
  });
  return { ...delta, books, opportunities: NO_NEWS };
}

function check(version: number, isKnown: boolean): void {
  if (!isKnown)
    throw new Error(`a delta of the change log is of version ${version}, this program reads ${DELTA_VERSION}`);
}
