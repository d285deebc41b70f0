// The whole server with a small market in which every tool has results, with a manual clock.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import type { Server } from '../../../src/server/server.js';
import { boot } from '../../support/server.js';
import { SPLITS } from '../api.js';

export const POLLED = '2026-11-20T18:00:00.000Z';
const DELAY_MS = 61_000;

interface Market {
  market_type: string;
  selections: object[];
}

const sides = (market_type: string, first: Side, second: Side): Market => ({
  market_type,
  selections: [first, second].map(([selection, odds_american, line]) => ({
    selection,
    selection_type: selection.toLowerCase(),
    odds_american,
    ...(line === undefined ? {} : { line }),
  })),
});
type Side = readonly [selection: string, american: number, line?: number];

const moneyline = (home: number, away: number) => sides('moneyline', ['Home', home], ['Away', away]);
const total = (line: number, over: number, under: number) =>
  sides('total_points', ['Over', over, line], ['Under', under, line]);

const game = (home_team: string, away_team: string, markets: Market[]) => ({
  league: 'nba',
  home_team,
  away_team,
  start_time: '2026-11-21T00:30:00Z',
  markets,
});

const splits = (sportsbook: string) => ({
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
  sportsbook,
  spread: SPLITS.spread,
  total: SPLITS.total,
  moneyline: {
    away_odds: 130,
    home_odds: -150,
    handle_pct: { away: 0.3, home: 0.7 },
    bets_pct: { away: 0.35, home: 0.65 },
  },
  fetched_at: POLLED,
});

const champion = (american: number) => ({
  league: 'nba',
  market: 'championship_winner',
  display_name: 'NBA champion',
  future_type: 'TEAM',
  selections: [
    { selection: 'Boston Celtics', odds_american: american },
    { selection: 'Los Angeles Lakers', odds_american: american + 500 },
  ],
});

/** Book, then the markets of the two games. Celtics: an arbitrage and a middle; Heat: a low hold. */
const PRICES: [book: string, celtics: Market[], heat: Market[]][] = [
  ['draftkings', [moneyline(-120, 135), total(218.5, -105, -115)], [moneyline(101, -121)]],
  ['fanduel', [moneyline(-105, -110), total(220.5, -110, -110)], [moneyline(-115, -102)]],
  ['betmgm', [moneyline(-125, 105), total(223.5, -115, -105)], [moneyline(-110, -110)]],
  ['betrivers', [moneyline(-122, 104), total(221.5, -108, -108)], [moneyline(-108, -108)]],
  ['pinnacle', [moneyline(-128, 118), total(221.5, -104, -104)], [moneyline(-103, -103)]],
];

const MESSAGES: Partial<IngestMessage>[] = PRICES.map(([book, celtics, heat], i) => ({
  book,
  events: [game('Boston Celtics', 'Los Angeles Lakers', celtics), game('Miami Heat', 'Chicago Bulls', heat)],
  futures: [champion(300 + 20 * i)],
  ...(i === 0 ? { splits: [splits('draftkings'), splits('circa')] } : {}),
})) as Partial<IngestMessage>[];

/** One book's prices a second earlier: its price on Miami has dropped since. */
const EARLIER = {
  book: 'draftkings',
  polled_at: '2026-11-20T17:59:59.000Z',
  scope: 'event',
  events: [game('Miami Heat', 'Chicago Bulls', [moneyline(130, -150)])],
};

export interface MarketServer {
  server: Server;
  url: string;
}

const RESULT = {
  source: 'league',
  results: [{ event_id: 'nba_celtics_lakers_2026-11-20', status: 'live', home_score: 3, away_score: 2 }],
};

/** The market, polled a little longer ago than the Free tier's delay, so that this tier sees it as well. */
export async function marketServer(t: TestContext): Promise<MarketServer> {
  const clock = new ManualClock(Date.parse(POLLED));
  const { server, url } = await boot(t, { clock, settings: { history: '30' } });
  assert.deepEqual((await server.engine.ingest([EARLIER])).rejected, []);
  const receipt = await server.engine.ingest(
    MESSAGES.map((message) => ({ polled_at: POLLED, scope: 'event', ...message })),
  );
  assert.deepEqual(receipt.rejected, []);
  const { rejected } = await server.engine.ingest([RESULT]);
  assert.deepEqual(rejected, []);
  clock.set(clock.now() + DELAY_MS);
  server.engine.tick();
  return { server, url };
}
