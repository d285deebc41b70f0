// The tool of moves.
import { american, each, field, joined, labelled, percent } from './readable.js';
import { PAGE, type ToolEntry, under, WHAT } from './tool-entry.js';
import { event, row, what, when } from './tool-lines.js';

export const MOVE_TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_moves',
    title: 'Line and price moves',
    description:
      'Steam, drops, line moves, moves against most bets, and books that lag, with their edge. Sharp and up.',
    path: '/moves',
    shows: [
      'id',
      'kind',
      'direction',
      'event_id',
      'event_name',
      'start_time',
      'is_live',
      ...WHAT.filter((name) => name !== 'line'),
      'line_from',
      'line_to',
      'probability_from',
      'probability_to',
      ...under('books', ['book', 'from', 'to', 'at']),
      ...under('laggards', ['book', 'odds', 'line', 'edge_percent', 'odds_id']),
      'detected_at',
    ],
    defaults: PAGE,
    line: row(
      joined(' ', field('kind'), field('direction')),
      field('event_name'),
      what,
      joined(' to ', field('line_from'), field('line_to')),
      each('books', joined(' ', field('book'), field('from'), labelled('to', 'to'))),
      each(
        'laggards',
        joined(' ', labelled('book', 'behind'), american('odds'), field('line'), percent('edge_percent', 'edge')),
      ),
      when,
      event,
      field('detected_at'),
    ),
  },
];
