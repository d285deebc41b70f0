// A move in memory, and its record, whose tail says what moved, which books moved and which have not yet.

import { opportunityId } from '../../base/model/identity.js';
import type { RecordWriter } from '../../base/model/opportunity-record.js';
import type { Row } from '../../base/model/row.js';
import type { EventState } from '../../base/model/state.js';
import { encodePassing } from '../../base/wire/codec.js';
import type { BookList } from '../book-list.js';
import type { MoveTail } from '../kinds/move.js';
import { percent } from '../kinds/parts.js';
import type { Active } from '../life-cycle.js';
import type { Market, MarketLine } from '../market-line.js';

export interface Move extends Active {
  readonly event: EventState;
  /** Undefined if the row takes no part in detection, or no price of the market is left. */
  placed: Market | undefined;
  /** Its own: another universe may have found the same. */
  readonly tail: MoveTail;
  published: boolean;
  /** Unix ms of the last search for laggards. */
  laggardsMs: number;
  /** The laggards may have changed. */
  unsettled: boolean;
  dueMs: number;
}

/** What of a move is found in prices. */
export type Found = Pick<Move, 'event' | 'universe' | 'placed' | 'tail'>;

/**
 * Each field is named, because V8 gives every object that is put together of others, and has so many fields, a hidden
 * class of its own, which takes more memory than the object.
 */
export function tailOf(
  row: Row,
  marketLine: MarketLine | undefined,
  side: number,
  move: Pick<MoveTail, 'kind' | 'key' | 'direction' | 'lineFrom' | 'lineTo' | 'movers' | 'startedUs' | 'lastUs'>,
): MoveTail {
  return {
    market: row.market,
    player: row.player,
    stat: row.stat,
    team: row.team,
    selection: row.selection,
    selectionType: row.selectionType,
    group: marketLine?.market.key ?? null,
    x: marketLine?.x ?? 0,
    side,
    kind: move.kind,
    key: move.key,
    direction: move.direction,
    lineFrom: move.lineFrom,
    lineTo: move.lineTo,
    movers: move.movers,
    laggards: [],
    startedUs: move.startedUs,
    lastUs: move.lastUs,
    bookOrder: [],
  };
}

/** One of which nothing was published yet. Its id depends on what it is and when it began, not on its numbers. */
export function newMove(secret: string, { event, universe, placed, tail }: Found): Move {
  const { kind, key, lineFrom, startedUs } = tail;
  return {
    kind: 'move',
    id: opportunityId(secret, ['move', kind, event.id, key, lineFrom, startedUs]),
    event,
    eventNo: event.no,
    universe,
    placed,
    tail,
    detectedUs: 0,
    updatedPosition: 0,
    published: false,
    laggardsMs: Number.NEGATIVE_INFINITY,
    unsettled: false,
    dueMs: Number.POSITIVE_INFINITY,
  };
}

/** Returns the record's place. */
export function writeMove(writer: RecordWriter, { id, eventNo, tail }: Move, books: BookList): number {
  const { movers, laggards, lastUs } = tail;
  const order = (book: string): number => books.rank[books.no(book)] ?? 0;
  tail.bookOrder = movers.map(({ book }) => book).sort((a, b) => order(a) - order(b));
  const place = writer.begin('move', 0, id, eventNo);
  writer.number(percent(Math.max(0, ...laggards.map(({ edge }) => edge ?? 0))));
  writer.number(0);
  writer.number(movers.length);
  writer.number(Math.floor(lastUs / 1000));
  writer.tail(encodePassing(tail));
  return place;
}
