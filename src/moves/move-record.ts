// The record of a move.

import type { BookList } from '../detect/book-list.js';
import type { MoveTail } from '../kinds/move.js';
import { percent } from '../kinds/parts.js';
import type { RecordWriter } from '../model/opportunity-record.js';
import { roundDecimal, roundProbability } from '../model/price.js';
import { formatUs } from '../model/time.js';
import { encodePassing } from '../wire/codec.js';
import { type Move, meanOf } from './move.js';

const WORDS = { likelier: 'up', lessLikely: 'down' } as const;

/** Returns the record's place. */
export function writeMove(writer: RecordWriter, move: Move, books: BookList): number {
  const place = writer.begin('move', 0, move.id, move.event.no);
  writer.number(bestEdge(move));
  writer.number(0);
  writer.number(move.movers.length);
  writer.number(Math.floor(move.lastUs / 1000));
  writer.tail(encodePassing(tailOf(move, books)));
  return place;
}

function tailOf(move: Move, books: BookList): MoveTail {
  const { movers, laggards } = move;
  const order = (book: string): number => books.rank[books.no(book)] ?? 0;
  return {
    market: move.market,
    team: move.team,
    bookOrder: movers.map(({ book }) => book).sort((a, b) => order(a) - order(b)),
    move: {
      kind: move.kind,
      direction: move.direction > 0 ? WORDS.likelier : WORDS.lessLikely,
      player_name: move.player,
      stat_category: move.stat,
      selection: move.selection,
      selection_type: move.selectionType,
      line_from: move.lineFrom,
      line_to: move.lineTo,
      probability_from: probability(move, 'probabilityFrom'),
      probability_to: probability(move, 'probabilityTo'),
      books: [...movers]
        .sort((a, b) => a.atUs - b.atUs || order(a.book) - order(b.book))
        .map(({ book, from, to, atUs }) => ({ book, from, to, at: formatUs(atUs) })),
      laggards: laggards.map(({ book, american, decimal, line, edge, oddsId }) => ({
        book,
        odds: american,
        odds_decimal: roundDecimal(decimal),
        line,
        edge_percent: edge,
        odds_id: oddsId,
      })),
      started_at: formatUs(move.startedUs),
      last_moved_at: formatUs(move.lastUs),
    },
  };
}

/** Percent; 0 where no laggard has one. */
function bestEdge({ laggards }: Pick<Move, 'laggards'>): number {
  let best = 0;
  for (const { edge } of laggards) if (edge !== null && edge > best) best = edge;
  return percent(best);
}

function probability({ movers }: Move, field: 'probabilityFrom' | 'probabilityTo'): number | null {
  const mean = meanOf(movers, field);
  return Number.isNaN(mean) ? null : roundProbability(mean);
}
