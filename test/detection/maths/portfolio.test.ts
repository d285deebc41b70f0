// Stakes of many bets together, against a search over all stakes on a grid and against the formulas of single bets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { kellyFraction } from '../../../src/detection/maths/ev.js';
import { Portfolio, type PortfolioBet, type PortfolioCaps } from '../../../src/detection/maths/portfolio.js';

const FREE: PortfolioCaps = { groups: new Map(), total: 1 };

function bet(fields: Partial<PortfolioBet>): PortfolioBet {
  return {
    event: 'a',
    result: 'margin',
    end: 'high',
    win: 0.5,
    push: 0,
    decimal: 2.2,
    least: 0,
    most: 1,
    groups: [],
    ...fields,
  };
}

function solved(bets: readonly PortfolioBet[], caps = FREE): Portfolio {
  const portfolio = new Portfolio(bets, caps);
  for (const _ of portfolio.settle());
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

/** Expected growth where each game has one counted result, by every joint piece of their distributions. */
function growthTogether(bets: readonly PortfolioBet[], stakes: ArrayLike<number>): number {
  const games = [...new Set(bets.map(({ event }) => event))].map((game) => {
    const own = [...bets.entries()].filter(([, { event }]) => event === game);
    const ends = own.flatMap(([, { end, win, push }]) => [win, win + push].map((at) => (end === 'high' ? at : 1 - at)));
    const edges = [...new Set([0, ...ends, 1])].sort((a, b) => a - b);
    return edges.slice(1).map((to, k) => {
      const middle = (edges[k]! + to) / 2;
      const profit = own.reduce((sum, [i, { end, win, push, decimal }]) => {
        const at = end === 'high' ? middle : 1 - middle;
        return sum + stakes[i]! * (at < win ? decimal - 1 : at < win + push ? 0 : -1);
      }, 0);
      return [to - edges[k]!, profit] as const;
    });
  });
  const walk = (game: number, chance: number, wealth: number): number =>
    game === games.length
      ? chance * Math.log(Math.max(1e-9, wealth))
      : games[game]!.reduce((sum, [part, profit]) => sum + walk(game + 1, chance * part, wealth + profit), 0);
  return walk(0, 1, 1);
}

/** Two open bets beside some that are made: no stakes on a grid grow faster than those found. */
function growMost(bets: readonly PortfolioBet[], total: number): void {
  const { stakes } = solved(bets, { groups: new Map(), total });
  for (const [i, { least, most }] of bets.entries()) if (least === most) assert.equal(stakes[i], least);
  const sum = stakes.reduce((all, stake) => all + stake, 0);
  const made = bets.reduce((all, { least }) => all + least, 0);
  const room = Math.max(total, made) - made;
  assert.ok(sum <= made + room + 1e-9);
  const found = growthTogether(bets, stakes);
  const [one, two] = [room / 40, room / 25];
  for (let first = 0; first <= room; first += one || 1)
    for (let second = 0; first + second <= room; second += two || 1) {
      const grid = [first, second, ...stakes.slice(2)];
      assert.ok(growthTogether(bets, grid) <= found + 1e-6, `${grid} grow faster than ${stakes}`);
    }
}

test('beside bets already made, hedges and rivals among them, no other stakes on a grid grow faster', () => {
  const made = fc.record({
    event: fc.constantFrom('a', 'b'),
    end: fc.constantFrom('high' as const, 'low' as const),
    decimal: fc.double({ min: 1.4, max: 4, noNaN: true }),
    edge: fc.double({ min: -0.05, max: 0.2, noNaN: true }),
    push: fc.constantFrom(0, 0, 0.1),
  });
  const held = fc.tuple(made, fc.double({ min: 0.01, max: 0.2, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(made, { minLength: 2, maxLength: 2 }),
      fc.array(held, { minLength: 1, maxLength: 2 }),
      fc.constantFrom(1, 0.3),
      (open, before, total) => {
        const betOn = ({ event, end, decimal, push, edge }: (typeof open)[number], least: number): PortfolioBet => {
          const win = (1 - push) * Math.min(0.95, (1 + edge) / decimal);
          return bet({ event, end, decimal, push, win, least, most: least === 0 ? 1 : least });
        };
        growMost([...open.map((one) => betOn(one, 0)), ...before.map(([one, stake]) => betOn(one, stake))], total);
      },
    ),
    { numRuns: 25 },
  );
});

test('rivals almost alike under a cap, and hedges that nearly take the whole bankroll, are settled in few rounds', () => {
  const rivals = [
    bet({ event: 'b', decimal: 1.611758, win: 0.620441 }),
    bet({ event: 'b', decimal: 1.59291, win: 0.627782 }),
    bet({ event: 'b', end: 'low', decimal: 3.518531, win: 0.28421, least: 0.09546, most: 0.09546 }),
    bet({ end: 'low', decimal: 2.866361, win: 0.348874, least: 0.093485, most: 0.093485 }),
  ];
  const hedges = [
    bet({ end: 'low', decimal: 1.454328, win: 0.687603 }),
    bet({ decimal: 3.984504, win: 0.301167 }),
    bet({ decimal: 1.717529, win: 0.524009, push: 0.1, least: 0.025563, most: 0.025563 }),
  ];
  for (const [bets, total] of [[rivals, 0.3] as const, [hedges, 1] as const]) {
    growMost(bets, total);
    const rounds = [...new Portfolio(bets, { groups: new Map(), total }).settle()].length;
    assert.ok(rounds < 30, `${rounds} rounds`);
  }
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
  const pieces = [...portfolio.settle()];
  assert.ok(pieces.length <= 400 * bets.length);
  assert.ok(
    pieces.every((work) => work < 2_000),
    'a piece of work is small',
  );
  near(
    portfolio.stakes.reduce((sum, stake) => sum + stake, 0),
    0.4,
    1e-4,
  );
  assert.ok(portfolio.growth() > 0);
});
