import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Commission,
  contractCost,
  netBeforeRounding,
  netDecimal,
  parseCommissions,
  roundingOf,
} from '../../../src/base/model/commission.js';

const winnings = (rate: number): Commission => ({ model: 'winnings', rate });
const contract = (rate: number): Commission => ({ model: 'contract', rate });
const cent: Commission = { model: 'contract', rate: 0.07, rounding: 'cent_up' };
const centicent: Commission = { model: 'contract', rate: 0.07, rounding: 'centicent_up' };

function near(actual: number, wanted: number): void {
  assert.ok(Math.abs(actual - wanted) < 1e-9, `${actual} is not ${wanted}`);
}

test('commission on winnings leaves 1 + (d - 1)(1 - rate), a fee on contracts 1 / (p + rate p (1 - p))', () => {
  assert.equal(netDecimal(2.04, winnings(0.05)), 1.988);
  assert.equal(netDecimal(2.1, winnings(0.02)), 2.078);
  near(netDecimal(2, contract(0.07)), 1 / 0.5175);
  near(netDecimal(1 / 0.29, contract(0.03)), 1 / (0.29 + 0.03 * 0.29 * 0.71));
  near(netDecimal(2, { model: 'contract', rate: 0.05, exponent: 2 }), 1 / (0.5 + 0.05 * 0.25 ** 2));
  near(netDecimal(2, { model: 'contract', rate: 0.25, exponent: 2 }), 1 / (0.5 + 0.25 * 0.25 ** 2));
  assert.equal(netDecimal(2.04, null), 2.04);
});

test('a fee that is rounded up per order is that of a hundred contracts: 51.75 at a half, 49 and 1.75 at 0.49', () => {
  near(netDecimal(2, cent), 100 / 51.75);
  near(netDecimal(1 / 0.49, cent), 100 / 50.75);
  assert.ok(netDecimal(1 / 0.49, cent) < netDecimal(1 / 0.49, contract(0.07)));
});

test('a fee that is rounded up to a hundredth of a cent a fill is that of a large fill in a list, and of the fill where its size is known', () => {
  const p = 1 / 2.2;
  const fee = 0.07 * p * (1 - p);
  near(netDecimal(2.2, centicent), 1 / (p + fee));
  // 0.49 and 0.017493; a hundred cost exactly that much each.
  near(contractCost(1, 1 / 0.49, centicent), 0.5075);
  near(contractCost(3, 1 / 0.49, centicent), 3 * 0.49 + 0.0525);
  near(contractCost(100, 1 / 0.49, centicent), 49 + 1.7493);
  near(contractCost(1, 1 / 0.49, cent), 0.51);
  const { net, fee: rounded } = netBeforeRounding(2.2, centicent);
  near(net, 1 / (p + fee));
  // Of ten, 0.367776… are the fee.
  near(roundingOf(10, rounded!), 0.3678 - (10 * fee) / (p + fee));
  assert.deepEqual(netBeforeRounding(2.2, contract(0.07)), { net: netDecimal(2.2, contract(0.07)) });
  const contracts = fc.double({ min: 0.01, max: 1e6, noNaN: true });
  const prices = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  const rates = fc.double({ min: 0.001, max: 0.2, noNaN: true });
  const steps = [
    ['cent_up', 0.01],
    ['centicent_up', 0.0001],
  ] as const;
  fc.assert(
    fc.property(contracts, prices, rates, fc.constantFrom(...steps), (count, price, rate, [rounding, step]) => {
      const exact = count * (price + rate * price * (1 - price));
      const cost = contractCost(count, 1 / price, { model: 'contract', rate, rounding });
      assert.ok(cost > exact - 1e-6 && cost < exact + step + 1e-6, `${cost} for ${exact}`);
      const { net, fee: rounded } = netBeforeRounding(1 / price, { model: 'contract', rate, rounding });
      const added = roundingOf(count / net, rounded!);
      assert.ok(Math.abs(count / net + added - cost) < step * 1e-3 + 1e-6, `${count / net} and ${added} for ${cost}`);
    }),
  );
});

test('a net price that has an exact decimal is that literal, so that it ties with a book that states it', () => {
  for (let hundredths = 101; hundredths <= 2_000; hundredths++)
    for (const percent of [1, 2, 4, 5, 8]) {
      // In whole numbers: ten-thousandths of the net price.
      const exact = 10_000 + (hundredths - 100) * (100 - percent);
      const literal = Number(`${Math.floor(exact / 10_000)}.${String(exact % 10_000).padStart(4, '0')}`);
      assert.equal(netDecimal(hundredths / 100, winnings(percent / 100)), literal, `${hundredths} at ${percent} %`);
    }
});

test('a net price is a price, never above the stated one, and rises with it', () => {
  const rates = fc.double({ min: 0.001, max: 0.9, noNaN: true });
  const commissions = fc.oneof(rates.map(winnings), rates.map(contract), fc.constantFrom(cent, centicent));
  const prices = fc.integer({ min: 1_010, max: 1_000_000 }).map((thousandths) => thousandths / 1_000);
  fc.assert(
    fc.property(prices, prices, commissions, (a, b, commission) => {
      const net = netDecimal(a, commission);
      assert.ok(net > 1 && net <= a);
      if (a < b) assert.ok(net <= netDecimal(b, commission) + 1e-9);
    }),
  );
});

test('settings are parsed, and an invalid one is one line', () => {
  assert.deepEqual(parseCommissions('betfair=0.02;kalshi=contract:0.07, polymarket=contract:.03:cent_up;novig=0'), {
    betfair: winnings(0.02),
    kalshi: contract(0.07),
    polymarket: { model: 'contract', rate: 0.03, rounding: 'cent_up' },
    novig: null,
  });
  assert.deepEqual(parseCommissions('kalshi=contract:0.07:centicent_up'), { kalshi: centicent });
  assert.deepEqual(parseCommissions(''), {});
  const refused = ['betfair', 'betfair=', 'betfair=2%', 'betfair=1', 'betfair=-0.1', '=0.1', 'Bet Fair=0.1', 'a=b=0.1'];
  for (const text of [...refused, 'kalshi=flat:0.07', 'kalshi=contract:0.07:up', 'betfair=winnings:0.02:cent_up'])
    assert.throws(() => parseCommissions(text), /^Error: BOOK=RATE,.*to below 1$/, text);
});
