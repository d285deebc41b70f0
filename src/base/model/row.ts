// A row of the odds table, one price of one book: its fields, in groups by how long they last. Whoever takes a row from
// one form to another names a group, so that a field is written down here and in the codec of its group alone:
//   RowIdentity   log/delta/delta.ts, fixed-slab.ts, tables/columns.ts
//   RowNumbers    shard-row.ts (memory and slabs), log/delta/delta.ts, tables/columns.ts
//   RowDetails    row-details.ts
// The JSON of all of them is row-json.ts.
import type { Commission } from './commission.js';
import type { FeedIds } from './feed-ids.js';
import type { RowDetails } from './row-details.js';

/** What identifies a row: fixed for its life. */
export interface RowIdentity {
  /** Odds id: numeric text, the same across restarts and machines. */
  id: string;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  alternate: boolean;
}

/** What changes with the price or the time. */
export interface RowNumbers {
  /** Dense number, unique in the shard among living rows: deltas and the store refer to it. */
  no: number;
  american: number;
  decimal: number;
  /** Whether it can be bet, and its previous price, packed as in activity.ts. */
  activity: number;
  line: number | null;
  /** Unix ms of the poll that last showed the row. */
  seenMs: number;
  /** Position of the last change of price, line, liveness or activity; as a time it is odds_changed_at (Unix µs). */
  changedUs: number;
  createdPosition: number;
  /** Position of the last change of anything but seenMs: the order of deltas. */
  updatedPosition: number;
  /** The row's own commission if it differs from its book's. */
  commission?: Commission | undefined;
}

/** Writable, for one object that is reused for many rows. */
export function noNumbers(): RowNumbers {
  return {
    no: 0,
    american: 0,
    decimal: 0,
    activity: 0,
    line: null,
    seenMs: 0,
    changedUs: 0,
    createdPosition: 0,
    updatedPosition: 0,
  };
}

/** What it shows beside its identity and its numbers. */
export interface RowRest {
  /** The link for the default state. */
  link: string | null;
  details: RowDetails;
  ids: FeedIds | null;
}

/** What only the shard needs of a row. */
export interface RowOrigin {
  /** Key among its book's quotes of the event. */
  key: string;
  /** As the feed stated it. */
  deepLink: string | null;
  /** The book's own id of the selection, and of the market. */
  externalId: string | null;
  marketId: string | null;
}

export interface RowFields extends RowIdentity, RowNumbers {}

/** A row in its shard's memory. */
export interface Row extends RowFields, RowOrigin {
  /** False while the book accepts no bet on it; the price is then the last one. */
  active: boolean;
  /** American odds before the last change of price or line, rounded to a tenth; null if unknown. */
  previous: number | null;
  /** The game is in play, and the price has not moved since its start. */
  pregame: boolean;
  details: RowDetails;
  /** Serial of the last message that contained the row. */
  lastSeenSerial: number;
  /** What happened to it in the current batch, a RowChange; none between batches. */
  change: number;
}

/** What happened to a row in a batch, in ascending order of weight. */
export const RowChange = { none: 0, updated: 1, restated: 2, added: 3 } as const;

/** Records what happened to a row in the current batch; the heaviest change wins. */
export function markRow(row: Row, change: number, position: number): void {
  if (row.change < change) row.change = change;
  row.updatedPosition = position;
}
