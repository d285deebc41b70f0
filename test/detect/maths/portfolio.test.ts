// Stakes of many bets together, against a search over all stakes on a grid and against the formulas of single bets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kellyFraction } from '../../../src/detect/maths/ev.js';
import { Portfolio, type PortfolioBet, type PortfolioCaps } from '../../../src/detect/maths/portfolio.js';

const FREE: PortfolioCaps = { groups: new Map(), total: 1 };

function bet(fields: Partial<PortfolioBet>): PortfolioBet {
  return { event: 'a', result: 'margin', end: 'high', win: 0.5, push: 0, decimal: 2.2, most: 1, groups: [], ...fields };
}

function solved(bets: readonly PortfolioBet[], caps = FREE): Portfolio {
  const portfolio = new Portfolio(bets, caps);
  while (!portfolio.round());
  return portfolio;
}

/** Expected growth of these stakes by going through every joint result of independent bets. */
function growthOf(bets: readonly PortfolioBet[], stakes: readonly number[]): number {
  const walk = (i: number, wealth: number): number => {
    if (i === bets.length) return Math.log(Math.max(1e-9, wealth));
    const { win, push, decimal } = bets[i]!;
    const lose = 1 - win - push;
    return (
      (win > 0 ? win * walk(i + 1, wealth + stakes[i]! * (decimal - 1)) : 0) +
      (push > 0 ? push * walk(i + 1, wealth) : 0) +
      (lose > 0 ? lose * walk(i + 1, wealth - stakes[i]!) : 0)
    );
  };
  return walk(0, 1);
}

const near = (got: number, expected: number, within: number): void =>
  assert.ok(Math.abs(got - expected) <= within, `${got} instead of ${expected}`);

test('one bet has the stake of its own formula, with pushes too', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1.2, max: 6, noNaN: true }),
      fc.double({ min: -0.1, max: 0.3, noNaN: true }),
      fc.double({ min: 0, max: 0.3, noNaN: true }),
      (decimal, edge, push) => {
        const p = Math.min(0.95, (1 + edge) / decimal);
        const { stakes } = solved([bet({ decimal, win: (1 - push) * p, push })]);
        near(stakes[0]!, Math.min(kellyFraction(p, decimal), 1), 1e-5);
      },
    ),
  );
});

test('no stakes on a grid make independent bets grow faster, with all together capped as well', () => {
  const open = fc.record({
    decimal: fc.double({ min: 1.4, max: 4, noNaN: true }),
    edge: fc.double({ min: -0.05, max: 0.25, noNaN: true }),
    push: fc.constantFrom(0, 0, 0.1),
  });
  fc.assert(
    fc.property(fc.array(open, { minLength: 2, maxLength: 3 }), fc.constantFrom(1, 0.12, 0.03), (made, total) => {
      const bets = made.map(({ decimal, edge, push }, i) =>
        bet({ event: `${i}`, decimal, push, win: (1 - push) * Math.min(0.95, (1 + edge) / decimal) }),
      );
      const { stakes: best } = solved(bets, { groups: new Map(), total });
      const found = growthOf(bets, [...best]);
      const search = (stakes: number[]): void => {
        const left = total - stakes.reduce((sum, stake) => sum + stake, 0);
        if (stakes.length === bets.length) {
          assert.ok(growthOf(bets, stakes) <= found + 1e-6, `${stakes} grow faster than ${best}`);
          return;
        }
        for (let stake = 0; stake <= Math.min(left, 0.6); stake += Math.min(0.03, total / 10))
          search([...stakes, stake]);
      };
      search([]);
    }),
    { numRuns: 40 },
  );
});

