// Random games of the simulated Betfair, and what the table must show of them, written from the venue's rules alone.
import type { Random } from '../../../world/random.js';
import type { VenueMarket, VenueRunner } from './venue.js';

const GAMES = [
  ['7522', 'NBA', 'Los Angeles Lakers @ Boston Celtics', ['Los Angeles Lakers', 'Boston Celtics']],
  ['7522', 'NBA', 'Utah Jazz @ Phoenix Suns', ['Utah Jazz', 'Phoenix Suns']],
  ['1', 'English Premier League', 'Man City v Nottm Forest', ['Man City', 'Nottm Forest']],
  ['1', 'English Premier League', 'Arsenal v Chelsea', ['Arsenal', 'Chelsea']],
] as const;

export function makeMarkets(random: Random, nowMs: number): VenueMarket[] {
  const markets: VenueMarket[] = [];
  for (const [i, [eventTypeId, competition, eventName, teams]] of GAMES.entries()) {
    const startMs = nowMs + (3 + i) * 3_600_000;
    const eventId = String(31_000_000 + i);
    const add = (type: string, bettingType: string, runners: [string, number, number?][]) =>
      markets.push({
        id: `1.${20_000_000 + markets.length}`,
        type,
        bettingType,
        eventId,
        eventName,
        eventTypeId,
        competition,
        startMs,
        status: 'OPEN',
        inPlay: false,
        runners: runners.map(([name, id, hc]) => offered(random, { id, ...(hc === undefined ? {} : { hc }), name })),
      });
    const [first, second] = teams;
    const soccer = eventTypeId === '1';
    add('MATCH_ODDS', 'ODDS', [
      [first, 11 + i],
      [second, 51 + i],
      ...(soccer ? [['The Draw', 58805] as [string, number]] : []),
    ]);
    if (soccer) {
      add('OVER_UNDER_25', 'ODDS', [
        ['Under 2.5 Goals', 47972],
        ['Over 2.5 Goals', 47973],
      ]);
      add(
        'ASIAN_HANDICAP',
        'ASIAN_HANDICAP_DOUBLE_LINE',
        [-0.5, 0, 0.25].flatMap((hc): [string, number, number][] => [
          [first, 11 + i, hc],
          [second, 51 + i, 0 - hc],
        ]),
      );
      add('DRAW_NO_BET', 'ODDS', [
        [first, 11 + i],
        [second, 51 + i],
      ]);
    } else {
      add('HANDICAP', 'ASIAN_HANDICAP_SINGLE_LINE', [
        [first, 11 + i, 4.5],
        [second, 51 + i, -4.5],
      ]);
      add('COMBINED_TOTAL', 'ASIAN_HANDICAP_SINGLE_LINE', [
        ['Over', 1, 220.5],
        ['Under', 2, 220.5],
      ]);
    }
  }
  return markets;
}

function offered(random: Random, named: Pick<VenueRunner, 'id' | 'name' | 'hc'>): VenueRunner {
  const runner: VenueRunner = { ...named, status: 'ACTIVE', back: [], lay: [] };
  reprice(random, runner);
  return runner;
}

/** New offers; sometimes a side is empty. */
export function reprice(random: Random, runner: VenueRunner): void {
  const middle = random.int(130, 500);
  const levels = (step: number): [number, number][] => {
    const count = random.chance(0.1) ? 0 : random.int(1, 3);
    return Array.from({ length: count }, (_, i) => [(middle + step * (i + 1)) / 100, random.int(2, 900)]);
  };
  runner.back = levels(-2);
  runner.lay = levels(2);
}

/** The active rows that the table must have: `league|home team|market|side|line` to the decimal price. */
export function shownBy(markets: Iterable<VenueMarket>): Map<string, string> {
  const rows = new Map<string, string>();
  for (const market of markets) {
    if (market.status !== 'OPEN') continue;
    const soccer = market.eventTypeId === '1';
    const types: Record<string, string> = {
      MATCH_ODDS: 'moneyline',
      OVER_UNDER_25: 'total_goals',
      ASIAN_HANDICAP: 'point_spread',
      HANDICAP: 'point_spread',
      COMBINED_TOTAL: 'total_points',
    };
    const type = types[market.type];
    if (type === undefined) continue;
    const active = market.runners.filter(({ status }) => status === 'ACTIVE');
    for (const runner of active) {
      const others = active.filter((other) => other !== runner && complements(market, runner, other));
      const offers = [...runner.back];
      // With two results, laying one is backing the other.
      if (others.length === 1 && !(soccer && market.type === 'MATCH_ODDS'))
        for (const [price, size] of others[0]!.lay) offers.push([price / (price - 1), size * (price - 1)]);
      put(rows, market, type, runner, best(offers, Math.max));
      if (soccer && market.type === 'MATCH_ODDS')
        put(rows, market, 'moneyline_lay', runner, best(runner.lay, Math.min));
    }
  }
  return rows;
}

/** The best price and the total stake at it. */
function best(offers: readonly [number, number][], of: (...prices: number[]) => number): string | undefined {
  if (offers.length === 0) return undefined;
  const price = of(...offers.map(([each]) => each));
  const size = offers.reduce((sum, [each, more]) => (Math.abs(each - price) < 1e-9 ? sum + more : sum), 0);
  return `${price.toFixed(6)} for ${Math.round(size * 100) / 100}`;
}

function complements(market: VenueMarket, a: VenueRunner, b: VenueRunner): boolean {
  if (market.type === 'ASIAN_HANDICAP' || market.type === 'HANDICAP')
    return a.id !== b.id && (a.hc ?? 0) + (b.hc ?? 0) === 0;
  return true;
}

function put(
  rows: Map<string, string>,
  market: VenueMarket,
  type: string,
  runner: VenueRunner,
  offer: string | undefined,
): void {
  if (offer === undefined) return;
  const { name, hc } = runner;
  const [first] = market.eventName.split(/ @ | v /);
  const away = market.eventName.includes('@');
  const side =
    /^(over|under)/i.exec(name)?.[1]?.toLowerCase() ??
    (name === 'The Draw' ? 'draw' : (name === first) === away ? 'away' : 'home');
  const line = type === 'total_goals' ? 2.5 : type === 'point_spread' || type === 'total_points' ? hc! + 0 : '';
  rows.set(`${market.eventId}|${type}|${side}|${line}`, offer);
}
