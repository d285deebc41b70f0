// Opportunities for a stake of the caller's: the levels of the ladders are taken, and what cannot be had says so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { netBeforeRounding } from '../../../src/base/model/commission.js';
import {
  evenPayout,
  greatestTotal,
  type StakeLevel,
  takePayout,
  takeStake,
} from '../../../src/detection/maths/ladder-stakes.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { served } from '../../intake/feeds/kit/served.js';

const level = fc.record({
  decimal: fc.double({ min: 1.05, max: 8, noNaN: true }),
  most: fc.integer({ min: 1, max: 400 }),
});
const ladder = fc
  .array(level, { minLength: 1, maxLength: 5 })
  .map((levels) =>
    levels.sort((a, b) => b.decimal - a.decimal).map((one): StakeLevel => ({ ...one, net: one.decimal })),
  );

/** Stakes unit by unit: what `stake` pays at these levels, by small steps. */
function paidFor(levels: readonly StakeLevel[], stake: number): number {
  let left = stake;
  let paid = 0;
  for (const { net, most } of levels) {
    const part = Math.min(left, most);
    paid += part * net;
    left -= part;
  }
  return left > 1e-9 * stake ? Number.NaN : paid;
}

test('a stake takes the best levels first, and even payouts add up to the total', () => {
  fc.assert(
    fc.property(fc.array(ladder, { minLength: 2, maxLength: 3 }), fc.integer({ min: 1, max: 2_000 }), (bets, total) => {
      const [first] = bets;
      const taken = takeStake(first!, total);
      const most = first!.reduce((sum, { most }) => sum + most, 0);
      assert.ok(Math.abs(taken.stake - Math.min(total, most)) < 1e-6);
      assert.ok(Math.abs(taken.stake * taken.net - paidFor(first!, taken.stake)) < 1e-6);
      const payout = evenPayout(bets, total);
      const reach = Math.min(...bets.map((levels) => levels.reduce((sum, { net, most }) => sum + net * most, 0)));
      const stakes = (target: number) => bets.map((levels) => takePayout(levels, target).stake);
      const staked = (target: number) => stakes(target).reduce((sum, stake) => sum + stake, 0);
      if (payout === null) assert.ok(staked(reach) < total + 1e-6, 'it cannot be had');
      else {
        assert.ok(Math.abs(staked(payout) - total) < 1e-6);
        for (const [i, stake] of stakes(payout).entries())
          assert.ok(Math.abs(paidFor(bets[i]!, stake) - payout) < 1e-6);
      }
    }),
    { numRuns: 300 },
  );
});

