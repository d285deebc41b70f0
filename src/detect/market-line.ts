// One market of one event (of one player and statistic, or team), and one line of it, as detection keeps them.
import type { EventState } from '../model/state.js';
import type { Timed } from './due-queue.js';
import type { ActiveOpportunity } from './life-cycle.js';
import type { MarketShape } from './market-side.js';
import type { ResultModel } from './maths/result-model.js';

export interface Market {
  readonly key: string;
  readonly event: EventState;
  readonly marketType: string;
  /** Canonical name. */
  readonly player: string | null;
  readonly stat: string | null;
  readonly team: 'home' | 'away' | null;
  readonly shape: MarketShape;
  /** The shape's model, in play as the game stands. */
  model: ResultModel | undefined;
  /** By rising `x`. */
  readonly marketLines: MarketLine[];
  /** Its middles that are alive. */
  opportunities: ActiveOpportunity[];
  dirty: boolean;
}

export interface MarketLine extends Timed {
  readonly market: Market;
  /**
   * What the result must pass for the first side to win: the total's line, or minus the home handicap. Winners have no
   * line: 2 and 3 tell two-way from three-way.
   */
  readonly x: number;
  readonly sides: 2 | 3;
  /** Its columns are `start` to `start + count - 1`. */
  start: number;
  count: number;
  capacity: number;
  /** So many of its columns have a place in `columns.ordered`. */
  ordered: number;
  /** Sides (bits) whose places are to be put in order again. */
  disordered: number;
  /** So many opinions have a place in `columns.ranked`. */
  ranked: number;
  /** Its EV rows, arbitrages and low holds that are alive. */
  opportunities: ActiveOpportunity[];
  dirty: boolean;
  /** More of its rows than prices is different: what is alive is to be told anew. */
  restated: boolean;
  /** What the sides can be laid at, as lines of their own that stand in no list; null where nobody showed any. */
  lays: MarketLine | null;
  /** Of such a line: the one whose sides it lays. It is evaluated with that one, never by itself. */
  readonly laysOf: MarketLine | null;
  /** Best fresh price of the first and the second side over all books when last evaluated, 0 where none is. */
  topFirst: number;
  topSecond: number;
}
