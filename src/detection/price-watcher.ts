// The port of moves: another reader of detection's prices that publishes its results in the same universes.

import type { RecordWriter } from '../base/model/opportunity-record.js';
import type { Row } from '../base/model/row.js';
import type { BookQuotes, EventState } from '../base/model/state.js';
import type { BookList } from './book-list.js';
import type { LifeCycle } from './life-cycle.js';
import type { MarketIndex } from './market-index.js';
import type { Reference } from './reference.js';
import type { WatchedUniverse } from './watched-universe.js';

/** Detection's own state, valid until the next reset. */
export interface WatchedPrices {
  index: MarketIndex;
  books: BookList;
  reference: Reference;
  /** Keys the ids of what is found. */
  idSecret: string;
  /** For the records of what it publishes. */
  records: RecordWriter;
  life: LifeCycle;
  /** All of the shard. */
  events(): Iterable<EventState>;
}

export interface PriceWatcher {
  /** Moment (Unix ms) when time alone may change something; possibly too early, never too late. */
  readonly nextDeadlineMs: number;
  /** Everything starts again; every row follows through noted(). */
  reset(prices: WatchedPrices): void;
  /** A row is about to leave the index. */
  removing(row: Row, quotes: BookQuotes): void;
  /** The index has applied new or changed values of a row, and all others of its book. */
  noted(row: Row, quotes: BookQuotes): void;
  /** The event's start, status or liveness changed. */
  restated(event: EventState): void;
  /** A universe is no longer watched. */
  dropped(universe: WatchedUniverse): void;
  /** In place of evaluate(), where the results are another process's: what is known of prices is kept up to date. */
  follow(nowMs: number, universes: readonly WatchedUniverse[]): void;
  /** After following: every universe is another object, and begins with what is stored. */
  begin(): void;
  /**
   * Adds its results as of a position and its time (Unix ms) to the universes. Lines with a change that may concern
   * detection are marked dirty, not every line with a changed price.
   */
  evaluate(position: number, nowMs: number, universes: readonly WatchedUniverse[]): void;
}
