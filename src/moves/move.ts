// A move in memory: what moved, which books moved, which have not yet.
import type { Market } from '../detect/market-line.js';
import type { Times, Universe } from '../detect/universe.js';
import type { MoveTail } from '../kinds/move.js';
import { opportunityId } from '../model/identity.js';
import type { EventState } from '../model/state.js';

export interface Move extends Omit<MoveTail, 'bookOrder'>, Times {
  id: string;
  readonly event: EventState;
  readonly watched: Universe;
  /** Undefined if the row takes no part in detection, or no price of the market is left. */
  placed: Market | undefined;
  /** Unix ms of the last search for laggards. */
  laggardsMs: number;
  /** The laggards may have changed. */
  unsettled: boolean;
  dueMs: number;
}

/** A detected move that has no id or history yet. */
export type Found = Omit<
  Move,
  'id' | 'laggards' | 'detectedUs' | 'updatedPosition' | 'laggardsMs' | 'unsettled' | 'dueMs'
>;

/** Depends on what it is and when it began, not on its numbers. */
export function moveId(secret: string, { kind, event, key, lineFrom, startedUs }: Found): string {
  return opportunityId(secret, ['move', kind, event.id, key, lineFrom, startedUs]);
}

/** What a move has beyond what was detected. */
type Begun = Pick<Move, 'id' | 'movers' | 'laggards' | 'detectedUs' | 'updatedPosition'>;

/**
 * A move of which nothing was sent yet. Each field is named, because V8 gives every object that is made by spreading so
 * many fields a hidden class of its own, which takes more memory than the object.
 */
export function unsentMove(found: Omit<Found, 'movers'>, begun: Begun): Move {
  const { event } = found;
  return {
    kind: found.kind,
    key: found.key,
    event,
    watched: found.watched,
    placed: found.placed,
    market: found.market,
    player: found.player,
    stat: found.stat,
    team: found.team,
    selection: found.selection,
    selectionType: found.selectionType,
    group: found.group,
    x: found.x,
    side: found.side,
    direction: found.direction,
    lineFrom: found.lineFrom,
    lineTo: found.lineTo,
    startedUs: found.startedUs,
    lastUs: found.lastUs,
    movers: begun.movers,
    id: begun.id,
    laggards: begun.laggards,
    detectedUs: begun.detectedUs,
    updatedPosition: begun.updatedPosition,
    laggardsMs: Number.NEGATIVE_INFINITY,
    unsettled: false,
    dueMs: Number.POSITIVE_INFINITY,
  };
}
