// What a broadcaster works on.

import type { OpportunityViews } from '../answers/opportunities/views.js';
import type { Clock } from '../base/model/clock.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { AskHistory } from '../store/clv/queries.js';
import type { ResultsBoard } from '../tables/results.js';
import type { OddsTable } from '../tables/table.js';
import type { BetStore } from './bet-items.js';
import type { BroadcastTimes } from './broadcast-times.js';
import type { CutSizes } from './change-frames.js';

export interface BroadcasterOptions {
  table: OddsTable;
  results: ResultsBoard;
  /** Has the accounts' bets. */
  control: BetStore;
  catalogue: Catalogue;
  /** Epoch of the table's positions. */
  epoch: string;
  clock: Clock;
  /**
   * The clock is a recording's: measures how long a tick takes, and how long a stream takes nothing (ms); every change
   * is sent by itself. By default the clock measures.
   */
  elapsedMs?: () => number;
  /** Heartbeats are sent by beat() alone, and what batches change by written(): the clock is a recording's. */
  stepped?: boolean;
  /** Whether written() follows. */
  stepping?: () => boolean;
  opportunities?: OpportunityViews;
  /** Present if history is stored: snapshots may show openings. */
  history?: AskHistory | undefined;
  times?: Partial<BroadcastTimes>;
  sizes?: CutSizes;
  /** Whether changes are being committed that will be published soon: a costly tick may wait for them. */
  moreComes?: () => boolean;
  /** Position up to which the table shows everything: past its own if nothing has changed since; its own by default. */
  reached?: () => number;
  /** Whether others may be at a position that the table has not reached yet; never by default. */
  mayCome?: (position: number) => boolean;
  /** Whether a position within the log is one of its batches'; true by default. */
  knows?: (position: number) => boolean;
  /** Source of these streams on diagnostics channels; the broadcaster itself by default. */
  source?: object;
}
