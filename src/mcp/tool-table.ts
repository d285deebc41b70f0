// The tools: which route answers each, and how a row of its answer reads as a line. Data, not code: schemas, checks and
// answers are the routes'.
import { american, each, field, flag, joined, type Line, labelled, percent, type Reading, signed } from './readable.js';

export interface ToolEntry extends Reading {
  name: string;
  title: string;
  /** For the model that chooses. */
  description: string;
  /** Path of the GET route, below /api/v1. */
  path: string;
}

/** Parameters no tool has: a table as text is no structured content. */
export const HIDDEN = ['format'] as const;

const market = joined(' ', field('market_type'), field('player_name'), field('team_name'));
const what = joined(' ', market, field('selection'), field('line'));
const when = joined(' ', field('start_time'), flag('is_live', 'live'));
const row = (...parts: Line[]) => joined(' · ', ...parts);
const oddsRow = row(
  field('event_id'),
  what,
  field('sportsbook'),
  american('odds_american'),
  flag('is_live', 'live'),
  labelled('id', 'id'),
);
/** Rows of get_odds, also those under their event with group_by. */
const oddsLine: Line = (item) => {
  const grouped = row(
    field('event_name'),
    each('odds', row(what, field('sportsbook'), american('odds_american')), '; '),
  );
  return each('odds', field('id'))(item) === undefined ? oddsRow(item) : grouped(item);
};
const middleSide = (name: string) =>
  joined(
    ' ',
    field(`${name}.selection`),
    field(`${name}.line`),
    american(`${name}.odds.american`),
    labelled(`${name}.book`, 'at'),
  );
const lowHoldSide = (name: string) =>
  joined(
    ' ',
    field(`${name}.selection`),
    field(`${name}.line`),
    american(`${name}.odds.american`),
    labelled(`${name}.books`, 'at'),
  );
const compared = joined(
  ' ',
  field('selection'),
  field('line'),
  american('best_odds'),
  labelled('best_book', 'at'),
  labelled('worst_odds', 'worst', signed),
);

export const TOOLS: readonly ToolEntry[] = [
  {
    name: 'get_sports',
    title: 'Sports',
    description: 'The sports that have events now, with their leagues and how many events are upcoming and live.',
    path: '/sports',
    line: row(field('id'), field('name'), labelled('event_count', 'events'), labelled('live_count', 'live')),
  },
  {
    name: 'get_leagues',
    title: 'Leagues',
    description: 'The leagues that have events now. Their ids are what the league argument of the other tools takes.',
    path: '/leagues',
    line: row(field('id'), field('name'), field('sport'), labelled('event_count', 'events')),
  },
  {
    name: 'get_sportsbooks',
    title: 'Sportsbooks',
    description: 'The sportsbooks, which of them are sharp, and the tier that sees each.',
    path: '/sportsbooks',
    line: row(field('id'), field('display_name'), flag('is_sharp', 'sharp'), labelled('requires_tier', 'tier')),
  },
  {
    name: 'get_markets',
    title: 'Market types',
    description:
      'The market types: moneyline, spreads, totals, player props and the rest. Their ids are what market takes.',
    path: '/markets',
    line: row(field('id'), field('name'), field('description')),
  },
  {
    name: 'get_events',
    title: 'Events',
    description: 'Games, by start: teams, start, status, score, and the books and market types that price them.',
    path: '/events',
    line: row(field('event_id'), field('event_name'), when, field('status'), labelled('book_count', 'books')),
  },
  {
    name: 'get_odds',
    title: 'Odds',
    description:
      'Current prices, one row a book and selection. Narrow by event, league, market or sportsbook: pages are long.',
    path: '/odds',
    line: oddsLine,
  },
  {
    name: 'get_odds_delta',
    title: 'Changed odds',
    description:
      'Prices that changed after since, and ids of those that are gone. Give the server_time of the last answer.',
    path: '/odds/delta',
    line: oddsRow,
  },
  {
    name: 'get_best_odds',
    title: 'Best odds',
    description: "The best current price of each selection among the caller's sportsbooks, and every other book's.",
    path: '/odds/best',
    line: row(field('event_name'), what, american('best_odds.american'), labelled('best_book', 'at')),
  },
  {
    name: 'compare_odds',
    title: 'Compare odds',
    description: 'One event side by side: what each sportsbook pays for each selection of each market, best and worst.',
    path: '/odds/comparison',
    line: joined(' ', market, each('selections', compared, ', ')),
    within: { rows: 'markets', head: row(field('event_name'), when) },
  },
  {
    name: 'find_ev_opportunities',
    title: '+EV bets',
    description:
      'Prices better than fair: expected value, fair odds, Kelly stake and how far to trust them. Pro and up.',
    path: '/opportunities/ev',
    line: row(
      percent('ev_percentage', 'EV'),
      field('event_name'),
      what,
      american('odds_american'),
      labelled('sportsbook', 'at'),
      labelled('no_vig_odds', 'fair', signed),
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_arbitrage',
    title: 'Arbitrage',
    description: 'Bets at different books that together win whatever the result, with the stakes. Hobby and up.',
    path: '/opportunities/arbitrage',
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
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_middles',
    title: 'Middles',
    description:
      'Two lines with results between them at which both bets win, with chance and expected value. Pro and up.',
    path: '/opportunities/middles',
    line: row(
      percent('expected_value', 'EV'),
      field('event_name'),
      market,
      joined(' + ', middleSide('side1'), middleSide('side2')),
      labelled('middle_numbers', 'both win at'),
      field('warnings', warnings),
    ),
  },
  {
    name: 'find_low_hold',
    title: 'Low holds',
    description: 'Markets whose best prices together leave the books next to nothing. Needs the low_hold feature.',
    path: '/opportunities/low_hold',
    line: row(
      percent('hold_percentage', 'hold'),
      field('event_name'),
      market,
      joined(' + ', lowHoldSide('side1'), lowHoldSide('side2'), lowHoldSide('side3')),
    ),
  },
  {
    name: 'get_splits',
    title: 'Betting splits',
    description: 'Where the public bets: shares of tickets and of money on spread, total and moneyline.',
    path: '/splits',
    line: row(
      field('event_id'),
      field('sportsbook'),
      labelled('moneyline.bets_pct', 'moneyline tickets'),
      labelled('spread.bets_pct', 'spread tickets'),
      labelled('total.bets_pct', 'total tickets'),
    ),
  },
  {
    name: 'get_futures_odds',
    title: 'Futures odds',
    description: 'Prices of one futures market (championships, awards, season totals) by sportsbook.',
    path: '/futures/odds',
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
    line: row(
      labelled('key.name', 'key'),
      labelled('key.tier', 'tier'),
      labelled('limits', 'limits'),
      labelled('features', 'features'),
    ),
  },
];

function warnings(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > 0 ? value.join(' ') : undefined;
}
