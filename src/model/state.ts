// What a shard holds in memory: its leagues' events, each book's rows of each event. Plain maps, owned by one thread.

import type { GameState } from './game-state.js';
import type { EventStatus } from './normal-message.js';
import type { Row } from './row.js';

/** What one book says of one event. */
export interface BookQuotes {
  book: string;
  bookNo: number;
  event: EventState;
  /** Unix µs of the newest poll applied: an older one changes nothing. */
  polledUs: number;
  /** Position of the last message applied: how long the book has been silent. */
  appliedUs: number;
  rows: Map<string, Row>;
  /** Rows in the order of the last message, where the next one is likely to name them again; some may be gone. */
  order: Row[];
  externalId: string | null;
  /** The start, liveness and status this book states (ms; null where it says nothing). */
  startMs: number | null;
  live: boolean | null;
  status: EventStatus | null;
  /** Unix ms of the poll that stated liveness and status. */
  statedMs: number;
  swapped: boolean;
  state: GameState | null;
  /** Serial of the last message that covered this event for the book. */
  mark: number;
  /** Rows removed in the running batch, by key: one that comes back within it keeps its identity. */
  removed: Map<string, Row> | null;
  /** A removed row came back in the same batch, at another place in the order of rows. */
  reordered: boolean;
}

/** What an event is, as its shard holds it, deltas tell it and tables show it. */
export interface EventFields {
  /** Dense number, unique in the shard for ever. */
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
  /** Books behind `state`, the one furthest in the game first. */
  stateBooks?: readonly string[];
  /** Books that have shown a draw: `book|market`. */
  draws?: readonly string[];
  /** By book: position at which it first said that the game is live (Unix µs). */
  liveSince?: Readonly<Record<string, number>>;
}

export interface EventState extends EventFields {
  createdPosition: number;
  books: Map<string, BookQuotes>;
  /** Next moment (Unix ms) when time alone changes it, or Infinity. */
  deadlineMs: number;
  dirty: boolean;
  /** Long over and silent: it leaves the table with this batch. */
  dropping: boolean;
}

/** A book of an event that has said nothing yet. */
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
    mark: 0,
    removed: null,
    reordered: false,
  };
}

/** An event of which nobody has said anything yet. Each field is named: a spread makes objects that are slower to read. */
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
    deadlineMs: Number.POSITIVE_INFINITY,
    dirty: false,
    dropping: false,
  };
}
