// Venues' stated commissions of single markets reach the net prices; the operator's settings override them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KalshiFeed } from '../../../src/intake/feeds/kalshi/feed.js';
import { multipliedCommission, statedCommission } from '../../../src/intake/feeds/kit/venue-fees.js';
import { PolymarketFeed } from '../../../src/intake/feeds/polymarket/feed.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { eventually } from '../../support/until.js';
import { KalshiVenue } from './kalshi/venue.js';
import { catalogue, served } from './kit/served.js';
import { PolymarketVenue } from './polymarket/venue.js';

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 6 * 3_600_000).toISOString();

test('fees of a series at Kalshi and of a market at Polymarket are those of their rows', async (t) => {
  const [kalshi, polymarket] = [new KalshiVenue(), new PolymarketVenue()];
  await Promise.all([kalshi.listen(), polymarket.listen()]);
  t.after(() => Promise.all([kalshi.close(), polymarket.close()]));
  const winner = [
    { code: 'LAL', yes: 'Los Angeles L' },
    { code: 'BOS', yes: 'Boston' },
  ];
  const over = [{ code: '224', yes: 'Over 224.5 points scored', strike: 224.5 }];
  const [, bos] = kalshi.list('KXNBAGAME', '26NOV22LALBOS', 'Los Angeles L at Boston', winner, START);
  const [total] = kalshi.list('KXNBATOTAL', '26NOV22LALBOS', 'Los Angeles L at Boston: Total', over);
  kalshi.set(bos!, 'no', 40, 100);
  kalshi.set(total!, 'no', 50, 100);
  kalshi.fees.set('KXNBATOTAL', { fee_type: 'quadratic_with_maker_fees', fee_multiplier: 0.5 });
  kalshi.fees.set('KXNBAGAME', { fee_type: 'flat', fee_multiplier: 0.5 });
  // What an event states comes before its series: its type, its factor, or both; null is nothing.
  const overridden = (multiplier: number | null, type: string | null, [away, home]: [string, string], code: string) => {
    const [total] = kalshi.list('KXNBATOTAL', `26NOV22${code}`, `${away} at ${home}: Total`, over, START);
    kalshi.set(total!, 'no', 50, 100);
    Object.assign(kalshi.events.at(-1)!.body, { fee_multiplier_override: multiplier, fee_type_override: type });
  };
  overridden(2, null, ['Denver', 'Utah'], 'DENUTA');
  overridden(0.75, 'quadratic_with_combo_maker_fees', ['Miami', 'Orlando'], 'MIAORL');
  overridden(null, 'flat', ['Dallas', 'Houston'], 'DALHOU');
  overridden(null, null, ['Toronto', 'Atlanta'], 'TORATL');
  const listed = polymarket.list({
    slug: `nba-chi-mia-${START.slice(0, 10)}`,
    series: '10345',
    start: START,
    title: 'Bulls vs. Heat',
    markets: [
      { kind: 'moneyline', outcomes: ['Bulls', 'Heat'], more: { feesEnabled: false } },
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 210.5, more: { feeSchedule: { rate: 0.01, exponent: 1 } } },
      { kind: 'spreads', outcomes: ['Bulls', 'Heat'], line: -3.5, more: { feeSchedule: { rate: 0.25, exponent: 2 } } },
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 212.5, more: { feeSchedule: { exponent: 1 } } },
    ],
  });
  for (const [token] of listed.tokens) polymarket.set(token, 'asks', 50, 10);
  const shared = { catalogue, random: Math.random, discoverEveryMs: 300 };
  const world = await served(t, [
    new KalshiFeed({ ...kalshi.settings, ...shared, series: ['KXNBAGAME', 'KXNBATOTAL'] }),
    new PolymarketFeed({ ...polymarket.settings, ...shared, sports: ['nba'] }),
  ]);
  await eventually(async () => {
    const { data } = (await world.read('/odds/best?limit=100')) as {
      data: { best_book: string; market_type: string; commission: { rate: number } | null; event_id: string }[];
    };
    const ofGame = (event: string) => /utah|jazz|orlando|magic|rockets|hawks/.exec(event)?.[0] ?? '';
    const rates = data.map(({ best_book, market_type, commission, event_id }) =>
      `${best_book} ${market_type} ${ofGame(event_id)} ${commission?.rate}`.replace('  ', ' '),
    );
    assert.deepEqual([...new Set(rates)].sort(), [
      'kalshi moneyline 0.07',
      'kalshi total_points 0.035',
      'kalshi total_points hawks 0.035',
      'kalshi total_points jazz 0.14',
      'kalshi total_points magic 0.0525',
      'kalshi total_points rockets 0.07',
      'polymarket moneyline undefined',
      'polymarket point_spread 0.25',
      'polymarket total_points 0.01',
      'polymarket total_points 0.05',
    ]);
  });
  assert.ok(world.log.some((line) => line.includes('fees of another kind')));
});

test('the operator’s setting applies, multiplied by the factor of a series', () => {
  const commissions = {
    betfair: { model: 'winnings', rate: 0.02 },
    kalshi: { model: 'contract', rate: 0.05 },
  } as const;
  const set = loadCatalogue(undefined, { commissions });
  assert.equal(statedCommission('betfair', 'winnings', 0.07, set), null);
  assert.deepEqual(statedCommission('betfair', 'winnings', 0.07, catalogue), { model: 'winnings', rate: 0.07 });
  assert.equal(statedCommission('betfair', 'winnings', 0.05, catalogue), null, 'as elsewhere');
  for (const rate of [Number.NaN, -0.01, 2, undefined])
    assert.equal(statedCommission('betfair', 'winnings', rate, catalogue), null);
  assert.deepEqual(multipliedCommission('kalshi', 0.5, set), { model: 'contract', rate: 0.025 });
  assert.equal(multipliedCommission('kalshi', 1, set), null);
  assert.equal(multipliedCommission('kalshi', 100, set), null, 'no rate');
});