test('a fee that is rounded up is paid from the stake, at each level by itself', () => {
  const kalshi = (decimal: number, most: number): StakeLevel => ({
    decimal,
    most,
    ...netBeforeRounding(decimal, { model: 'contract', rate: 0.07, rounding: 'centicent_up' }),
  });
  // Of ten, 0.367776… are the fee; 9.6322 buy contracts at 1 / 2.2.
  assert.ok(Math.abs(takeStake([kalshi(2.2, 100)], 10).net - (9.6322 * 2.2) / 10) < 1e-9);
  const levels = fc.array(
    fc.record({ decimal: fc.double({ min: 1.05, max: 8, noNaN: true }), most: fc.integer({ min: 1, max: 400 }) }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(levels, levels, fc.integer({ min: 1, max: 800 }), (one, other, total) => {
      const rounded = one.map(({ decimal, most }) => kalshi(decimal, most)).sort((a, b) => b.net - a.net);
      const plain = rounded.map(({ fee: _, ...level }) => level);
      const opposite = other.map((level) => ({ ...level, net: level.decimal })).sort((a, b) => b.net - a.net);
      const [taken, before] = [takeStake(rounded, total), takeStake(plain, total)];
      assert.equal(taken.stake, before.stake);
      const lost = (before.net - taken.net) * taken.stake;
      assert.ok(lost > -1e-9 && lost <= 8 * 1e-4 * taken.levels + 1e-9, `${lost}`);
      const payout = evenPayout([rounded, opposite], total);
      const most = evenPayout([plain, opposite], total);
      if (payout === null || most === null) return assert.equal(payout, most);
      assert.ok(payout <= most + 1e-9);
      const [paid, exact] = [takePayout(rounded, payout), takePayout(plain, payout)];
      assert.ok(paid.stake >= exact.stake && paid.stake <= exact.stake + 1e-4 * paid.levels + 1e-9);
      const staked = paid.stake + takePayout([...opposite], payout).stake;
      assert.ok(Math.abs(staked - total) <= 1e-4 * paid.levels + 1e-6, `${staked} of ${total}`);
    }),
    { numRuns: 300 },
  );
});

test('the greatest total holds the threshold, and a little more does not', () => {
  const seen = { none: 0, some: 0, all: 0 };
  fc.assert(
    fc.property(
      fc.array(ladder, { minLength: 1, maxLength: 3 }),
      fc.double({ min: 0.6, max: 1.05, noNaN: true }),
      (bets, part) => {
        // Of what the best levels pay together.
        const worth = part / bets.reduce((sum, levels) => sum + 1 / levels[0]!.net, 0);
        const most = greatestTotal(bets, worth)!;
        const payout = most === 0 ? 0 : evenPayout(bets, most * (1 - 1e-9));
        assert.ok(payout !== null && payout >= worth * most * (1 - 1e-6), `${payout} of ${most}`);
        const more = evenPayout(bets, most * 1.001 + 1e-3);
        if (more !== null) assert.ok(more < worth * (most * 1.001 + 1e-3) * (1 + 1e-9));
        seen[most === 0 ? 'none' : more === null ? 'all' : 'some']++;
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(
    Object.values(seen).every((count) => count > 5),
    JSON.stringify(seen),
  );
  assert.equal(
    greatestTotal([[{ decimal: 2, net: 2, most: Number.POSITIVE_INFINITY }]], 1.5),
    null,
    'nothing limits it',
  );
});

const quiet = { name: 'quiet', simulated: false, run: async () => {}, stop: () => {} };

function poll(book: string, market_type: string, home: object, away: object): IngestMessage {
  const sides = [
    { selection: 'Boston Celtics', selection_type: 'home', ...home },
    { selection: 'LA Lakers', selection_type: 'away', ...away },
  ] as never[];
  return {
    book,
    polled_at: new Date().toISOString(),
    scope: 'none',
    events: [
      {
        league: 'nba',
        home_team: 'Boston Celtics',
        away_team: 'LA Lakers',
        start_time: new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 7_200_000).toISOString(),
        markets: [{ market_type, selections: sides }],
      },
    ],
  };
}

test('an arbitrage for a stake takes the levels; too large a stake leaves the row without a profit', async (t) => {
  const { server, read, rows } = await served(t, quiet, { settings: { commission: 'kalshi=0' } });
  const depth = { back: [[2.2, 100], [2.1, 100], [2, 1_000]], lay: [[2.3, 50]] }; // biome-ignore format: a ladder
  const back = { odds_decimal: 2.2, size: 100, depth };
  await server.ingest([
    poll('kalshi', 'moneyline', back, { odds_decimal: 1.5, size: 900 }),
    poll('draftkings', 'moneyline', { odds_decimal: 1.6 }, { odds_decimal: 2.1 }),
  ]);
  const of = async (stake: number, more = '') =>
    ((await read(`/opportunities/arbitrage?stake=${stake}${more}`))['data'] as Arbitrage[])[0]!;
  // Within the first level the prices are the best ones.
  const small = await of(100);
  assert.deepEqual(
    small.legs.map(({ odds_decimal }) => odds_decimal),
    [2.2, 2.1],
  );
  assert.equal(small.profit_percent, 7.4419);
  // Two hundred more takes half of the second level: 100 at 2.2 and 50 at 2.1 pay 325.
  const large = await of(Math.round((150 + 325 / 2.1) * 1e6) / 1e6);
  assert.equal(large.legs[0]!.odds_decimal, Math.round((325 / 150) * 1e6) / 1e6);
  assert.deepEqual(
    large.legs.map(({ stake }) => stake),
    [150, 154.76],
  );
  assert.equal(large.profit_percent, Math.round((325 / (150 + 325 / 2.1) - 1) * 1e6) / 1e4);
  assert.deepEqual(large.warnings.includes('STAKE_TOO_LARGE'), false);
  // Where 0.5 % are left: at 2 and 2.1 nothing is lost, so the last level is taken in part.
  const worth = (total: number) => of(total, '&min_profit=0.5');
  const { max_stake } = await worth(100);
  assert.ok((await worth(max_stake!)).profit_percent! >= 0.5);
  assert.ok((await of(max_stake! + 5)).profit_percent! < 0.5);
  const nothing = await of(1e6);
  assert.deepEqual([nothing.profit_percent, nothing.warnings.includes('STAKE_TOO_LARGE')], [null, true]);
  assert.equal(nothing.max_stake, max_stake);
  const low = (await read('/opportunities/low_hold?stake=50'))['data'];
  assert.ok(Array.isArray(low));
  const home = (await rows('kalshi')).find(({ selection_type }) => selection_type === 'home')!;
  const { data: filled } = await read(`/odds/executable?odds_id=${home.id}&stake=150`);
  const { odds_decimal_average, odds_decimal_worst, stake_filled, levels } = filled as Record<string, number>;
  assert.deepEqual([odds_decimal_average, odds_decimal_worst, stake_filled, levels], [2.166667, 2.1, 150, 2]);
  const { data: part } = await read(`/odds/executable?odds_id=${home.id}&stake=5000`);
  assert.equal((part as Record<string, number>)['stake_filled'], 1_200);
  assert.equal(((await read('/odds/executable?odds_id=1&stake=5'))['error'] as { code: string }).code, 'not_found');
});

test('a list without a stake has the net price of a large fill at Kalshi, and with one that of its fill', async (t) => {
  const { server, read } = await served(t, quiet, {});
  await server.ingest([
    poll('kalshi', 'moneyline', { odds_decimal: 2.2, size: 1_000 }, { odds_decimal: 1.5, size: 1_000 }),
    poll('draftkings', 'moneyline', { odds_decimal: 1.6 }, { odds_decimal: 2.1 }),
  ]);
  const home = async (query: string) => {
    const [found] = (await read(`/opportunities/arbitrage?min_profit=0${query}`))['data'] as Arbitrage[];
    return found!.legs[0]!;
  };
  const price = 1 / 2.2;
  const fee = 0.07 * price * (1 - price);
  const large = Math.round(1e6 / (price + fee)) / 1e6;
  assert.equal((await home('')).odds_decimal_net, large);
  assert.equal((await home('&stake=1000')).odds_decimal_net, large, '0.0001 of 500 are nothing');
  // Of one dollar the legs pay about 1.05: a fee of 0.0183 and a little is 0.0184, and the rest of it buys them.
  const net = (await home('&stake=1')).odds_decimal_net;
  const paid = (1 - 0.0184) / (price + 1 / 2.1);
  assert.ok(Math.abs(net - paid / (paid * price + 0.0184)) < 2e-6 && net < large, `${net} of ${large}`);
});

interface Arbitrage {
  profit_percent: number | null;
  max_stake: number | null;
  warnings: string[];
  legs: { odds_decimal: number; odds_decimal_net: number; stake: number }[];
}
