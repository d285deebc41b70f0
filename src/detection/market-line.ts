// One market of one event (of one player and statistic, or team), and one line of it, in detection's memory.

import type { BoundedMap } from '../base/memory/bounded-map.js';
import type { EventState } from '../base/model/state.js';
import type { RulesByFamily } from '../rules/markets/house-rules.js';
import type { ActiveBet } from './candidate-matcher.js';
import type { Timed } from './due-queue.js';
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
  /** House rules of the league, by number of a book that has prices of the market. */
  readonly houses: RulesByFamily[];
  /** The shape's model, adjusted in play to the state of the game. */
  model: ResultModel | undefined;
  /** The same of the shape's push model. */
  pushModel: ResultModel | undefined;
  /** In ascending order of `x`. */
  readonly marketLines: MarketLine[];
  /** Its active middles. */
  opportunities: ActiveBet[];
  dirty: boolean;
}

/** In place of the line of a winner. */
export const TWO_WAY_X = 2;
export const THREE_WAY_X = 3;

export interface MarketLine extends Timed {
  readonly market: Market;
  /**
   * What the result must exceed for the first side to win: the total's line, or minus the home handicap. Winners have
   * no line: 2 and 3 denote two-way and three-way.
   */
  readonly x: number;
  readonly sides: 2 | 3;
  /** Its columns are `start` to `start + count - 1`. */
  start: number;
  count: number;
  capacity: number;
  /** Number of its columns that are in `columns.ordered`. */
  ordered: number;
  /** Sides (bits) that must be sorted again. */
  disordered: number;
  /** Number of opinions that are in `columns.ranked`. */
  ranked: number;
  /** A book of its columns does not refund a tie. */
  oddTies: boolean;
  /** At its last evaluation a price was too old to count: being seen again it may. */
  hasStale: boolean;
  /** Its active EV rows, arbitrages and low holds. */
  opportunities: ActiveBet[];
  dirty: boolean;
  /** Its rows changed in more than prices: active opportunities must be published again. */
  restated: boolean;
  /** The lay prices of its sides, as a line of its own that is in no list; null if there are none. */
  lays: MarketLine | null;
  /** Of a lay line: the line whose sides it lays. It is evaluated together with that one, never by itself. */
  readonly laysOf: MarketLine | null;
  /** Best fresh price of the first and the second side over all books at the last evaluation, 0 if none. */
  topFirst: number;
  topSecond: number;
  /** Ids of its opportunities, and of middles with it as the lower line, as computed before. */
  ids: BoundedMap<number, string> | null;
}

/** A line without prices, and its place in the columns. */
export function emptyLine(
  of: Pick<MarketLine, 'market' | 'x' | 'sides' | 'laysOf' | 'start' | 'capacity'>,
): MarketLine {
  const { market, x, sides, laysOf, start, capacity } = of;
  return {
    market,
    x,
    sides,
    start,
    count: 0,
    capacity,
    ordered: 0,
    disordered: 0,
    ranked: 0,
    opportunities: [],
    dirty: false,
    restated: false,
    oddTies: false,
    hasStale: true,
    lays: null,
    laysOf,
    topFirst: 0,
    topSecond: 0,
    ids: null,
    dueMs: Number.POSITIVE_INFINITY,
  };
}

/** Whether its books may lack a third side that they never quoted. */
export function mayLackSide({ sides, laysOf }: MarketLine): boolean {
  return sides === 2 && laysOf === null;
}
