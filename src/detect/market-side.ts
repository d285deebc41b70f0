// Which side of which market a row is, and so what may be paired with what (two-way, three-way, over/under, signed
// spreads). Rows without a certain complement have no side and take no part in detection.
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from '../model/limits.js';
import { type ResultModel, resultModel } from './maths/result-model.js';

/**
 * `winner`: home, away and (three-way) draw, without a line. `spread`: home h against away -h. `total`: over against
 * under one number. `opposite`: yes and no, odd and even.
 */
export type MarketFamily = 'winner' | 'spread' | 'total' | 'opposite';

export interface MarketShape {
  family: MarketFamily;
  /** Markets of the winner kind that are three-way whatever their selections: a book without the draw is incomplete. */
  alwaysThreeWay: boolean;
  /**
   * A moneyline, two-way unless it has a draw: if prices of one book are too good for two sides, the third is missing.
   */
  moneyline: boolean;
  /** Set if results between two lines have a probability: middles are looked for. */
  model: ResultModel | undefined;
}

const PERIOD = /_(?:[hqp]\d|1st_\d_innings)(?=_|$)/;
const WINNER = /^(?:(?:\w+_)?moneyline(?:_3way)?|draw_no_bet|to_(?:qualify|advance))$/;
const THREE_WAY = /moneyline_3way$/;

/** First and second side by selection type, then the third. */
const SIDES: Record<MarketFamily, readonly (readonly string[])[]> = {
  winner: [['home'], ['away'], ['draw']],
  spread: [['home'], ['away']],
  total: [['over'], ['under']],
  opposite: [
    ['yes', 'odd'],
    ['no', 'even'],
  ],
};

export interface RowSide {
  family: MarketFamily;
  /** 0, 1 or 2: index of the side in its market. */
  side: number;
}

const LAY = '_lay';

/** Prices of a lay market cannot be backed. */
export function isLay(market: string): boolean {
  return market.endsWith(LAY);
}

/** The market whose selections are laid; for any other market itself. */
export function backedMarket(market: string): string {
  return isLay(market) ? market.slice(0, -LAY.length) : market;
}

/**
 * The side of a row by its market type (for a lay: of the type it lays), selection type and whether it has a line;
 * undefined if it has none.
 */
export function rowSide(market: string, selectionType: string, hasLine: boolean): RowSide | undefined {
  const family = familyOf(market, selectionType, hasLine);
  if (family === undefined) return undefined;
  const side = SIDES[family].findIndex((names) => names.includes(selectionType));
  return side < 0 ? undefined : { family, side };
}

function familyOf(market: string, selectionType: string, hasLine: boolean): MarketFamily | undefined {
  switch (selectionType) {
    case 'over':
    case 'under':
      return hasLine ? 'total' : undefined;
    case 'home':
    case 'away':
    case 'draw':
      if (!hasLine) return WINNER.test(baseOf(market)) ? 'winner' : undefined;
      // A line on home and away is a handicap only if the type says so: in a race to 20 points both have +20.
      return selectionType !== 'draw' && isSpread(market) ? 'spread' : undefined;
    case 'yes':
    case 'no':
    case 'odd':
    case 'even':
      return hasLine ? undefined : 'opposite';
    default:
      return undefined;
  }
}

/**
 * Three-way whatever its selections: a book without the draw is incomplete. A soccer moneyline without one may be
 * draw-no-bet or include extra time.
 */
export function isThreeWayAnyhow(sport: string, market: string): boolean {
  const base = baseOf(market);
  return THREE_WAY.test(base) || (sport === 'soccer' && base.endsWith('moneyline'));
}

/** Whether it matters that a book quotes a draw there. */
export function mayBeThreeWay(market: string): boolean {
  return WINNER.test(baseOf(market)) || isSpread(market);
}

/** Whether a book's two prices of this market are those of a moneyline. */
export function isMoneyline(market: string): boolean {
  return baseOf(market).endsWith('moneyline');
}

function baseOf(market: string): string {
  return market.replace(PERIOD, '');
}

const spreads = new BoundedMap<string, boolean>(LIMITS.marketTypes.max);

function isSpread(market: string): boolean {
  let known = spreads.get(market);
  if (known === undefined) {
    known = resultModel('', '', market)?.pair === 'spread';
    spreads.set(market, known);
  }
  return known;
}

const shapes = new BoundedMap<string, MarketShape>(LIMITS.marketTypes.max);

/** The same object for the same market: what is cached by model is then shared by all its markets. */
export function marketShape(sport: string, league: string, market: string, family: MarketFamily): MarketShape {
  const key = `${sport}|${league}|${market}|${family}`;
  let shape = shapes.get(key);
  if (shape === undefined) {
    shape = shapeOf(sport, league, market, family);
    shapes.set(key, shape);
  }
  return shape;
}

function shapeOf(sport: string, league: string, market: string, family: MarketFamily): MarketShape {
  const model = family === 'spread' || family === 'total' ? resultModel(sport, league, market) : undefined;
  const wanted = family === 'spread' ? 'spread' : 'total';
  return {
    family,
    alwaysThreeWay: family === 'winner' && isThreeWayAnyhow(sport, market),
    moneyline: family === 'winner' && isMoneyline(market),
    model: model?.pair === wanted ? model : undefined,
  };
}

/** Whether a side with this line belongs to the market line at `x`. */
export function staysAt(family: MarketFamily, side: number, line: number | null, x: number): boolean {
  switch (family) {
    case 'total':
      return line === x;
    case 'spread':
      return line !== null && (side === 0 ? 0 - line : line) === x;
    default:
      return line === null;
  }
}
