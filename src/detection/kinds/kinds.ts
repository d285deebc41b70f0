// The kinds of opportunities.
import type { OpportunityKind } from '../../base/model/opportunity.js';
import { ARBITRAGE } from './arbitrage.js';
import { EV } from './ev.js';
import type { Kind } from './kind.js';
import { LOW_HOLD } from './low-hold.js';
import { MIDDLE } from './middle.js';
import { MOVE } from './move.js';

export const KINDS: Readonly<Record<OpportunityKind, Kind>> = {
  ev: EV,
  arbitrage: ARBITRAGE,
  middle: MIDDLE,
  low_hold: LOW_HOLD,
  move: MOVE,
};
