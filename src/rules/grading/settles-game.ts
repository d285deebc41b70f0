// Which settlements of a venue say that a game is over.

import type { Outcome, SettlementOf } from '../../base/model/result.js';
import { GAME } from '../markets/parts.js';
import type { TypeRules } from '../markets/rules.js';
import { isThirdSide } from '../markets/sides.js';

/**
 * Whether a venue can only have settled this because the game is over. A market of a part, of a player or of a single
 * happening may be decided before, and so may a number that was passed.
 */
export function settlesGame(
  { family, part, subject }: TypeRules,
  { selection }: Pick<SettlementOf, 'selection'>,
  outcome: Outcome,
): boolean {
  if (part !== GAME || subject === 'player') return false;
  if (family === 'winner' || family === 'handicap' || family === 'odd_even') return true;
  return family === 'total' && outcome === (selection === 'under' || isThirdSide(selection) ? 'won' : 'lost');
}
