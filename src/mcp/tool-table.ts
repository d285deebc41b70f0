// The tools: which route answers each, what of its answer is shown, and how a row reads as a line. Data, not code: checks
// and answers are the routes'.
import type { Paths, Schema } from './projection.js';
import { american, each, field, flag, joined, labelled, percent, type Reading, signed } from './readable.js';
import { comparedLines, event, market, oddsLines, oddsRow, row, side, warnings, what, when } from './tool-lines.js';

export interface ToolEntry extends Reading {
  name: string;
  title: string;
  /** For the model that chooses. */
  description: string;
  /** Path of the GET route, below /api/v1. */
  path: string;
  /** Fields of the answer's data in the structured content. */
  shows: Paths;
  /** Schemas of arguments in place of the route's. */
  arguments?: Readonly<Record<string, Schema>>;
  /** Arguments that hold where the caller gives none, in place of the route's own defaults. */
  defaults?: Readonly<Record<string, string | number>>;
}

/** Parameters no tool has: a table as text is no structured content. */
export const HIDDEN = ['format'] as const;

/** Parameters that are taken but not listed: wishes of programs, not worth every model's reading. */
export const UNLISTED = ['state', 'devig_book', 'min_market_width', 'max_market_width', 'max_odds_age'] as const;

/** For rows of which fifty are more than a model wants to read at once. */
const PAGE = { limit: 25 } as const;
const EVENT: Paths = ['event_id', 'event_name', 'league', 'start_time', 'is_live'];
const WHAT: Paths = ['market_type', 'player_name', 'selection', 'line'];
const TRUST: Paths = ['oldest_odds_age_seconds', 'possibly_stale', 'warnings'];
const ODDS: Paths = [
  'event_id',
  'sportsbook',
  'market_type',
  'player_name',
  'team_name',
  'selection',
  'line',
  'odds_american',
  'odds_american_previous',
  'odds_decimal',
  'is_active',
  'is_live',
  'last_seen_at',
  'id',
];
const GAME: Paths = ['home_score', 'away_score', 'period', 'clock'].map((name) => `game_state.${name}`);
const under = (path: string, names: Paths): Paths => names.map((name) => `${path}.${name}`);

const SIDE: Paths = ['selection', 'line', 'odds.american', 'odds.decimal', 'odds.decimal_net'];

export const TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_sports',
    title: 'Sports',
    description: 'The sports that have events now, with their leagues and how many events are upcoming and live.',
    path: '/sports',
    shows: ['id', 'name', 'event_count', 'live_count', 'leagues'],
    line: row(field('id'), field('name'), labelled('event_count', 'events'), labelled('live_count', 'live')),
  },
  {
    name: 'get_leagues',
    title: 'Leagues',
    description: 'The leagues that have events now. Their ids are what the league argument of the other tools takes.',
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
      'The market types: moneyline, spreads, totals, player props and the rest. Their ids are what market takes.',
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
    description:
      'Current prices, one row a book and selection (suspended: no bets). Narrow by event, league, market or sportsbook.',
    path: '/odds',
    shows: [...ODDS, 'event_name', 'start_time', ...under('odds', ODDS)],
    lines: oddsLines,
  },
  {
    name: 'get_odds_delta',
    title: 'Changed odds',
    description:
      'Prices that changed after since, and ids of those that are gone. Since is a server_time, or an age such as 60s.',
    path: '/odds/delta',
    shows: ODDS,
    arguments: {
      since: {
        type: 'string',
        description: 'server_time of the answer before, any RFC 3339 time, or an age: 60s, 5m, 2h',
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
    shows: [
      ...EVENT,
      ...WHAT,
      'team_name',
      'best_odds.american',
      'best_odds.decimal',
      'best_odds.decimal_net',
      'commission',
      'best_book',
      'odds_id',
      'deep_link',
    ],
    defaults: PAGE,
    line: row(field('event_name'), what, american('best_odds.american'), labelled('best_book', 'at'), event),
  },
  {
    name: 'compare_odds',
    title: 'Compare odds',
    description:
      'One event side by side: what every sportsbook pays for each selection, best first. Main markets unless market is given.',
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
    name: 'find_ev_opportunities',
    title: '+EV bets',
    description:
      'Prices better than fair: expected value, fair odds, Kelly stake and how far to trust them. Pro and up.',
    path: '/opportunities/ev',
    shows: [
      'id',
      ...EVENT,
      ...WHAT,
      'sportsbook',
      'odds_american',
      'odds_decimal',
      'odds_decimal_net',
      'commission',
      'ev_percentage',
      'fair_probability',
      'no_vig_odds',
      'kelly_percent',
      'confidence_score',
      'book_count',
      'sharp_book',
      'odds_id',
      'deep_link',
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
    description: 'Bets at different books that together win whatever the result, with the stakes. Hobby and up.',
    path: '/opportunities/arbitrage',
    shows: [
      'id',
      ...EVENT,
      'market_type',
      'player_name',
      'line',
      'profit_percent',
      ...under('legs', [
        'sportsbook',
        'selection',
        'line',
        'odds_american',
        'odds_decimal',
        'odds_decimal_net',
        'commission',
        'stake_percent',
        'odds_id',
        'deep_link',
      ]),
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
      'Two lines with results between them at which both bets win, with chance and expected value. Pro and up.',
    path: '/opportunities/middles',
    shows: [
      'id',
      ...EVENT,
      'market_type',
      'player_name',
      ...under('side1', ['book', ...SIDE, 'stake_percent', 'odds_id', 'deep_link']),
      ...under('side2', ['book', ...SIDE, 'stake_percent', 'odds_id', 'deep_link']),
      'middle_size',
      'middle_numbers',
      'middle_probability',
      'expected_value',
      'worst_case_loss',
      'best_case_profit',
      'is_guaranteed_profit',
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
    description: 'Markets whose best prices together leave the books next to nothing. Needs the low_hold feature.',
    path: '/opportunities/low_hold',
    shows: [
      'id',
      ...EVENT,
      'market_type',
      'player_name',
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
    description:
      'The futures markets there are: championships, awards, season totals. get_futures_odds has their prices.',
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
    shows: [
      'future_market_name',
      'selection',
      'line',
      'sportsbook',
      'odds_american',
      'odds_decimal',
      'league',
      'event_start_time',
      'timestamp',
    ],
    arguments: {
      future_id: { type: 'string', description: 'market_id of get_futures; needed without sport and league' },
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
    name: 'get_account_info',
    title: 'Account',
    description: "The key's tier, limits, delay and features: what the other tools will answer to it.",
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
