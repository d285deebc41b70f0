// A move as it is kept and stored: what moved, which books moved, which have not yet.
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
  /** Implied probability of the price as stated (0-1); NaN for a line move. */
  probabilityFrom: number;
  probabilityTo: number;
  /** Position of its last change. */
  atUs: number;
}

/** A book that still has a price (line) of before. */
export interface Laggard {
  book: string;
  oddsId: string;
  american: number;
  decimal: number;
  line: number | null;
  /** Percent of the stake, after the book's commission; null where the books that moved give no fair price. */
  edge: number | null;
}

/** What of the market moved. */
export interface Subject {
  eventNo: number;
  market: string;
  /** As the first row shows it. */
  player: string | null;
  stat: string | null;
  team: 'home' | 'away' | null;
  selection: string;
  selectionType: string;
  /** Key of its market among the event's; null where detection has no place for the row. */
  group: string | null;
  /** The line as market lines number it: a line move's new one. */
  x: number;
  side: number;
}

export interface StoredMove extends Subject {
  /** Number under which it is stored. */
  no: number;
  kind: MoveKind;
  /** What a further change belongs to: outcome and direction. */
  key: string;
  universe: string;
  id: string;
  /** 1: the outcome got likelier, or the line moved towards the selection; -1: less likely. */
  direction: number;
  lineFrom: number | null;
  lineTo: number | null;
  movers: Mover[];
  laggards: Laggard[];
  /** Positions: the first mover's change, when it was found, its last news for streams, the last mover's change. */
  startedUs: number;
  detectedUs: number;
  movedUs: number;
  lastUs: number;
  /** It has changed, and streams are not told of it yet. */
  held: boolean;
}

/** What the store has to write since the last time. */
export interface MoveChanges {
  put: StoredMove[];
  /** Their numbers. */
  remove: number[];
}

export interface Move extends Omit<StoredMove, 'movedUs'> {
  /** Position of its last news for streams. */
  updatedPosition: number;
  readonly event: EventState;
  readonly watched: Universe;
  /** Undefined where detection has no place for the row, or no price of the market is left. */
  placed: Market | undefined;
  /** Unix ms at which streams were last told, and at which it was last looked who lags. */
  sentMs: number;
  laggardsMs: number;
  /** Who lags may be others now. */
  unsettled: boolean;
  /** As told. */
  publishedStartMs: number;
  publishedLive: boolean;
  dueMs: number;
}

/** A move that was found and has no number, no id and no history yet. */
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

/** Of what it is and when it began, not of its numbers. */
export function moveId({ kind, event, key, lineFrom, startedUs }: Found): string {
  return opportunityId(['move', kind, event.id, key, lineFrom, startedUs]);
}

/** Mean over the books that moved (0-1); NaN for a line move. */
export function meanOf(movers: readonly Mover[], field: 'probabilityFrom' | 'probabilityTo'): number {
  let sum = 0;
  for (const mover of movers) sum += mover[field];
  return sum / movers.length;
}

/** What is stored of it. */
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
