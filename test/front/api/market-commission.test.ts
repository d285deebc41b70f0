// A commission in one market that differs from the book's: in net prices, stakes and opportunities, across a restart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Commission, netDecimal } from '../../../src/base/model/commission.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { type Served, served } from '../../intake/feeds/kit/served.js';
import { newFolder } from '../../temp-folders.js';

const quiet = { name: 'quiet', simulated: false, run: async () => {}, stop: () => {} };
const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString();
const HALF: Commission = { model: 'contract', rate: 0.035, rounding: 'cent_up' };

function poll(book: string, home: number, away: number, commission?: unknown): IngestMessage {
  const market = (market_type: string, sides: object[], more: object) => ({ market_type, ...more, selections: sides });
  const winner = [
    { selection: 'Boston Celtics', selection_type: 'home', odds_decimal: home },
    { selection: 'LA Lakers', selection_type: 'away', odds_decimal: away },
  ];
  const total = [
    { selection: 'Over', selection_type: 'over', line: 220.5, odds_decimal: home },
    { selection: 'Under', selection_type: 'under', line: 220.5, odds_decimal: away },
  ];
  const event = { league: 'nba', home_team: 'Boston Celtics', away_team: 'LA Lakers', start_time: START };
  const own = commission === undefined ? {} : { commission };
  const markets = [market('moneyline', winner, own), market('total_points', total, {})];
  return { book, polled_at: new Date().toISOString(), scope: 'event', events: [{ ...event, markets }] } as never;
}

type Best = { market_type: string; selection_type: string; best_book: string; commission: unknown } & {
  best_odds: { decimal_net: number };
};

async function best(world: Served, market: string): Promise<Best> {
  const { data } = (await world.read('/odds/best?markets=moneyline,total_points')) as { data: Best[] };
  return data.find((each) => each.market_type === market && ['home', 'over'].includes(each.selection_type))!;
}

const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test("a market's own commission applies to its prices and to no other market's", async (t) => {
  const data = newFolder('overround-own-fee-');
  const usual: Commission = { model: 'contract', rate: 0.07, rounding: 'centicent_up' };
  const first = await served(t, quiet, { data });
  const { server } = first;
  const push = (message: IngestMessage) => server.ingest([message]);
  assert.deepEqual((await push(poll('draftkings', 1.9, 1.95))).rejected, []);
  assert.deepEqual((await push(poll('kalshi', 2.1, 1.5, HALF))).rejected, []);
  const check = async (world: Served): Promise<void> => {
    const winner = await best(world, 'moneyline');
    assert.deepEqual([winner.best_book, winner.commission], ['kalshi', HALF]);
    near(winner.best_odds.decimal_net, netDecimal(2.1, HALF));
    const total = await best(world, 'total_points');
    assert.deepEqual([total.best_book, total.commission], ['kalshi', usual]);
    near(total.best_odds.decimal_net, netDecimal(2.1, usual));
    // 1 / 2.1 + fee + 1 / 1.95: an arbitrage at half the fee, a loss at the full fee.
    const { data } = (await world.read('/opportunities/arbitrage?min_profit=0')) as {
      data: { market_type: string; legs: { sportsbook: string; odds_decimal_net: number; commission: unknown }[] }[];
    };
    assert.deepEqual(
      data.map(({ market_type }) => market_type),
      ['moneyline'],
    );
    const leg = data[0]!.legs.find(({ commission }) => commission !== null)!;
    assert.deepEqual(leg.commission, HALF);
    near(leg.odds_decimal_net, netDecimal(2.1, HALF));
  };
  await check(first);
  // Rows state prices before fees, and the fee where it is not their book's.
  const rows = (await first.rows('kalshi')) as { market_type: string; odds_decimal: number; commission?: object }[];
  assert.deepEqual(rows.map((row) => [row.market_type, row.odds_decimal, row.commission]).sort(), [
    ['moneyline', 1.5, HALF],
    ['moneyline', 2.1, HALF],
    ['total_points', 1.5, undefined],
    ['total_points', 2.1, undefined],
  ]);
  await first.close();
  const second = await served(t, quiet, { data });
  await check(second);
  // Another fee at the same price is a change. No fee is shown as no fee.
  await second.server.ingest([poll('kalshi', 2.1, 1.5, { model: 'contract', rate: 0 })]);
  const free = await best(second, 'moneyline');
  assert.deepEqual([free.commission, free.best_odds.decimal_net], [null, 2.1]);
  await second.server.ingest([poll('kalshi', 2.1, 1.5)]);
  assert.deepEqual((await best(second, 'moneyline')).commission, usual);
});

test('a market with an invalid commission is rejected, because its net prices are unknown', async (t) => {
  const { server, rows } = await served(t, quiet);
  const bad = [5, { model: 'winnings' }, { model: 'winnings', rate: 1 }, { model: 'winnings', rate: '0.02' }, []];
  for (const commission of [...bad, { model: 'contract', rate: 0.1, rounding: 'up' }, { model: 'flat', rate: 0.1 }]) {
    const { rejected } = await server.ingest([poll('kalshi', 2, 1.9, commission)]);
    assert.deepEqual(
      rejected.map(({ path }) => path),
      ['events[0].markets[0].commission'],
    );
  }
  const markets = (await rows('kalshi')).map(({ market_type }) => market_type);
  assert.deepEqual([...new Set(markets)], ['total_points']);
});

test('a fee that differs by market and is stated of none is taken at its highest, and said to be', async (t) => {
  const world = await served(t, quiet, { data: newFolder('overround-assumed-fee-') });
  await world.server.ingest([poll('draftkings', 1.9, 1.95)]);
  await world.server.ingest([poll('polymarket', 2.3, 1.5, { model: 'contract', rate: 0.02 })]);
  const { data } = (await world.read('/opportunities/arbitrage?min_profit=0')) as {
    data: { market_type: string; warnings: string[]; legs: { odds_decimal: number; odds_decimal_net: number }[] }[];
  };
  const told = data.map(({ market_type, warnings }) => [market_type, warnings.includes('FEE_ASSUMED')]);
  assert.deepEqual(told.sort(), [
    ['moneyline', false],
    ['total_points', true],
  ]);
  const assumed = data.find(({ market_type }) => market_type === 'total_points')!;
  const leg = assumed.legs.find(({ odds_decimal }) => odds_decimal === 2.3)!;
  near(leg.odds_decimal_net, netDecimal(2.3, { model: 'contract', rate: 0.05 }));
  await world.close();
});
