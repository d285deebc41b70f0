// A move in memory: what moved, which books moved, which have not yet.
import type { Active } from '../detect/life-cycle.js';
import type { Market } from '../detect/market-line.js';
import type { Times } from '../detect/stored-opportunities.js';
import type { MoveKind, MoveTail } from '../kinds/move.js';
import { opportunityId } from '../model/identity.js';
import type { EventState } from '../model/state.js';

export interface Move extends Omit<MoveTail, 'bookOrder' | 'kind'>, Active {
  type: MoveKind;
  readonly event: EventState;
  /** Undefined if the row takes no part in detection, or no price of the market is left. */
  placed: Market | undefined;
  published: boolean;
  /** Unix ms of the last search for laggards. */
  laggardsMs: number;
  /** The laggards may have changed. */
  unsettled: boolean;
  dueMs: number;
}

/** What of a move is found in prices. */
export type Found = Omit<
  Move,
  'kind' | 'id' | 'eventNo' | 'laggards' | 'published' | 'laggardsMs' | 'unsettled' | 'dueMs' | keyof Times
>;

/** Depends on what it is and when it began, not on its numbers. */
function moveId(secret: string, { type, event, key, lineFrom, startedUs }: Found): string {
  return opportunityId(secret, ['move', type, event.id, key, lineFrom, startedUs]);
}

/**
 * A move of which nothing was published yet. Each field is named, because V8 gives every object that is made by
 * spreading so many fields a hidden class of its own, which takes more memory than the object.
 */
export function newMove(secret: string, found: Found): Move {
  const { event } = found;
  return {
    kind: 'move',
    type: found.type,
    key: found.key,
    event,
    eventNo: event.no,
    universe: found.universe,
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
    // Its own: another universe may have found the same.
    movers: found.movers.map((mover) => ({ ...mover })),
    id: moveId(secret, found),
    laggards: [],
    detectedUs: 0,
    updatedPosition: 0,
    published: false,
    laggardsMs: Number.NEGATIVE_INFINITY,
    unsettled: false,
    dueMs: Number.POSITIVE_INFINITY,
  };
}
