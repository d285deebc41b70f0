// Normalises the ladder that a selection states beside its price. An order book that cannot be is refused, with the
// reason; the selection is kept without it.
import { type DepthText, depthText, type Level } from '../model/depth.js';
import { LIMITS } from '../model/limits.js';
import { isDecimalPrice, roundDecimal } from '../model/price.js';
import type { Reader } from './fields.js';

/** Levels kept of a side; those behind them are left out. */
export const DEPTH_LEVELS_MAX = LIMITS.depthLevels.max;
const STATED_MAX = LIMITS.statedLevels.max;
const MONEY_MAX = LIMITS.money.max;

type SideName = 'back' | 'lay';

/** Null if none is stated, or with a rejection noted. */
export function readDepth(raw: unknown, path: string, read: Reader): DepthText | null {
  if (raw === undefined || raw === null) return null;
  if (!read.isMap(raw)) return read.reject(path, 'not an object') ?? null;
  const back = readSide(raw['back'], 'back', path, read);
  const lay = readSide(raw['lay'], 'lay', path, read);
  if (back === undefined || lay === undefined) return null;
  if (back.length > 0 && lay.length > 0 && back[0]![0] > lay[0]![0])
    return read.reject(path, `crossed: ${back[0]![0]} to back is above ${lay[0]![0]} to lay`) ?? null;
  return back.length === 0 && lay.length === 0 ? null : depthText(back, lay);
}

function readSide(raw: unknown, side: SideName, path: string, read: Reader): Level[] | undefined {
  if (raw === undefined || raw === null) return [];
  const at = `${path}.${side}`;
  if (!Array.isArray(raw)) return read.reject(at, 'not a list');
  if (raw.length > STATED_MAX) return read.reject(at, `more than ${STATED_MAX} levels`);
  const levels: Level[] = [];
  let before = Number.NaN;
  for (let i = 0; i < raw.length; i++) {
    const level = raw[i] as unknown;
    if (!Array.isArray(level) || level.length !== 2) return read.reject(`${at}[${i}]`, 'not [odds_decimal, size]');
    const [decimal, size] = level as unknown[];
    if (typeof decimal !== 'number' || !isDecimalPrice(decimal))
      return read.reject(`${at}[${i}]`, 'the odds are no decimal price above 1');
    if (typeof size !== 'number' || !(size >= 0 && size <= MONEY_MAX))
      return read.reject(`${at}[${i}]`, `the size is not a number from 0 to ${MONEY_MAX}`);
    if (side === 'back' ? decimal >= before : decimal <= before)
      return read.reject(`${at}[${i}]`, `not best first: ${decimal} after ${before}`);
    before = decimal;
    // An empty level is none.
    if (size > 0 && levels.length < DEPTH_LEVELS_MAX) levels.push([roundDecimal(decimal), size]);
  }
  return levels;
}