test('two ends of one result hedge each other, two bets on the same end share one stake', () => {
  // Sure money: over at 2.2 and under at 2.2 on even chances.
  const both = solved([bet({}), bet({ end: 'low' })], { groups: new Map(), total: 0.5 });
  near(both.stakes[0]!, 0.25, 1e-4);
  near(both.stakes[1]!, 0.25, 1e-4);
  const alone = solved([bet({})]).stakes[0]!;
  const same = solved([bet({}), bet({ decimal: 2.19 })]).stakes;
  near(same[0]!, alone, 1e-4);
  near(same[1]!, 0, 1e-4);
  // Different results of a game are taken to fall together, those of two games are independent.
  const together = solved([bet({}), bet({ result: 'total' })]).stakes;
  near(together[0]! + together[1]!, alone, 1e-4);
  const apart = solved([bet({}), bet({ event: 'b' })]).stakes;
  assert.ok(apart[0]! > 0.98 * alone && apart[0]! < alone && apart[1]! > 0.98 * alone, `${apart} of ${alone}`);
});

test('caps of a bet, a group and of all together hold', () => {
  const open = fc.record({
    event: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    book: fc.constantFrom('x', 'y', 'z'),
    end: fc.constantFrom('high' as const, 'low' as const),
    decimal: fc.double({ min: 1.3, max: 5, noNaN: true }),
    edge: fc.double({ min: -0.05, max: 0.2, noNaN: true }),
    most: fc.constantFrom(0.005, 0.03, 1),
  });
  fc.assert(
    fc.property(
      fc.array(open, { minLength: 1, maxLength: 24 }),
      fc.double({ min: 0.02, max: 1, noNaN: true }),
      (made, total) => {
        const bets = made.map(({ event, book, end, decimal, edge, most }) =>
          bet({ event, end, decimal, most, win: Math.min(0.95, (1 + edge) / decimal), groups: [event, book] }),
        );
        const groups = new Map([
          ['a', 0.04],
          ['b', 0.04],
          ['x', 0.05],
          ['y', 0.2],
        ]);
        const { stakes } = solved(bets, { groups, total });
        const sum = (of: (bet: PortfolioBet) => boolean): number =>
          bets.reduce((all, one, i) => all + (of(one) ? stakes[i]! : 0), 0);
        for (const [group, most] of groups)
          assert.ok(sum(({ groups }) => groups.includes(group)) <= most + 1e-9, group);
        assert.ok(sum(() => true) <= total + 1e-9);
        for (const [i, { most }] of bets.entries()) assert.ok(stakes[i]! >= 0 && stakes[i]! <= most);
      },
    ),
    { numRuns: 60 },
  );
});

test('summed up by moments, many games have nearly the stakes of going through all joint results', () => {
  const bets = Array.from({ length: 9 }, (_, i) =>
    bet({ event: `${i}`, decimal: 1.7 + 0.25 * i, win: (1.03 + 0.01 * (i % 4)) / (1.7 + 0.25 * i) }),
  );
  // 512 joint results; three more games that nobody bets on make them too many to go through.
  const exact = solved(bets);
  const idle = Array.from({ length: 3 }, (_, i) => bet({ event: `idle ${i}`, decimal: 2, win: 0.3 }));
  const summed = solved([...bets, ...idle]);
  for (const [i, stake] of exact.stakes.entries()) near(summed.stakes[i]!, stake, 0.002);
  near(growthOf(bets, [...summed.stakes].slice(0, bets.length)), exact.growth(), 1e-6);
  near(summed.growth(), exact.growth(), 1e-4);
});

test('two hundred bets at caps of events and books are settled in a bounded number of rounds', () => {
  const bets = Array.from({ length: 200 }, (_, i) =>
    bet({
      event: `${i % 70}`,
      result: `${i % 3}`,
      end: i % 5 === 0 ? 'low' : 'high',
      decimal: 1.5 + (i % 17) / 6,
      win: (1.01 + (i % 11) / 100) / (1.5 + (i % 17) / 6),
      groups: [`event ${i % 70}`, `book ${i % 7}`],
    }),
  );
  const groups = new Map(
    bets.flatMap(({ groups: [event, book] }) => [[event!, 0.05] as const, [book!, 0.08] as const]),
  );
  const portfolio = new Portfolio(bets, { groups, total: 0.4 });
  let rounds = 1;
  while (!portfolio.round()) rounds++;
  assert.ok(rounds <= 400);
  near(
    portfolio.stakes.reduce((sum, stake) => sum + stake, 0),
    0.4,
    1e-4,
  );
  assert.ok(portfolio.growth() > 0);
});
