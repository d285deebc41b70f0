// Data in addition to odds: betting splits of two sources, winner markets of leagues, and results.

import { compareText } from '../../../base/model/compare.js';
import { DAY_MS } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { asAmerican, type BookStyle, toGrid } from './book-style.js';
import type { SimEvent } from './event.js';
import type { PlayedLeague } from './fixtures.js';
import { mix, Random, signed, textSeed, unit } from './prng.js';
import type { Prop } from './props.js';

export const SPLITS_SOURCES = ['draftkings', 'circa'] as const;
/** They are published, and change, at these intervals. */
export const EXTRAS_EVERY_MS = { splits: 5 * 60_000, futures: 30 * 60_000 };
const FUTURE_BOOKS_MAX = 8;
const FUTURE_OVERROUND = 1.24;
const SELECTIONS_MAX = 40;

/** One source's splits of the priced events it follows (games between teams), as of `nowMs`. */
export function splitsMessage(
  source: string,
  book: string,
  events: readonly SimEvent[],
  nowMs: number,
): IngestMessage | null {
  const fetchedAt = new Date(nowMs).toISOString();
  const splits: object[] = [];
  for (const event of events)
    if (event.priced && event.phase === 'upcoming' && event.model.restHours <= 100)
      splits.push(eventSplits(event, source, fetchedAt, nowMs));
  return splits.length === 0 ? null : { book, polled_at: fetchedAt, scope: 'none', splits };
}

function eventSplits(event: SimEvent, source: string, fetchedAt: string, nowMs: number): object {
  const { fair } = event.latest;
  const seed = textSeed(source);
  // Shares drift from hour to hour between two levels; money lies further from even than tickets.
  const share = (market: number, spread: number): number => {
    const hours = nowMs / (12 * EXTRAS_EVERY_MS.splits);
    const hour = Math.floor(hours);
    const at = (h: number): number => signed(event.seed, seed, market, h);
    const drift = at(hour) + (at(hour + 1) - at(hour)) * (hours - hour);
    const level = 0.5 + spread * (0.7 * signed(event.seed, market, 0x5b) + 0.3 * drift);
    return Math.round(100 * Math.max(0.02, Math.min(0.98, level))) / 100;
  };
  const pair = (first: string, second: string, value: number): Record<string, number> => ({
    [first]: value,
    [second]: Math.round(100 - 100 * value) / 100,
  });
  const sides = (market: number): object => ({
    handle_pct: pair('away', 'home', share(market, 0.45)),
    bets_pct: pair('away', 'home', share(market + 1, 0.35)),
  });
  const away = 1 - fair.home - fair.draw;
  const [homeOdds, awayOdds] = toGrid([fair.home * 1.023, away * 1.023].map(within), 'nickel');
  const line = Math.round((fair.margin?.mean ?? 0) * 2) / 2;
  return {
    ...event.ref,
    sportsbook: source,
    spread: { away_line: line, home_line: line === 0 ? 0 : -line, ...sides(10) },
    total: {
      line: Math.round(fair.total.mean * 2) / 2,
      handle_pct: pair('over', 'under', share(20, 0.4)),
      bets_pct: pair('over', 'under', share(21, 0.3)),
    },
    moneyline: { away_odds: awayOdds, home_odds: homeOdds, ...sides(30) },
    fetched_at: fetchedAt,
  };
}

function within(p: number): number {
  return Math.max(0.005, Math.min(0.995, p));
}

