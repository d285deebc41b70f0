import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Commission } from '../../src/base/model/commission.js';
import type { UniverseSpec } from '../../src/base/model/opportunity.js';
import { startUniverses } from '../../src/detection/detection-limits.js';
import { payout, settleTotal } from '../../src/rules/grading/settle.js';
import { runs } from '../long.js';
import { catalogue } from '../writer/shard/rig.js';
import { type MarketBatch, marketStorm, messagesOf, START_MS } from './market-storm.js';
import { settleMoneyline, settleSpread } from './maths/grades.js';
import { comparable, type PublishedOpportunity } from './published.js';
import { ShardInMemory } from './shard-in-memory.js';

interface Bet {
  type: string;
  line: number | null;
  decimal: number;
  /** Share of the stake, 0-1. */
  stake: number;
}

/** The total return of all bets for a total stake of 1 on this result: a margin of the home side, or a count. */
function paid(bets: readonly Bet[], result: number): number {
  let back = 0;
  for (const { type, line, decimal, stake } of bets)
    back += stake * payout(grade(type, line, result, bets.length), decimal);
  return back;
}

function grade(type: string, line: number | null, result: number, ways: number): number {
  if (type === 'over' || type === 'under') return settleTotal(type, line!, result);
  if (type === 'yes' || type === 'no') return (type === 'yes') === result > 0 ? 1 : -1;
  if (line !== null) return settleSpread(type as 'home' | 'away', line, result);
  return settleMoneyline(type as 'home' | 'away' | 'draw', ways as 2 | 3, result);
}

interface Leg {
  sportsbook: string;
  selection_type: string;
  line: number | null;
  odds_decimal: number;
  odds_decimal_net: number;
  commission: Commission | null;
  stake_percent: number;
  is_lay?: true;
}

interface Side {
  book: string;
  selection: string;
  line: number;
  odds: { decimal: number; decimal_net: number };
  commission: Commission | null;
  stake_percent: number;
}

/** The shown price after commission, computed independently of the engine, or the shown price if that is lower. */
function net(decimal: number, printed: number, commission: Commission | null): number {
  const own =
    commission === null
      ? decimal
      : commission.model === 'winnings'
        ? 1 + (decimal - 1) * (1 - commission.rate)
        : // A hundredth of a cent, to which the fee of a fill is rounded up, weighs nothing on a large one.
          1 / (1 / decimal + commission.rate * (1 / decimal) * (1 - 1 / decimal));
  assert.ok(Math.abs(own - printed) < 1e-5, `${decimal} is ${own} net, not ${printed}`);
  return Math.min(own, printed);
}

/** Results from far below every line to far above all of them. */
const RESULTS = Array.from({ length: 61 }, (_, i) => i - 30);

function playAll(storms: number, check: (opportunity: PublishedOpportunity) => void): void {
  fc.assert(
    fc.property(marketStorm, (batches) => {
      const shard = new ShardInMemory(START_MS, startUniverses(catalogue));
      for (const batch of batches) {
        const nowMs = shard.position / 1000 + batch.passMs;
        for (const { detected } of shard.apply(messagesOf(batch, nowMs), nowMs)) detected.forEach(check);
      }
    }),
    { numRuns: storms, includeErrorInReport: true, interruptAfterTimeLimit: 30_000 },
  );
}

test('no arbitrage loses on any result, and only a push of both legs wins nothing', () => {
  let seen = 0;
  playAll(runs(15), ({ kind, item, edge, suspicious }) => {
    const legs = item['legs'] as Leg[];
    // Bets that are laid are settled in test/world/law.ts.
    if (kind !== 'arbitrage' || legs.some((leg) => leg.is_lay)) return;
    seen++;
    const bets = legs.map(
      ({ selection_type: type, line, odds_decimal, odds_decimal_net, commission, stake_percent }) => ({
        type,
        line,
        decimal: net(odds_decimal, odds_decimal_net, commission),
        stake: stake_percent / 100,
      }),
    );
    assert.equal(new Set(legs.map((leg) => leg.sportsbook)).size, legs.length, 'every leg at a book of its own');
    assert.equal(Math.round(legs.reduce((sum, leg) => sum + leg.stake_percent * 100, 0)), 10_000);
    assert.equal(suspicious, edge > 10);
    for (const result of RESULTS) {
      const profit = paid(bets, result) - 1;
      const pushed = bets.every(({ type, line }) => grade(type, line, result, bets.length) === 0);
      assert.ok(pushed ? Math.abs(profit) < 1e-12 : profit > 0, `${JSON.stringify(legs)} makes ${profit} on ${result}`);
    }
  });
  assert.ok(seen > 10, String(seen));
});

