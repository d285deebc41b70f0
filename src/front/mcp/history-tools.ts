// Tools of price history.
import { field, labelled } from './readable.js';
import type { ToolEntry } from './tool-entry.js';
import { row } from './tool-lines.js';

export const HISTORY_TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_odds_history',
    title: 'Odds history',
    description: 'How prices moved: every change, or candles with interval.',
    path: '/odds/history',
    shows: ['odds_id', 'sportsbook', 'market_type', 'player_name', 'selection', 'line', 'opening', 'points'],
    unlisted: ['sport', 'league', 'to', 'line', 'cursor'],
    defaults: { limit: 200 },
    line: row(
      field('sportsbook'),
      field('market_type'),
      field('player_name'),
      field('selection'),
      field('line'),
      labelled('opening.odds_american', 'opened'),
      labelled('points', 'points'),
    ),
  },
  {
    name: 'get_closing_odds',
    title: 'Closing odds',
    description: "Each book's last prices before an event began.",
    path: '/odds/closing',
    shows: ['event_id', 'event_start_time', 'captured_at', 'books'],
    line: row(field('event_id'), labelled('event_start_time', 'start'), labelled('books', 'books')),
  },
  {
    name: 'get_clv',
    title: 'Closing line value',
    description: 'How far the closing line confirmed the detected edges.',
    path: '/historical/clv',
    shows: ['groups'],
    unlisted: ['from', 'to', 'league', 'sportsbook'],
    line: row(labelled('groups', 'groups')),
  },
];
