// A move in memory and in the store: what moved, which books moved, which have not yet.
import type { Market } from '../detect/market-line.js';
import type { Universe } from '../detect/universe.js';
import { opportunityId } from '../model/identity.js';
import type { EventState } from '../model/state.js';

export const MOVE_KINDS = ['steam', 'drop', 'line', 'reverse'] as const;
export type MoveKind = (typeof MOVE_KINDS)[number];

/** A book that moved. */
export interface Mover {
  book: string;
  /** American odds; of a line move the book's main line. */
  from: number;
  to: number;
  /** Implied probability of the stated price (0-1); NaN for a line move. */
  probabilityFrom: number;
  probabilityTo: number;
  /** Position of its last change. */
  atUs: number;
}

/** A book that still has the old price (line). */
export interface Laggard {
  book: string;
  oddsId: string;
  american: number;
  decimal: number;
  line: number | null;
  /** Percent of the stake, after the book's commission; null if the books that moved give no fair price. */
  edge: number | null;
}

/** The part of the market that moved. */
export interface Subject {
  eventNo: number;
  market: string;
  /** As in the first row. */
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  selection: string;
  selectionType: string;
  /** Key of its market among the event's; null if the row takes no part in detection. */
  group: string | null;
  /** The line as numbered by market lines: a line move's new one. */
  x: number;
  side: number;
}

export interface StoredMove extends Subject {
  /** Its number in the store. */
  no: number;
  kind: MoveKind;
  /** Identifies the move that a further change belongs to: outcome and direction. */
  key: string;
  universe: string;
  id: string;
  /** 1: the outcome became likelier, or the line moved towards the selection; -1: less likely. */
  direction: number;
  lineFrom: number | null;
  lineTo: number | null;
  movers: Mover[];
  laggards: Laggard[];
  /** Positions: the first mover's change, the detection, the last publication to streams, the last mover's change. */
  startedUs: number;
  detectedUs: number;
  movedUs: number;
  lastUs: number;
  /** It changed, and streams have not been sent the change yet. */
  held: boolean;
}

/** What the store must write since the last call. */
export interface MoveChanges {
  put: StoredMove[];
  /** Their numbers. */
  remove: number[];
}

export interface Move extends Omit<StoredMove, 'movedUs'> {
  /** Position of its last publication to streams. */
  updatedPosition: number;
  readonly event: EventState;
  readonly watched: Universe;
  /** Undefined if the row takes no part in detection, or no price of the market is left. */
  placed: Market | undefined;
  /** Unix ms of the last publication to streams, and of the last search for laggards. */
  sentMs: number;
  laggardsMs: number;
  /** The laggards may have changed. */
  unsettled: boolean;
  /** As published. */
  publishedStartMs: number;
  publishedLive: boolean;
  dueMs: number;
}

/** A detected move that has no number, id or history yet. */
export type Found = Omit<
  Move,
  | 'no'
  | 'id'
  | 'universe'
  | 'laggards'
  | 'detectedUs'
  | 'updatedPosition'
  | 'held'
  | 'sentMs'
  | 'laggardsMs'
  | 'unsettled'
  | 'publishedStartMs'
  | 'publishedLive'
  | 'dueMs'
>;

/** Depends on what it is and when it began, not on its numbers. */
export function moveId(secret: string, { kind, event, key, lineFrom, startedUs }: Found): string {
  return opportunityId(secret, ['move', kind, event.id, key, lineFrom, startedUs]);
}

/** Mean over the books that moved (0-1); NaN for a line move. */
export function meanOf(movers: readonly Mover[], field: 'probabilityFrom' | 'probabilityTo'): number {
  let sum = 0;
  for (const mover of movers) sum += mover[field];
  return sum / movers.length;
}

/** The stored fields. */
export function storedOf(move: Move): StoredMove {
  const { event: _event, watched: _watched, placed: _placed, updatedPosition: movedUs, ...rest } = move;
  const {
    sentMs: _sent,
    laggardsMs: _looked,
    unsettled: _unsettled,
    publishedStartMs: _start,
    publishedLive: _live,
    dueMs: _due,
    ...stored
  } = rest;
  return { ...stored, movedUs };
}

/** What a move has beyond what was detected. */
type Begun = Pick<Move, 'no' | 'universe' | 'id' | 'movers' | 'laggards' | 'detectedUs' | 'updatedPosition'>;

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
    eventNo: found.eventNo,
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
    no: begun.no,
    universe: begun.universe,
    id: begun.id,
    laggards: begun.laggards,
    detectedUs: begun.detectedUs,
    updatedPosition: begun.updatedPosition,
    held: false,
    sentMs: Number.NEGATIVE_INFINITY,
    laggardsMs: Number.NEGATIVE_INFINITY,
    unsettled: false,
    publishedStartMs: event.startMs,
    publishedLive: event.live,
    dueMs: Number.POSITIVE_INFINITY,
  };
}
