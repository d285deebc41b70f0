// Tools of splits, futures, results and the account.

import { words } from '../../base/model/words.js';
import { american, field, labelled } from './readable.js';
import { PAGE, row, type ToolEntry } from './tool-entry.js';

export const OTHER_TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_splits',
    title: 'Betting splits',
    description: 'Where the public bets: shares of tickets and of money on spread, total and moneyline.',
    path: '/splits',
    shows: ['event_id', 'sportsbook', 'away_team', 'home_team', 'spread', 'total', 'moneyline', 'fetched_at'],
    defaults: PAGE,
    line: row(
      field('event_id'),
      field('sportsbook'),
      ...['moneyline', 'spread', 'total'].flatMap((name) => [
        labelled(`${name}.bets_pct`, `${name} tickets`),
        labelled(`${name}.handle_pct`, `${name} money`),
      ]),
    ),
  },
  {
    name: 'get_futures',
    title: 'Futures',
    description: 'Futures markets: championships, awards, season totals. get_futures_odds has their prices.',
    path: '/futures',
    shows: ['market_id', 'display_name', 'league', 'future_type', 'selection_count', 'books_available'],
    line: row(
      field('market_id'),
      field('display_name'),
      field('league'),
      labelled('selection_count', 'selections'),
      labelled('books_available', 'at'),
    ),
  },
  {
    name: 'get_futures_odds',
    title: 'Futures odds',
    description: 'Prices of one futures market by sportsbook. Its future_id is a market_id of get_futures.',
    path: '/futures/odds',
    shows: words(`
      future_market_name selection line sportsbook odds_american odds_decimal league event_start_time timestamp
    `),
    arguments: {
      future_id: { type: 'string', description: 'market_id of get_futures; required without sport and league' },
    },
    defaults: { limit: 50 },
    line: row(
      field('future_market_name'),
      field('selection'),
      field('line'),
      american('odds_american'),
      field('sportsbook'),
    ),
  },
  {
    name: 'get_results',
    title: 'Results',
    description: 'What became of games: scores, parts, players; a correction has a higher revision.',
    path: '/results',
    shows: ['event_id', 'status', 'away_team', 'away_score', 'home_team', 'home_score', 'source', 'revision'],
    unlisted: ['event_id', 'updated_since', 'cursor'],
    defaults: PAGE,
    line: row(
      field('event_id'),
      field('status'),
      labelled('away_score', 'away'),
      labelled('home_score', 'home'),
      labelled('source', 'by'),
    ),
  },
  {
    name: 'get_account_info',
    title: 'Account',
    description: "The key's tier, limits, delay and features: what other tools return to it.",
    path: '/account',
    shows: ['key', 'limits', 'features', 'addons', 'streaming_trial'],
    line: row(
      labelled('key.name', 'key'),
      labelled('key.tier', 'tier'),
      labelled('limits', 'limits'),
      labelled('features', 'features'),
    ),
  },
];

// Tools of price history.

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
