// A move: its record's tail is what moved, which books moved and which have not yet, as detection knows it; what is
// served is composed of that and its event.

import { Interner } from '../../base/memory/detached-text.js';
import { LIMITS } from '../../base/model/limits.js';
import { MOVE_NUMBER, type OpportunityRecord } from '../../base/model/opportunity-record.js';
import { roundDecimal, roundProbability } from '../../base/model/price.js';
import { formatUs } from '../../base/model/time.js';
import { decode } from '../../base/wire/codec.js';
import type { MoveItem } from '../../log/delta/opportunity.js';
import type { Move } from '../../schema/moves.js';
import type { OpportunitySort } from '../../schema/parameters.js';
import { columnsOfEach, EVENT_SORTS, edge, type Kind, type SortKey } from './kind.js';
import { eventFields, type Market } from './parts.js';

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

export interface MoveTail extends Subject {
  kind: MoveKind;
  /** Identifies the move that a further change belongs to: outcome and direction. */
  key: string;
  /** 1: the outcome became likelier, or the line moved towards the selection; -1: less likely. */
  direction: number;
  lineFrom: number | null;
  lineTo: number | null;
  movers: Mover[];
  laggards: Laggard[];
  /** Positions: the first mover's change, the last mover's change. */
  startedUs: number;
  lastUs: number;
  /** Those that moved, in the order of the catalogue. */
  bookOrder: string[];
}

/** Each move would have a copy of its own. */
const marketTypes = new Interner(LIMITS.marketTypes.max);

export function readTail({ tail }: Pick<OpportunityRecord, 'tail'>): MoveTail {
  return decode(tail) as MoveTail;
}

/** Mean over the books that moved (0-1); NaN for a line move. */
export function meanOf(movers: readonly Mover[], field: 'probabilityFrom' | 'probabilityTo'): number {
  let sum = 0;
  for (const mover of movers) sum += mover[field];
  return sum / movers.length;
}

/**
 * Whether a book has not followed: one of these, or any if they are null.
 * @param least lowest edge, percent; undefined: any
 */
export function hasLaggard(
  { laggards }: { laggards: readonly { book: string; edge_percent: number | null }[] },
  books: ReadonlySet<string> | null,
  least: number | undefined,
): boolean {
  if (books !== null)
    return laggards.some(
      ({ book, edge_percent: edge }) => books.has(book) && (least === undefined || (edge !== null && edge >= least)),
    );
  // One that nobody lags behind has no edge, which is 0.
  return least === undefined || Math.max(0, ...laggards.map(({ edge_percent: edge }) => edge ?? 0)) >= least;
}

function moveItem({ event, marketType }: Market, id: string, move: MoveTail): MoveItem {
  const { team, bookOrder } = move;
  const order = ({ book }: Mover): number => bookOrder.indexOf(book);
  return {
    id,
    kind: move.kind,
    direction: move.direction > 0 ? 'up' : 'down',
    ...eventFields(event, marketType),
    player_name: move.player,
    stat_category: move.stat,
    team_name: team === null ? null : event[team],
    selection: move.selection,
    selection_type: move.selectionType,
    line_from: move.lineFrom,
    line_to: move.lineTo,
    probability_from: probability(move, 'probabilityFrom'),
    probability_to: probability(move, 'probabilityTo'),
    books: [...move.movers]
      .sort((a, b) => a.atUs - b.atUs || order(a) - order(b))
      .map(({ book, from, to, atUs }) => ({ book, from, to, at: formatUs(atUs) })),
    laggards: move.laggards.map(({ book, american, decimal, line, edge, oddsId }) => ({
      book,
      odds: american,
      odds_decimal: roundDecimal(decimal),
      line,
      edge_percent: edge,
      odds_id: oddsId,
    })),
    started_at: formatUs(move.startedUs),
    last_moved_at: formatUs(move.lastUs),
  };
}

function probability({ movers }: MoveTail, field: 'probabilityFrom' | 'probabilityTo'): number | null {
  const mean = meanOf(movers, field);
  return Number.isNaN(mean) ? null : roundProbability(mean);
}

const detected: SortKey = ({ detectedUs }) => detectedUs;
const lastMoved: SortKey = ({ oldestSeenMs }) => oldestSeenMs;
const FIRST = [0, 1, 2];

export const MOVE: Kind<MoveItem> = {
  without: {
    market: (record) => marketTypes.intern(readTail(record).market),
    books: (record) => readTail(record).bookOrder,
    seenMs: ({ numbers }) => numbers[MOVE_NUMBER.lastMs]!,
  },
  size: ({ numbers }) => numbers[MOVE_NUMBER.movers]!,
  compose: ({ id, market, record }) => moveItem(market, id, readTail(record)),
  isSure: () => true,
  servedFields: { detected_at: '' },
  serve: (item, { detected_at }): Move => ({ ...item, detected_at }),
  meets: () => true,
  mayMeet: () => true,
  sorts: {
    ...EVENT_SORTS,
    detected_at: detected,
    last_moved_at: lastMoved,
    timestamp: lastMoved,
    edge,
    book_count: ({ size }) => size,
  } satisfies Record<OpportunitySort['move'], SortKey>,
  bestFirst: [],
  defaultSort: '-detected_at',
  better: { key: detected, descending: true },
  csv: `id kind direction event_id event_name sport league home_team away_team start_time is_live market_type player_name stat_category team_name selection selection_type line_from line_to probability_from probability_to ${columnsOfEach(
    FIRST.map((i) => `books.${i}`),
    'book from to at',
  )} ${columnsOfEach(
    FIRST.map((i) => `laggards.${i}`),
    'book odds odds_decimal line edge_percent odds_id',
  )} started_at last_moved_at detected_at`.split(' '),
  linkAt: () => null,
};
