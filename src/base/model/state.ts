// A shard's state in memory: its leagues' events and each book's rows of each event. Plain maps, owned by one thread.

import type { GameEnd } from './game-end.js';
import type { GameState } from './game-state.js';
import type { EventStatus } from './normal-message.js';
import type { Row } from './row.js';

/** What one book has stated of one event. */
export interface BookQuotes {
  book: string;
  bookNo: number;
  event: EventState;
  /** Unix µs of the newest poll applied; an older poll changes nothing. */
  polledUs: number;
  /** Position of the last message applied, from which the book's silence is measured. */
  appliedUs: number;
  rows: Map<string, Row>;
  /** Rows in the order of the last message, as the next one is likely to repeat it; some may have been removed. */
  order: Row[];
  externalId: string | null;
  /** The start, liveness and status that this book states (ms; null if it states none). */
  startMs: number | null;
  live: boolean | null;
  status: EventStatus | null;
  /** Unix ms of the poll that stated liveness and status. */
  statedMs: number;
  swapped: boolean;
  state: GameState | null;
  /** Its statements differ from those of the last batch, apart from the time at which they were made. */
  restated: boolean;
  /** It states another start than before the current batch. */
  moved: boolean;
  /** Serial of the last message of the book that covered this event. */
  mark: number;
  /** Rows removed in the current batch, by key: one that returns within the batch retains its identity. */
  removed: Map<string, Row> | null;
  /**
   * Fixed parts of its rows (fixed-slab.ts) differ from those stored, or their order: what is stored of them must be
   * written. Rows that come or go are known without it.
   */
  fixedPartsDirty: boolean;
  /** Rows whose depth changed in the current batch. */
  deepened: Set<Row> | null;
  /** Rows whose price moved in a message of the current batch with which the game may have begun. */
  movedLive: Set<Row> | null;
}

/** The fields of an event that its shard stores, deltas carry and tables show. */
export interface EventFields {
  /** Dense number, never reused in the shard. */
  no: number;
  id: string;
  league: string;
  sport: string;
  homeToken: string;
  awayToken: string;
  home: string;
  away: string;
  startMs: number;
  status: EventStatus;
  live: boolean;
  state: GameState | null;
  /** Books behind `state`, the most advanced first. */
  stateBooks?: readonly string[];
  /** Books that have quoted a draw: `book|market`. */
  draws?: readonly string[];
  /** Canonical names that a book of the event has listed for different men: with and without Jr, Sr, II … */
  namesakes?: readonly string[];
  /** By book: position at which it first reported the game as live (Unix µs). */
  liveSince?: Readonly<Record<string, number>>;
  /** The start that a postponement called off (Unix ms): while `startMs` is that one, no new start is known. */
  calledOffMs?: number | undefined;
}

export interface EventState extends EventFields {
  createdPosition: number;
  books: Map<string, BookQuotes>;
  /** What sources of results and venues' settlements say of it; null while none says that it is over or called off. */
  told: GameEnd | null;
  /** Next moment (Unix ms) at which the passing of time changes it, or Infinity. */
  deadlineMs: number;
  dirty: boolean;
  /** Long over and silent: it is removed from the table by this batch. */
  dropping: boolean;
}

/** The initial state of a book that has stated nothing. */
export function newQuotes(event: EventState, book: string, bookNo: number): BookQuotes {
  return {
    book,
    bookNo,
    event,
    polledUs: 0,
    appliedUs: 0,
    rows: new Map(),
    order: [],
    externalId: null,
    startMs: null,
    live: null,
    status: null,
    statedMs: 0,
    swapped: false,
    state: null,
    restated: true,
    moved: false,
    mark: 0,
    removed: null,
    fixedPartsDirty: true,
    deepened: null,
    movedLive: null,
  };
}

/** The initial state of an event. Each field is named: a spread makes objects that are slower to read. */
export function newEventState(
  fields: Omit<EventFields, 'status' | 'live' | 'state'>,
  createdPosition: number,
): EventState {
  const { no, id, league, sport, homeToken, awayToken, home, away, startMs } = fields;
  return {
    no,
    id,
    league,
    sport,
    homeToken,
    awayToken,
    home,
    away,
    startMs,
    status: 'upcoming',
    live: false,
    state: null,
    createdPosition,
    books: new Map(),
    told: null,
    deadlineMs: Number.POSITIVE_INFINITY,
    dirty: false,
    dropping: false,
  };
}
