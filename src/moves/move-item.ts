// A move as served: the item of its list, its stream and its alerts, and the record that carries it.

import type { Opportunity } from '../delta/opportunity.js';
import type { BookList } from '../detect/book-list.js';
import { eventFields, percent } from '../detect/items/parts.js';
import { roundDecimal, roundProbability } from '../model/price.js';
import { formatUs } from '../model/time.js';
import { type Move, meanOf } from './move.js';

const WORDS = { likelier: 'up', lessLikely: 'down' } as const;

export function moveOpportunity(move: Move, books: BookList): Opportunity {
  const { event, market, movers, laggards, detectedUs, updatedPosition, lastUs } = move;
  const order = (book: string): number => books.rank[books.no(book)] ?? 0;
  return {
    kind: 'move',
    id: move.id,
    eventId: event.id,
    sport: event.sport,
    league: event.league,
    market,
    startMs: event.startMs,
    live: event.live,
    edge: bestEdge(move),
    books: movers.map(({ book }) => book).sort((a, b) => order(a) - order(b)),
    detectedUs,
    updatedPosition,
    oldestSeenMs: Math.floor(lastUs / 1000),
    seenMs: [],
    suspicious: false,
    score: 0,
    size: movers.length,
    item: {
      id: move.id,
      kind: move.kind,
      direction: move.direction > 0 ? WORDS.likelier : WORDS.lessLikely,
      ...eventFields(event, market),
      player_name: move.player,
      stat_category: move.stat,
      team_name: move.team === null ? null : event[move.team],
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
      last_moved_at: formatUs(lastUs),
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
