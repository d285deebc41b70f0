// The record of a move, and a move again from its record.

import type { BookList } from '../detect/book-list.js';
import type { StoredOpportunity } from '../detect/stored-opportunities.js';
import { type MoveTail, readTail } from '../kinds/move.js';
import { percent } from '../kinds/parts.js';
import { type RecordWriter, readRecord } from '../model/opportunity-record.js';
import { encodePassing } from '../wire/codec.js';
import type { Move } from './move.js';

/** Returns the record's place. */
export function writeMove(writer: RecordWriter, move: Move, books: BookList): number {
  const place = writer.begin('move', 0, move.id, move.eventNo);
  writer.number(bestEdge(move));
  writer.number(0);
  writer.number(move.movers.length);
  writer.number(Math.floor(move.lastUs / 1000));
  writer.tail(encodePassing(tailOf(move, books)));
  return place;
}

/** What its record says of a move. */
export function storedMove({ record }: Pick<StoredOpportunity, 'record'>): MoveTail {
  return readTail(readRecord(record, 0));
}

function tailOf(move: Move, books: BookList): MoveTail {
  const { type, key, direction, lineFrom, lineTo, movers, laggards, startedUs, lastUs } = move;
  const { market, player, stat, team, selection, selectionType, group, x, side } = move;
  const order = (book: string): number => books.rank[books.no(book)] ?? 0;
  const bookOrder = movers.map(({ book }) => book).sort((a, b) => order(a) - order(b));
  const subject = { market, player, stat, team, selection, selectionType, group, x, side };
  return { ...subject, kind: type, key, direction, lineFrom, lineTo, movers, laggards, startedUs, lastUs, bookOrder };
}

/** Percent; 0 where no laggard has one. */
function bestEdge({ laggards }: Pick<Move, 'laggards'>): number {
  let best = 0;
  for (const { edge } of laggards) if (edge !== null && edge > best) best = edge;
  return percent(best);
}