test('a middle loses no more, wins no more and is hit on no other results than stated', () => {
  let seen = 0;
  let sure = 0;
  playAll(runs(15), ({ kind, item, edge }) => {
    if (kind !== 'middle') return;
    seen++;
    const sides = [item['side1'] as Side, item['side2'] as Side];
    const spread = item['market_type'] === 'point_spread';
    const bets = sides.map(({ line, odds, commission, stake_percent }, i) => ({
      type: spread ? (i === 0 ? 'home' : 'away') : i === 0 ? 'over' : 'under',
      line,
      decimal: net(odds.decimal, odds.decimal_net, commission),
      stake: stake_percent / 100,
    }));
    const worst = item['worst_case_loss'] as number;
    const best = item['best_case_profit'] as number;
    const hits = new Set<number>();
    for (const result of RESULTS) {
      const profit = 100 * (paid(bets, result) - 1);
      assert.ok(
        profit >= worst - 1e-6 && profit <= best + 1e-4,
        `${JSON.stringify(item)} makes ${profit} on ${result}`,
      );
      if (item['is_guaranteed_profit'] === true) {
        sure++;
        assert.ok(profit > 0, `${JSON.stringify(item)} promises a profit and makes ${profit} on ${result}`);
      }
      if (bets.every(({ type, line }) => grade(type, line, result, 2) === 1)) hits.add(result);
    }
    const numbers = item['middle_numbers'] as number[];
    for (const hit of hits) assert.ok(numbers.includes(spread ? Math.abs(hit) : hit), `${hit} of ${numbers}`);
    assert.equal(numbers.length, new Set(numbers).size, 'each margin stands once');
    assert.notEqual(sides[0]!.book, sides[1]!.book);
    assert.ok(edge >= -1e-6 && (item['middle_size'] as number) >= 0.5);
    assert.ok((item['break_even_percent'] as number) >= 0);
  });
  assert.ok(seen > 10 && sure > 10, `${seen}, ${sure}`);
});

/** In market-storm.ts; its third side is the line of a man with a suffix. */
const PLAYER_KIND = 4;

/**
 * The same games with nothing stated but prices, and of one man of each name: whether there are two is told by every
 * book, also by those outside a universe.
 */
function pricesOnly(batches: readonly MarketBatch[]): MarketBatch[] {
  return batches.map((batch) => ({
    ...batch,
    polls: batch.polls.map((poll) => ({
      ...poll,
      live: undefined,
      status: undefined,
      state: undefined,
      quotes: poll.quotes.map((quote) =>
        quote.kind === PLAYER_KIND && quote.side === 2 ? { ...quote, side: 0 } : quote,
      ),
    })),
  }));
}

test('arbitrages and low holds of a universe are those of a world with only its books', () => {
  const hobby = startUniverses(catalogue).find(({ key }) => key === 'hobby')!;
  const three: UniverseSpec = { key: 'three', books: ['fanduel', 'betrivers', 'ballybet'] };
  let seen = 0;
  fc.assert(
    fc.property(marketStorm, (storm) => {
      const batches = pricesOnly(storm);
      const all = new ShardInMemory(START_MS, [hobby, three]);
      const alone = [hobby, three].map((spec) => ({ spec, shard: new ShardInMemory(START_MS, [spec]) }));
      for (const batch of batches) {
        const nowMs = all.position / 1000 + batch.passMs;
        all.apply(messagesOf(batch, nowMs), nowMs);
        for (const { spec, shard } of alone) {
          const polls = batch.polls.filter(({ book }) => spec.books!.includes(book));
          shard.apply(messagesOf({ ...batch, polls }, nowMs), nowMs);
        }
      }
      all.flush();
      for (const { spec, shard } of alone) {
        shard.flush();
        const sets = (of: ShardInMemory) =>
          comparable(of.published.of(spec.key).filter(({ kind }) => kind === 'arbitrage' || kind === 'low_hold'));
        assert.deepEqual(sets(all), sets(shard));
        seen += sets(shard).length;
      }
    }),
    { numRuns: runs(12), includeErrorInReport: true, interruptAfterTimeLimit: 30_000 },
  );
  assert.ok(seen > 10, String(seen));
});
