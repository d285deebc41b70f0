// Where a bet stops being worth it: the least price of each leg, the money at its book.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beyondText, leastPrices, leastText } from '../../dashboard/model/bounds.js';
import type { Leg } from '../../dashboard/model/legs.js';
import { ODDS_FORMATS } from '../../dashboard/model/odds-format.js';
import { evaluate, type Play, type PlayTerms } from '../../dashboard/model/play.js';
import { parsePrice } from '../../dashboard/model/price-input.js';
import { type Account, capAt, DEFAULT_PROFILE, type Profile, profileOf } from '../../dashboard/model/profile.js';
import { NO_RESERVATIONS } from '../../dashboard/model/reservations.js';
import { entryOfRow } from '../../dashboard/model/ticket.js';
import type { Commission } from '../../src/base/model/commission.js';
import type { OpportunityItem } from '../../src/client/client.js';
import { row } from './rows.js';

const legOf = (sportsbook: string, odds_decimal: number, more: Partial<Leg> = {}): Leg => {
  const [leg] = entryOfRow(row({ sportsbook, odds_decimal }), null, more.commission ?? null).play.legs;
  return { ...leg!, ...more };
};
const playOf = (kind: Play['kind'], legs: Leg[]): Play => {
  return { kind, legs, played: undefined, decided: 1, reservations: NO_RESERVATIONS };
};
const price = fc.integer({ min: 102, max: 2_000 }).map((cents) => cents / 100);
const commission = fc.constantFrom<(Commission | null)[]>(
  null,
  { model: 'winnings', rate: 0.05 },
  { model: 'contract', rate: 0.07 },
);

test('at its least price a bet makes nothing on average, and just below it loses, commission and boost included', () => {
  const fair = fc.integer({ min: 20, max: 900 }).map((thousandths) => thousandths / 1_000);
  fc.assert(
    fc.property(price, fair, commission, fc.constantFrom(0, 25), (decimal, chance, charge, boostPercent) => {
      const terms = { legs: [{ boostPercent }] };
      const at = (stated: number) =>
        evaluate(playOf('ev', [legOf('x', stated, { fair: chance, commission: charge })]), DEFAULT_PROFILE, terms);
      const [least] = leastPrices(playOf('ev', [legOf('x', decimal, { fair: chance })]), at(decimal), undefined);
      if (least == null) return;
      assert.ok(Math.abs(at(least).edge!) < 1e-6, `${least} ${at(least).edge}`);
      assert.ok(at(least * 0.999).edge! < 0 || least * 0.999 <= 1);
    }),
  );
});

test('at its least price a leg of an arbitrage leaves just nothing', () => {
  fc.assert(
    fc.property(price, price, commission, (one, other, charge) => {
      const play = (mine: number): Play =>
        playOf('arbitrage', [legOf('a', mine, { commission: charge }), legOf('b', other)]);
      const [least] = leastPrices(play(one), evaluate(play(one), DEFAULT_PROFILE), undefined);
      if (least == null) return;
      assert.ok(Math.abs(evaluate(play(least), DEFAULT_PROFILE).edge!) < 1e-6);
    }),
  );
});

test("a middle's least price is where its expected value ends; turnover and free bets have none", () => {
  const side = (fair_probability: number) => ({ stake_percent: 50, odds: { fair_probability, decimal_net: 1.95 } });
  const item = { side1: side(0.55), side2: side(0.5), expected_value: 2 } as unknown as OpportunityItem;
  const legs = [legOf('a', 1.95), legOf('b', 1.95)];
  const [one] = leastPrices(playOf('middles', legs), evaluate(playOf('middles', legs), DEFAULT_PROFILE), item);
  // 2 % less 50 % of the stake times 55 % times what the price falls by.
  assert.ok(Math.abs(one! - (1.95 - 0.02 / 0.275)) < 1e-6);
  const none = (play: Play, terms?: PlayTerms) => leastPrices(play, evaluate(play, DEFAULT_PROFILE, terms), undefined);
  assert.deepEqual(none(playOf('middles', legs)), [null, null]);
  assert.deepEqual(none(playOf('low_hold', legs)), [null, null]);
  assert.deepEqual(none(playOf('arbitrage', legs), { legs: [{ isFree: true }] }), [null, null]);
});

test('a least price is never told lower than it is', () => {
  fc.assert(
    fc.property(fc.double({ min: 1.02, max: 400, noNaN: true }), (decimal) => {
      for (const format of ODDS_FORMATS)
        assert.ok(
          parsePrice(leastText(decimal, format), format)! >= decimal - 1e-6,
          `${decimal} ${leastText(decimal, format)}`,
        );
    }),
  );
  assert.deepEqual([leastText(2, 'american'), leastText(1.995, 'american')], ['+100', '+100']);
});

const account = (given: Partial<Account>): Account => ({ limit: null, bankroll: null, commission: null, ...given });

test('no stake is above the money at its book, which has a currency of its own', () => {
  const profile: Profile = {
    ...DEFAULT_PROFILE,
    rates: { GBP: 1.25 },
    accounts: { a: account({ bankroll: 80, currency: 'GBP' }), b: account({ bankroll: 1_000 }) },
  };
  const play = playOf('arbitrage', [legOf('a', 2.1), legOf('b', 2.1)]);
  assert.deepEqual(evaluate(play, profile).plan.stakes, [100, 100]);
  const at = (book: string, currency: string, stakeMax: number | null = null, isFree = false) =>
    capAt(profile, book, { stakeMax, currency }, isFree);
  assert.deepEqual([at('a', 'USD'), at('a', 'GBP'), at('a', 'EUR')], [100, 80, null]);
  assert.deepEqual([at('a', 'USD', 50), at('a', 'USD', null, true), at('c', 'USD')], [50, null, null]);
  assert.deepEqual(profileOf(JSON.stringify(profile)).accounts, profile.accounts);
});

test('a stake that is above the money at its book, or above what the book takes, is said', () => {
  const profile: Profile = {
    ...DEFAULT_PROFILE,
    accounts: { a: account({ bankroll: 100 }), b: account({ limit: 60 }) },
  };
  const legs = [legOf('a', 2.1), legOf('b', 2.1)];
  const said = (terms: PlayTerms, i: number, of = legs) =>
    beyondText(of, i, evaluate(playOf('arbitrage', of), profile, terms), profile, terms, (book) => book);
  assert.equal(said({ legs: [{ stake: 120 }] }, 0), 'above your balance at a: 100.00 USD');
  assert.equal(said({ legs: [{ stake: 90 }, { stake: 90 }] }, 0), '');
  assert.equal(said({ legs: [{ stake: 90 }, { stake: 90 }] }, 1), 'above what b takes: 60.00 USD');
  const both = [legOf('a', 2.1), legOf('a', 2.1)];
  assert.equal(said({ legs: [{ stake: 60 }, { stake: 60 }] }, 0, both), 'above your balance at a: 100.00 USD');
});
