// Tools of odds, of their history, and of splits, futures, results and the account.

import { words } from '../../base/model/words.js';
import { american, field, flag, labelled } from './readable.js';
import {
  comparedLines,
  EVENT,
  event,
  GAME,
  ODDS,
  oddsLines,
  oddsRow,
  PAGE,
  row,
  type ToolEntry,
  under,
  WHAT,
  what,
  when,
} from './tool-entry.js';

export const ODDS_TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_sports',
    title: 'Sports',
    description: 'The sports with events, with their leagues and numbers of upcoming and live events.',
    path: '/sports',
    shows: ['id', 'name', 'event_count', 'live_count', 'leagues'],
    line: row(field('id'), field('name'), labelled('event_count', 'events'), labelled('live_count', 'live')),
  },
  {
    name: 'get_leagues',
    title: 'Leagues',
    description: 'The leagues with events. Their ids are the values of league in other tools.',
    path: '/leagues',
    shows: ['id', 'name', 'sport', 'event_count', 'live_count'],
    line: row(field('id'), field('name'), field('sport'), labelled('event_count', 'events')),
  },
  {
    name: 'get_sportsbooks',
    title: 'Sportsbooks',
    description: 'The sportsbooks, which of them are sharp, and the tier that sees each.',
    path: '/sportsbooks',
    shows: ['id', 'display_name', 'is_sharp', 'regions', 'requires_tier', 'status', 'event_count', 'last_update'],
    line: row(field('id'), field('display_name'), flag('is_sharp', 'sharp'), labelled('requires_tier', 'tier')),
  },
  {
    name: 'get_markets',
    title: 'Market types',
    description:
      'The market types: moneyline, spreads, totals, player props and others. Their ids are the values of market.',
    path: '/markets',
    shows: ['id', 'name', 'hasLine', 'event_count'],
    line: row(field('id'), field('name'), labelled('event_count', 'events')),
  },
  {
    name: 'get_events',
    title: 'Events',
    description:
      'Games by start: teams (away @ home), start, status, score (away-home), and how many books price them.',
    path: '/events',
    shows: [...EVENT, 'sport', 'status', 'book_count', ...GAME],
    line: row(field('event_id'), field('event_name'), when, field('status'), labelled('book_count', 'books')),
  },
  {
    name: 'get_odds',
    title: 'Odds',
    description: 'Current prices, one row per book and selection (suspended: no bets).',
    path: '/odds',
    shows: [...ODDS, 'event_name', 'start_time', ...under('odds', ODDS)],
    lines: oddsLines,
  },
  {
    name: 'get_odds_delta',
    title: 'Changed odds',
    description:
      'Prices that changed after since, and ids of removed ones. Since is a server_time, or an age such as 60s.',
    path: '/odds/delta',
    shows: ODDS,
    arguments: {
      since: {
        type: 'string',
        description: 'server_time of the previous answer, any RFC 3339 time, or an age: 60s, 5m, 2h',
      },
    },
    line: oddsRow,
  },
  {
    name: 'get_best_odds',
    title: 'Best odds',
    description:
      "The best current price of each selection among the caller's sportsbooks. compare_odds has every other book's.",
    path: '/odds/best',
    shows: words(`
      ${EVENT.join(' ')} ${WHAT.join(' ')} team_name best_odds.american best_odds.decimal best_odds.decimal_net
      commission best_book odds_id deep_link
    `),
    defaults: PAGE,
    line: row(field('event_name'), what, american('best_odds.american'), labelled('best_book', 'at'), event),
  },
  {
    name: 'compare_odds',
    title: 'Compare odds',
    description:
      "One event side by side: every sportsbook's price for each selection, best first. Main markets unless market is given.",
    path: '/odds/comparison',
    shows: [
      ...EVENT,
      ...under('markets', ['market_type', 'player_name', 'team_name', 'hold.best_available']),
      ...under('markets.selections', [
        'selection',
        'line',
        'best_book',
        'best_odds',
        'books.*.odds_american',
        'books.*.is_active',
      ]),
    ],
    defaults: { market: 'main' },
    lines: comparedLines,
    within: { rows: 'markets', head: row(field('event_name'), when) },
  },
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
