// What a shard holds in memory: its leagues' events, each book's rows of each event. Plain maps, owned by one thread.

import type { GameState } from './game-state.js';
import type { EventStatus } from './normal-message.js';

/** One price of one book: a row of the odds table. */
export interface Row {
  /** Dense number, unique in the shard among living rows: how deltas and the store refer to it. */
  no: number;
  /** Odds id: numeric text, the same across restarts and machines. */
  id: string;
  /** Key in its book's quotes of the event. */
  key: string;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  alternate: boolean;
  line: number | null;
  american: number;
  decimal: number;
  /** False while the book takes no bet on it; the price is then the last one. */
  active: boolean;
  /** American odds before the last change of price or line, kept to a tenth; null where none is known. */
  previous: number | null;
  /** Unix ms of the poll that last showed the row. */
  seenMs: number;
  /** Position of the last change of price, line, liveness or activity; as a time it is odds_changed_at (Unix µs). */
  changedUs: number;
  /** Position of the row's birth. */
  createdPosition: number;
  /** Position of the last change of anything but seenMs: what delta readers order by. */
  updatedPosition: number;
  deepLink: string | null;
  externalId: string | null;
  maxBet: number | null;
  publicBetPct: number | null;
  /** Serial of the last message that showed the row. */
  lastSeenSerial: number;
  /** What happened to it in the running batch; 0 between batches. */
  change: number;
}

export const RowChange = { none: 0, updated: 1, restated: 2, added: 3 } as const;

/** Notes what happened to a row in the running batch; the most that happened stays. */
export function markRow(row: Row, dirt: number, position: number): void {
  if (row.change < dirt) row.change = dirt;
  row.updatedPosition = position;
}

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

export interface EventState {
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
  /** Books that have shown a draw, by market: see draws.ts. */
  draws?: readonly string[];
  bornUs: number;
  books: Map<string, BookQuotes>;
  /** Next moment (Unix ms) when time alone changes it, or Infinity. */
  deadlineMs: number;
  dirty: boolean;
  /** Long over and silent: it leaves the table with this batch. */
  dropping: boolean;
}
