// A move, as served: the part that does not follow from its event is its record's tail.

import type { MoveItem } from '../delta/opportunity.js';
import { MOVE_NUMBER, type OpportunityRecord } from '../model/opportunity-record.js';
import type { Move } from '../schema/moves.js';
import type { OpportunitySort } from '../schema/sorts.js';
import { decode } from '../wire/codec.js';
import { columnsOfEach, EVENT_SORTS, edge, type Kind, type SortKey } from './kind.js';
import { eventFields, type Market } from './parts.js';

type OfEvent = 'id' | 'team_name' | keyof ReturnType<typeof eventFields>;
type OfMove = Omit<MoveItem, OfEvent>;

export interface MoveTail {
  market: string;
  team: 'home' | 'away' | null;
  /** Of those that moved, in the order of the catalogue. */
  bookOrder: readonly string[];
  move: OfMove;
}

function readTail({ tail }: OpportunityRecord): MoveTail {
  return decode(tail) as MoveTail;
}

function moveItem({ event, marketType }: Market, id: string, { team, move }: MoveTail): MoveItem {
  const { kind, direction, player_name, stat_category, ...rest } = move;
  return {
    id,
    kind,
    direction,
    ...eventFields(event, marketType),
    player_name,
    stat_category,
    team_name: team === null ? null : event[team],
    ...rest,
  };
}

const detected: SortKey = ({ detectedUs }) => detectedUs;
const lastMoved: SortKey = ({ oldestSeenMs }) => oldestSeenMs;
const FIRST = [0, 1, 2];

export const MOVE: Kind<MoveItem> = {
  without: {
    market: (record) => readTail(record).market,
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
