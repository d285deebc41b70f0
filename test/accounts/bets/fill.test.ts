import assert from 'node:assert/strict';
import { test } from 'node:test';
import { halfEven } from '../../../src/accounts/bets/cents.js';
import { fill, type Quote, type TakenOfRow } from '../../../src/accounts/bets/fill.js';
import { randomOf } from '../../engine/replay/recordings.js';
import { MatchingEngine } from './matching-engine.js';

const ladder = (...levels: [decimal: number, cents: number][]): Quote => ({
  line: null,
  bound: 'depth',
  levels: levels.map(([decimal, cents]) => ({ decimal, cents })),
  maxBetCents: null,
});

/** Fills one after another of a row whose quote changes; what each got. */
function fills(...steps: [quote: Quote, cents: number, asked: number][]): number[] {
  let taken: TakenOfRow | undefined;
  return steps.map(([quote, cents, asked]) => {
    const filled = fill(quote, taken, cents, asked);
    taken = filled.taken;
    return filled.fills.reduce((sum, each) => sum + each.cents, 0);
  });
}

test('a bet takes the levels at its price or better, best first, and no more than stands there', () => {
  const quote = ladder([2.1, 500], [2.05, 300], [2, 1_000]);
  assert.deepEqual(fill(quote, undefined, 700, 2.05).fills, [
    { decimal: 2.1, cents: 500 },
    { decimal: 2.05, cents: 200 },
  ]);
  assert.deepEqual(fills([quote, 5_000, 2.05]), [800]);
  assert.deepEqual(fills([quote, 5_000, 2.2]), [0]);
});

test('what bets took stays taken until the size is stated anew: a fall is theirs first, a rise adds', () => {
  const at = (cents: number): Quote => ladder([2, cents]);
  assert.deepEqual(fills([at(500), 400, 2], [at(500), 400, 2], [at(500), 400, 2]), [400, 100, 0]);
  assert.deepEqual(fills([at(500), 500, 2], [at(300), 500, 2]), [500, 0], 'the fall was the money that was taken');
  assert.deepEqual(fills([at(500), 500, 2], [at(300), 500, 2], [at(400), 500, 2]), [500, 0, 100]);
  assert.deepEqual(
    fills([at(500), 500, 2], [ladder([1.9, 50]), 500, 1.9], [at(500), 500, 2]),
    [500, 50, 500],
    'it was gone',
  );
});

test('a level that a cut ladder shows no more keeps what was taken of it until it is seen again', () => {
  const [whole, cut] = [ladder([2.1, 100], [2, 500]), ladder([2.2, 300], [2.1, 100])];
  assert.deepEqual(fills([whole, 600, 2], [cut, 1_000, 2], [whole, 600, 2]), [600, 300, 0]);
  assert.deepEqual(
    fills([whole, 600, 2], [cut, 1_000, 2], [ladder([2, 300], [1.9, 50]), 600, 2]),
    [600, 300, 0],
    'a fall meanwhile was the money that was taken',
  );
  assert.deepEqual(fills([whole, 600, 2], [cut, 1_000, 2], [ladder([2, 700]), 600, 2]), [600, 300, 200], 'a rise adds');
  assert.deepEqual(fills([ladder([2.1, 100], [2, 500]), 100, 2.1], [ladder([2, 500]), 600, 2]), [100, 500]);
});

test('a limit of the book, or a size without a ladder, bounds all bets at a price together, whatever it falls to, until the price changes', () => {
  const limit = (decimal: number, cents: number, line: number | null = null): Quote => ({
    ...ladder([decimal, cents]),
    bound: 'max_bet',
    line,
  });
  assert.deepEqual(fills([limit(2, 500), 400, 2], [limit(2, 300), 400, 2], [limit(2, 450), 400, 2]), [400, 0, 50]);
  assert.deepEqual(
    fills([limit(2, 500), 500, 2], [limit(2.02, 500), 500, 2], [limit(2, 500), 300, 2]),
    [500, 500, 300],
  );
  const size = (cents: number): Quote => ({ ...limit(2, cents), bound: 'size' });
  assert.deepEqual(fills([size(500), 400, 2], [size(300), 400, 2], [size(450), 400, 2]), [400, 0, 50]);
  assert.deepEqual(fills([limit(2, 500, 3.5), 500, 2], [limit(2, 500, 4.5), 500, 2]), [500, 500], 'a moved line');
  const both: Quote = { ...ladder([2, 900]), maxBetCents: 600 };
  assert.deepEqual(fills([both, 500, 2], [both, 500, 2]), [500, 100], 'the limit beside a ladder');
});

test('half cents are rounded to the even one', () => {
  assert.deepEqual([0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, 0.1 * 25].map(halfEven), [0, 2, 2, 0, -2, 2, 2]);
});

const WORLDS = 1_000;
const PRICES = [2.1, 2.06, 2.02, 1.98];

/**
 * Worlds of offers, cancellations, takers and an account's bets, on paper and truly inserted.
 * @param published whether the ladder that the paper bets see shows what the inserted ones took
 * @param shown levels of it
 */
function worlds(published: boolean, shown: number): { worse: number; biasPercent: number } {
  let worse = 0;
  let paperSum = 0;
  let trueSum = 0;
  for (let seed = 1; seed <= WORLDS; seed++) {
    const random = randomOf(seed * 7_919);
    const pick = (max: number): number => Math.floor(random() * max);
    /** Without the account's bets, and with them. */
    const [without, actual] = [new MatchingEngine(), new MatchingEngine()];
    let taken: TakenOfRow | undefined;
    let [paper, inserted, offers] = [0, 0, 0];
    for (let step = 0; step < 60; step++) {
      const decimal = PRICES[pick(PRICES.length)]!;
      const cents = 100 * (1 + pick(20));
      const what = pick(10);
      const id = pick(offers + 1);
      for (const engine of [without, actual]) {
        if (what < 4) engine.offer(offers, decimal, cents);
        else if (what < 6) engine.cancel(id);
        else if (what < 7) engine.take(cents, decimal);
      }
      if (what < 4) offers++;
      if (what < 7) continue;
      const levels = (published ? actual : without).ladder().slice(0, shown);
      const filled = fill({ line: null, bound: 'depth', levels, maxBetCents: null }, taken, cents, decimal);
      ({ taken } = filled);
      paper += filled.fills.reduce((sum, each) => sum + each.cents, 0);
      inserted += actual.take(cents, Math.max(decimal, levels.at(-1)?.decimal ?? decimal));
    }
    if (paper > inserted) worse++;
    paperSum += paper;
    trueSum += inserted;
  }
  return { worse, biasPercent: (100 * (paperSum - trueSum)) / trueSum };
}

test('paper fills are no more than those of bets truly inserted into a matching engine', (t) => {
  for (const shown of [PRICES.length, 2]) {
    const { worse, biasPercent } = worlds(true, shown);
    const text = `${worse} of ${WORLDS} worlds filled more on paper; bias ${biasPercent.toFixed(2)} % of the true fills`;
    t.diagnostic(`${shown} levels: ${text}`);
    assert.ok(worse <= WORLDS / 100, text);
    assert.ok(biasPercent <= 0 && biasPercent > -50, text);
  }
  // What others would have done with the money gone, no size tells.
  const other = worlds(false, PRICES.length);
  t.diagnostic(`ladders without the bets: ${other.worse} worlds filled more, bias ${other.biasPercent.toFixed(2)} %`);
  assert.ok(
    other.worse < WORLDS / 2 && Math.abs(other.biasPercent) < 5,
    `${other.worse} worlds, ${other.biasPercent} %`,
  );
});
