// Who else looks at the prices detection holds, and tells of its findings in the same universes: the port of moves.

import type { Row } from '../model/row.js';
import type { BookQuotes } from '../model/state.js';
import type { BookList } from './book-list.js';
import type { MarketIndex } from './market-index.js';
import type { Reference } from './reference.js';
import type { Universe } from './universe.js';

/** What detection works on; its own until the next reset. */
export interface WatchedPrices {
  index: MarketIndex;
  books: BookList;
  reference: Reference;
}

export interface PriceWatcher {
  /** Moment (Unix ms) when time alone may change something; perhaps too early, never too late. */
  readonly nextDeadlineMs: number;
  /** Everything begins anew; every row follows through noted(). */
  reset(prices: WatchedPrices): void;
  /** A row is about to leave the index. */
  removing(row: Row, quotes: BookQuotes): void;
  /** The index has taken over what a row says that is new or different. */
  noted(row: Row, quotes: BookQuotes): void;
  /** A universe is watched no more. */
  dropped(universe: Universe): void;
  /**
   * Tells the universes what it finds as of a position and its time (Unix ms); lines touched since the last call are still
   * marked dirty.
   */
  evaluate(position: number, nowMs: number, universes: readonly Universe[]): void;
}
