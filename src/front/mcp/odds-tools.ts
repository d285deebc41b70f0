// Tools of odds: games, prices, comparisons.
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
];
