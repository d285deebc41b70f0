// The levels at which a row can be bet: its ladder where it has one, else its price, within what its book accepts.

import { isOffered } from '../base/model/activity.js';
import { netBeforeRounding } from '../base/model/commission.js';
import { depthOf, type Level } from '../base/model/depth.js';
import { stakeMax } from '../base/model/row-details.js';
import type { StakeLevel } from '../detection/maths/ladder-stakes.js';
import type { OddsTable } from './table.js';

/**
 * Best first, in the book's currency; none if the row takes no bets. Of a lay a stake is the liability, and its decimal
 * odds are what that pays.
 */
export function stakeLevels(table: OddsTable, slot: number, lay: boolean): StakeLevel[] {
  if (!isOffered(table.columns.activity[slot]!)) return [];
  const { details } = table.restOf(slot);
  const commission = table.commissionAt(slot);
  const levels: StakeLevel[] = [];
  let left = details.maxBet ?? Number.POSITIVE_INFINITY;
  for (const [odds, size] of offersOf(table, slot, lay, stakeMax(details))) {
    const decimal = lay ? odds / (odds - 1) : odds;
    const most = Math.min(left, lay ? size * (odds - 1) : size);
    left -= most;
    if (most > 0) levels.push({ decimal, ...netBeforeRounding(decimal, commission), most });
  }
  return levels;
}

/** Stated odds, and the backers' stake at each. */
function offersOf(table: OddsTable, slot: number, lay: boolean, most: number | null): readonly Level[] {
  const text = table.depths.get(slot) ?? null;
  const side = text === null ? [] : depthOf(text)[lay ? 'lay' : 'back'];
  return side.length > 0 ? side : [[table.columns.decimal[slot]!, most ?? Number.POSITIVE_INFINITY]];
}