/** The books' prices on the winner of each league that is played by teams. */
export function futuresMessages(
  leagues: readonly PlayedLeague[],
  books: readonly BookStyle[],
  marketSeed: number,
  nowMs: number,
): IngestMessage[] {
  const step = Math.floor(nowMs / EXTRAS_EVERY_MS.futures);
  const polledAt = new Date(nowMs).toISOString();
  // Seasons end on the same day, whatever the time of asking.
  const endMs = (Math.floor(nowMs / (180 * DAY_MS)) + 2) * 180 * DAY_MS;
  return books
    .filter((style) => !style.book.isExchange)
    .slice(0, FUTURE_BOOKS_MAX)
    .map((style) => ({
      book: style.book.id,
      polled_at: polledAt,
      scope: 'none',
      futures: leagues
        .filter((league) => league.hasTeams)
        .map((league) => ({
          league: league.id,
          market: 'championship_winner',
          display_name: `${league.name} Championship Winner`,
          future_type: 'TEAM',
          event_start_time: new Date(endMs).toISOString(),
          selections: winners(league, style, marketSeed, step),
        })),
    }));
}

function winners(league: PlayedLeague, style: BookStyle, marketSeed: number, step: number): unknown[] {
  const weights = league.sides.map((side, i) => {
    const strength =
      2.2 * signed(marketSeed, league.seed, i, 0xc4) + 0.12 * signed(marketSeed, textSeed(side.id), step);
    return { name: side.name, weight: Math.exp(strength + 0.1 * signed(style.feedSeed, league.seed, i)) };
  });
  weights.sort((a, b) => b.weight - a.weight || compareText(a.name, b.name));
  const offered = weights.slice(0, SELECTIONS_MAX);
  const sum = offered.reduce((total, { weight }) => total + weight, 0);
  const { grid, feedSeed } = style;
  const margin = FUTURE_OVERROUND * (0.98 + 0.04 * unit(feedSeed));
  const prices = toGrid(
    offered.map(({ weight }) => within((weight / sum) * margin)),
    grid,
  );
  return offered.map(({ name }, i) => ({ selection: name, odds_american: asAmerican(prices[i]!, grid) }));
}

// What became of the simulated games: scores by parts and players' statistics, from the same distributions as their
// prices.

const RESULTS_SOURCE = 'sim';
/** A game that was postponed is called off after this time: nobody plays it. */
export const CALLED_OFF_MS = 5 * 60_000;
/** Bets on those who do not play are void. */
const MISSES_CHANCE = 0.02;

/** What became of games that have ended, been postponed or, being postponed, been called off. */
export function resultsMessage(
  events: readonly SimEvent[],
  book: string,
  nowMs: number,
  calledOff = false,
): IngestMessage {
  const polled_at = new Date(nowMs).toISOString();
  const results = events.map((event) => ({
    ...event.ref,
    at: polled_at,
    ...(event.phase === 'ended'
      ? { status: 'final', ...event.result, players: playerLines(event.seed, event.props) }
      : { status: calledOff ? 'cancelled' : 'postponed' }),
  }));
  return { book, source: RESULTS_SOURCE, polled_at, scope: 'none', results };
}

/** Every statistic of everybody in these props. */
export function playerLines(seed: number, props: readonly Prop[]) {
  return [...new Set(props.map(({ player }) => player))].map((player_name) => {
    const played = unit(mix(seed, textSeed(player_name)), 6) >= MISSES_CHANCE;
    const own = props.filter(({ player }) => player === player_name);
    const stats: Record<string, number> = {};
    for (const prop of played ? own : []) {
      const { within, stat, sumOf } = prop.kind;
      // Sums follow from their parts.
      if (sumOf.length > 0) continue;
      const whole = own.find(({ kind }) => kind.stat === within);
      stats[stat] = whole === undefined ? counted(prop) : someOf(counted(whole), prop.mean / whole.mean, prop.seed);
    }
    return { player_name, played, stats };
  });
}

function counted({ kind, mean, seed }: Prop): number {
  const random = new Random(seed, 7);
  if (kind.scatter === 0) return random.poisson(mean);
  return Math.max(0, Math.round(mean * (1 + kind.scatter * random.normal())));
}

/** Each with this chance: a share of a Poisson count is one, too. */
function someOf(count: number, chance: number, seed: number): number {
  const random = new Random(seed, 8);
  let some = 0;
  for (let i = 0; i < count; i++) if (random.chance(chance)) some++;
  return some;
}
