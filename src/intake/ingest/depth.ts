// Normalises the ladder that a selection states beside its price. An order book that cannot be is refused, with the
// reason; the selection is kept without it.
import { type DepthText, depthWriter } from '../../base/model/depth.js';
import { LIMITS } from '../../base/model/limits.js';
import { isDecimalPrice, roundDecimal } from '../../base/model/price.js';
import type { Reader } from './fields.js';

/** Levels kept of a side; those behind them are left out. */
export const DEPTH_LEVELS_MAX = LIMITS.depthLevels.max;
const STATED_MAX = LIMITS.statedLevels.max;
const MONEY_MAX = LIMITS.money.max;

type SideName = 'back' | 'lay';
/** Of a side without any. */
const NO_LEVEL = 0;

/** Null if none is stated, or with a rejection noted. */
export function readDepth(raw: unknown, path: string, read: Reader): DepthText | null {
  if (raw === undefined || raw === null) return null;
  if (!read.isMap(raw)) return read.reject(path, 'not an object') ?? null;
  depthWriter.begin();
  const back = readSide(raw['back'], 'back', path, read);
  depthWriter.lay();
  const lay = readSide(raw['lay'], 'lay', path, read);
  if (back === undefined || lay === undefined) return null;
  if (back > lay && lay !== NO_LEVEL)
    return read.reject(path, `crossed: ${back} to back is above ${lay} to lay`) ?? null;
  return back === NO_LEVEL && lay === NO_LEVEL ? null : depthWriter.end();
}

/** Writes the levels, and returns the odds of the best one. */
function readSide(raw: unknown, side: SideName, path: string, read: Reader): number | undefined {
  if (raw === undefined || raw === null) return NO_LEVEL;
  if (!Array.isArray(raw)) return read.reject(`${path}.${side}`, 'not a list');
  if (raw.length > STATED_MAX) return read.reject(`${path}.${side}`, `more than ${STATED_MAX} levels`);
  let before = Number.NaN;
  let best = NO_LEVEL;
  let written = 0;
  for (let i = 0; i < raw.length; i++) {
    const refuse = (reason: string): undefined => read.reject(`${path}.${side}[${i}]`, reason);
    const level = raw[i] as unknown;
    if (!Array.isArray(level) || level.length !== 2) return refuse('not [odds_decimal, size]');
    const [decimal, size] = level as unknown[];
    if (typeof decimal !== 'number' || !isDecimalPrice(decimal)) return refuse('the odds are no decimal price above 1');
    if (typeof size !== 'number' || !(size >= 0 && size <= MONEY_MAX))
      return refuse(`the size is not a number from 0 to ${MONEY_MAX}`);
    if (side === 'back' ? decimal >= before : decimal <= before)
      return refuse(`not best first: ${decimal} after ${before}`);
    before = decimal;
    // An empty level is none.
    if (size === 0 || written === DEPTH_LEVELS_MAX) continue;
    const odds = roundDecimal(decimal);
    if (written++ === 0) best = odds;
    depthWriter.level(odds, size);
  }
  return best;
}
