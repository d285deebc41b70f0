// Tools of opportunities: +EV, arbitrage, middles, low hold.

import { words } from '../../base/model/words.js';
import { american, each, field, joined, labelled, percent, signed } from './readable.js';
import {
  EVENT,
  event,
  GAME,
  MARKET,
  market,
  PAGE,
  PRICE,
  row,
  SIDE,
  side,
  type ToolEntry,
  TRUST,
  under,
  WHAT,
  warnings,
  what,
  when,
} from './tool-entry.js';

export const OPPORTUNITY_TOOLS: readonly ToolEntry[] = [
  {
    name: 'find_ev_opportunities',
    title: '+EV bets',
    description: 'Prices better than fair: expected value, fair odds, Kelly stake and confidence. Pro and up.',
    path: '/opportunities/ev',
    unlisted: ['guaranteed'],
    shows: [
      'id',
      ...EVENT,
      ...WHAT,
      'sportsbook',
      ...PRICE,
      ...words(
        'ev_percentage fair_probability no_vig_odds kelly_percent confidence_score book_count sharp_book odds_id deep_link',
      ),
      ...TRUST,
    ],
    defaults: PAGE,
    line: row(
      percent('ev_percentage', 'EV'),
      field('event_name'),
      what,
      american('odds_american'),
      labelled('sportsbook', 'at'),
      labelled('no_vig_odds', 'fair', signed),
      when,
      event,
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_arbitrage',
    title: 'Arbitrage',
    description: 'Bets at different books that win on every result, with stakes. Hobby and up.',
    path: '/opportunities/arbitrage',
    unlisted: ['include_assumed'],
    shows: [
      'id',
      ...EVENT,
      ...MARKET,
      'line',
      'profit_percent',
      ...under('legs', ['sportsbook', 'selection', 'line', ...PRICE, 'stake_percent', 'odds_id', 'deep_link']),
      ...GAME,
      ...TRUST,
    ],
    defaults: PAGE,
    line: row(
      percent('profit_percent', 'profit'),
      field('event_name'),
      market,
      each(
        'legs',
        joined(
          ' ',
          field('selection'),
          field('line'),
          american('odds_american'),
          labelled('sportsbook', 'at'),
          percent('stake_percent', 'stake'),
        ),
      ),
      when,
      event,
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_middles',
    title: 'Middles',
    description:
      'Two lines with results between them at which both bets win, with probability and expected value. Pro and up.',
    path: '/opportunities/middles',
    shows: [
      'id',
      ...EVENT,
      ...MARKET,
      ...['side1', 'side2'].flatMap((name) => under(name, ['book', ...SIDE, 'stake_percent', 'odds_id', 'deep_link'])),
      ...words(
        'middle_size middle_numbers middle_probability expected_value worst_case_loss best_case_profit is_guaranteed_profit',
      ),
      ...TRUST,
    ],
    defaults: PAGE,
    line: row(
      percent('expected_value', 'EV'),
      field('event_name'),
      market,
      joined(' + ', side('side1', 'book'), side('side2', 'book')),
      labelled('middle_numbers', 'both win at'),
      when,
      event,
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_low_hold',
    title: 'Low holds',
    description: 'Markets whose best prices together have almost no margin. Needs the low_hold feature.',
    path: '/opportunities/low_hold',
    unlisted: ['include_assumed'],
    shows: [
      'id',
      ...EVENT,
      ...MARKET,
      'line',
      'hold_percentage',
      ...['side1', 'side2', 'side3'].flatMap((name) => under(name, [...SIDE, 'books'])),
      ...GAME,
      'odds_age_seconds',
      'possibly_stale',
    ],
    defaults: PAGE,
    line: row(
      percent('hold_percentage', 'hold'),
      field('event_name'),
      market,
      joined(' + ', side('side1', 'books'), side('side2', 'books'), side('side3', 'books')),
      when,
      event,
    ),
  },
];

// The tool of moves.

export const MOVE_TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_moves',
    title: 'Line and price moves',
    description:
      'Steam, drops, line moves, moves against most bets, and books that lag, with their edge. Sharp and up.',
    path: '/moves',
    shows: [
      ...words('id kind direction event_id event_name start_time is_live'),
      ...WHAT.filter((name) => name !== 'line'),
      ...words('line_from line_to probability_from probability_to'),
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
