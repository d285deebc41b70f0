// What speaks against an opportunity is seen: warnings in words, results that lose, and "whatever the result" only where it
// is so; stakes in several currencies; legs on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULTS } from '../../dashboard/model/address.js';
import { alertText } from '../../dashboard/model/alert-rules.js';
import { amountInput, parseAmount } from '../../dashboard/model/amount.js';
import { explain } from '../../dashboard/model/explain.js';
import { priceText, signedText } from '../../dashboard/model/odds-format.js';
import { csvOf, keptRows, rowsOf } from '../../dashboard/model/opportunity-rows.js';
import { gameText, outcomeParts, outcomeText } from '../../dashboard/model/outcome.js';
import { paperCap, partedText } from '../../dashboard/model/paper.js';
import { edgeFor, evaluate, playOf } from '../../dashboard/model/play.js';
import { DEFAULT_PROFILE } from '../../dashboard/model/profile.js';
import { chipsOf, reservationsOf } from '../../dashboard/model/reservations.js';
import { equalReturns, splitRest } from '../../dashboard/model/stakes.js';
import { entryOf, legNow, PLACED_MAX, type PlacedBet, withPlaced } from '../../dashboard/model/ticket.js';
import { WARNING_CODES } from '../../src/base/model/warnings.js';
import { LiveTable, type OpportunityItem } from '../../src/client/client.js';

const leg = (sportsbook: string, selection: string, decimal: number, more = {}) => ({
  ...{
    sportsbook,
    selection,
    selection_type: 'home',
    line: null,
    odds_american: 100,
    commission: null,
    currency: 'USD',
  },
  ...{ odds_decimal: decimal, odds_decimal_net: decimal, stake_percent: 50, max_stake: null, odds_id: sportsbook },
  ...{ deep_link: null, ...more },
});
const arbitrage = (more = {}) =>
  ({
    ...{ id: 'arb', event_id: 'e', event_name: 'A @ B', home_team: 'B', away_team: 'A', market_type: 'moneyline' },
    ...{ line: null, profit_percent: 2.26, implied_total: 97.79, max_stake: null, exceptions: [], warnings: [] },
    legs: [leg('fanduel', 'A', 2.1), leg('kalshi', 'B', 1.98)],
    ...more,
  }) as unknown as OpportunityItem;
const TIE = { exceptions: [{ result: 'tie', profit_percent: -31.83 }], warnings: ['TIE_SETTLES_HALF', 'RULES_DIFFER'] };

test('an arbitrage that a tie breaks does not say "whatever the result", and says the tie', () => {
  const said = (item: OpportunityItem) => explain('arbitrage', item, 'american', (book) => book);
  assert.match(said(arbitrage()), /2\.26 % is left, whatever the result/);
  assert.doesNotMatch(said(arbitrage(TIE)), /whatever/);
  assert.match(said(arbitrage(TIE)), /2\.26 % is left, except on a tie: -31\.83 %/);
});

test('every warning is a chip in words with its meaning, and a losing result is the first of them', () => {
  const chips = chipsOf(reservationsOf('arbitrage', arbitrage(TIE)));
  assert.deepEqual(
    chips.map(({ text, look }) => [text, look]),
    [
      ['tie -31.83 %', 'loss'],
      ['tie pays half', 'warn'],
      ['rules differ', 'warn'],
    ],
  );
  for (const code of WARNING_CODES) {
    const [chip] = chipsOf(reservationsOf('arbitrage', arbitrage({ warnings: [code], profit_percent: 0 })));
    assert.doesNotMatch(chip!.text, /_|[A-Z]/, code);
    assert.ok(chip!.title.length > 10);
  }
  const unknown = chipsOf(reservationsOf('arbitrage', arbitrage({ warnings: ['OF_TOMORROW'], profit_percent: 0 })));
  assert.equal(unknown[0]!.text, 'of tomorrow');
});

test('a losing result stands among the results of the ticket, and is its worst', () => {
  const { exceptions, worst, plan } = evaluate(playOf('arbitrage', arbitrage(TIE)), DEFAULT_PROFILE);
  assert.deepEqual(
    exceptions.map(({ result }) => result),
    ['tie'],
  );
  assert.ok(Math.abs(exceptions[0]!.profit + plan.cost * 0.3183) < 1e-9);
  assert.equal(worst, exceptions[0]!.profit);
  assert.ok(plan.worst > 0);
});

test('guaranteed is what wins on every result: a middle as the server says, an arbitrage without a losing exception', () => {
  const sure = (kind: 'arbitrage' | 'middles', item: unknown) =>
    reservationsOf(kind, item as OpportunityItem).isGuaranteed;
  assert.equal(sure('arbitrage', arbitrage()), true);
  assert.equal(sure('arbitrage', arbitrage(TIE)), false);
  assert.equal(sure('middles', { is_guaranteed_profit: false, exceptions: [], warnings: [] }), false);
  assert.equal(sure('middles', { is_guaranteed_profit: true, exceptions: [], warnings: [] }), true);
});

test('stakes are in the currency of their book, and sums in that of the viewer by the rates of the server', () => {
  const legs = [leg('fanduel', 'A', 2.1), leg('betfair', 'B', 2.1, { currency: 'GBP', max_stake: 100 })];
  const play = playOf('arbitrage', arbitrage({ legs }));
  const rated = { ...DEFAULT_PROFILE, rates: { GBP: 1.31 } };
  const { plan, lacking } = evaluate(play, rated);
  assert.deepEqual([plan.stakes, plan.cost, lacking], [[131, 100], 262, []]);
  assert.ok(
    plan.results.every(({ profit }) => Math.abs(profit - 13.1) < 1e-6),
    JSON.stringify(plan.results),
  );
  const unknown = evaluate(play, DEFAULT_PROFILE);
  assert.deepEqual([unknown.plan.stakes, unknown.lacking], [[0, 0], ['GBP']]);
  assert.ok(Math.abs(unknown.edge! - 5) < 1e-9, 'prices need no rate');
});

test('one stake that is placed splits the rest, at the price that was got', () => {
  const play = playOf('arbitrage', arbitrage());
  const { plan } = evaluate(play, DEFAULT_PROFILE, { legs: [{ stake: 300, decimal: 2 }] });
  assert.deepEqual(plan.stakes, [300, 303]);
  const free = splitRest(
    [2, 2].map((decimal) => ({ decimal, commission: null, rate: 1, cap: null, isFree: false, boostPercent: 0 })),
    [50, undefined],
    { rounding: 1 },
  );
  assert.deepEqual(free.stakes, [50, 50]);
});

test('nothing is proposed for a low hold, which costs money, until its turnover is stated', () => {
  const side = (selection: string, book: string) => ({
    ...{ selection, books: [book], line: null, commission: null, currency: 'USD', max_stake: null, deep_links: {} },
    odds: { american: 100, decimal: 1.98, decimal_net: 1.98, fair_probability: 0.5 },
  });
  const item = { ...arbitrage(), side1: side('A', 'fanduel'), side2: side('B', 'betmgm'), side3: null, confidence: 29 };
  const play = playOf('low_hold', item as unknown as OpportunityItem);
  assert.equal(evaluate(play, DEFAULT_PROFILE).plan.cost, 0);
  assert.equal(evaluate(play, DEFAULT_PROFILE, { total: 200, legs: [] }).plan.cost, 200);
  assert.deepEqual(
    chipsOf(play.reservations).map(({ text }) => text),
    ['low confidence 29'],
  );
});

test("the viewer's own commission reaches a middle", () => {
  const side = (book: string) => ({
    ...{ book, selection: 'Over', line: 6, commission: null, currency: 'USD', stake_percent: 50, max_stake: null },
    odds: { american: 100, decimal: 2, decimal_net: 2, fair_probability: 0.5 },
  });
  const item = { ...arbitrage(), side1: side('fanduel'), side2: side('betfair'), expected_value: 4 };
  const middle = item as unknown as OpportunityItem;
  const edge = (commission: number | null) => {
    const profile = { ...DEFAULT_PROFILE, accounts: { fanduel: NONE, betfair: { ...NONE, commission } } };
    return edgeFor('middles', middle, evaluate(playOf('middles', middle), profile));
  };
  assert.equal(edge(null), 4);
  // Of a win of 1 at half the stake and half the time: 5 % of 0.25.
  assert.ok(Math.abs(edge(5) - (4 - 1.25)) < 1e-9, String(edge(5)));
});
const NONE = { limit: null, bankroll: null, commission: null };

test('on paper the bound of the server caps the split: an arbitrage is 100 against its partner, not 100 against 100', () => {
  const legs = [leg('fanduel', 'A', 1.25), leg('kalshi', 'B', 6)];
  const entry = entryOf('arbitrage', arbitrage({ legs }));
  const now = entry.play.legs.map((one) => legNow(entry, one, { rows: new Map(), isComplete: false }, DEFAULT_PROFILE));
  const caps = now.map((one) => paperCap(one, 100, 1e12));
  assert.deepEqual(caps, [100, 100]);
  const { plan } = evaluate(entry.play, DEFAULT_PROFILE, { legs: caps.map((cap) => ({ cap })) });
  assert.ok(plan.stakes[0]! <= 100 && plan.worst > 0, JSON.stringify(plan));
  assert.equal(paperCap(now[0]!, 100, 40), 40);
  assert.equal(paperCap({ ...now[0]!, leg: { ...now[0]!.leg, stakeMax: 250 } }, 100, 1e12), 250);
});

const placed = (book: string, more: Partial<PlacedBet> = {}): PlacedBet => ({
  ...{ oddsId: book, eventId: 'e', eventName: 'A @ B', market: 'moneyline', outcome: 'A', selection: 'A', line: null },
  ...{ book, american: 100, decimal: 2, stake: 10, currency: 'USD', at: '2026-01-01T00:00:00Z', ...more },
});

test("one leg's refusal is told with what it means for the other", () => {
  const said = partedText([placed('fanduel'), placed('kalshi', { status: 'rejected: price_moved' })], (book) => book);
  assert.match(said, /kalshi rejected: price moved\. fanduel stands without it, and may lose the whole stake/);
  assert.equal(
    partedText([placed('fanduel'), placed('kalshi')], (book) => book),
    '',
  );
});

test('a bet that the account does not have is never dropped from the browser', () => {
  const known = Array.from({ length: PLACED_MAX }, (_, i) => placed(`book${i}`, { isLogged: i % 2 === 0 }));
  const all = withPlaced(known, [placed('new')]);
  assert.equal(all.length, PLACED_MAX);
  assert.equal(all.filter(({ isLogged }) => isLogged !== true).length, PLACED_MAX / 2 + 1);
  const local = Array.from({ length: PLACED_MAX }, (_, i) => placed(`book${i}`));
  assert.equal(withPlaced(local, [placed('new')]).length, PLACED_MAX + 1);
});

test('amounts are read as people write them, and what can be two is refused', () => {
  const read = (text: string) => parseAmount(text);
  assert.deepEqual(
    ['12,5', '12.5', '1.000,50', '1,000.50', '1 000', '.5', '5.'].map(read),
    [12.5, 12.5, 1000.5, 1000.5, 1000, 0.5, 5],
  );
  assert.deepEqual(['1,000', '1.000', '', '1.2.3', '12,5,0', 'ten', '1e3', '--1'].map(read), Array(8).fill(undefined));
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.nat(4), (value, places) => {
      const amount = Number(value.toFixed(places)) + 0;
      assert.equal(read(amountInput(amount)), amount);
    }),
  );
});

test('a plan over currencies keeps its bankroll', () => {
  const bet = (decimal: number, rate: number) => ({
    decimal,
    commission: null,
    rate,
    cap: null,
    isFree: false,
    boostPercent: 0,
  });
  const plan = equalReturns([bet(2.1, 1), bet(2.1, 1.31)], { bankroll: 100, rounding: 0.01 });
  assert.ok(plan.cost <= 100 + 1e-6 && plan.cost > 99.9);
});

test('an alert says the outcome, the price, the book, and what speaks against it', () => {
  const text = alertText('arbitrage', arbitrage(TIE), 'decimal', (book) => book.toUpperCase());
  assert.equal(text, 'Arbitrage 2.26 % (tie -31.83 %): A 2.10 at FANDUEL / B 1.98 at KALSHI · A @ B, moneyline');
});

test('rows that stay under the pointer are struck out when they ended, not when a filter or a better book leaves them out', () => {
  const table = new LiveTable();
  const items = table.opportunities.arbitrage as Map<string, OpportunityItem>;
  items.set('arb', arbitrage({ start_time: null, league: 'nba', sport: 'basketball', is_live: false }));
  const rows = rowsOf(table, DEFAULTS, DEFAULT_PROFILE, new Set(), Date.now());
  assert.equal(rows.length, 1);
  assert.equal(rowsOf(table, { ...DEFAULTS, edge: 50 }, DEFAULT_PROFILE, new Set(), Date.now()).length, 0);
  assert.equal(rowsOf(table, { ...DEFAULTS, sure: 'guaranteed' }, DEFAULT_PROFILE, new Set(), Date.now()).length, 1);
  assert.equal(keptRows(rows, table, DEFAULT_PROFILE).ended.size, 0);
  items.set('arb', arbitrage({ ...TIE, start_time: null, league: 'nba', sport: 'basketball', is_live: false }));
  assert.equal(rowsOf(table, { ...DEFAULTS, sure: 'guaranteed' }, DEFAULT_PROFILE, new Set(), Date.now()).length, 0);
  assert.equal(keptRows(rows, table, DEFAULT_PROFILE).rows[0]!.chips[0]!.text, 'tie -31.83 %');
  items.clear();
  assert.deepEqual([...keptRows(rows, table, DEFAULT_PROFILE).ended], ['arb']);
});

test('a table of opportunities has numbers, and no text that a spreadsheet would run', () => {
  const table = new LiveTable();
  const items = table.opportunities.arbitrage as Map<string, OpportunityItem>;
  items.set('arb', arbitrage({ event_name: '+cmd|A @ B', league: '-1+2', profit_percent: -2.26, start_time: null }));
  const rows = rowsOf(table, { ...DEFAULTS, edge: -5 }, DEFAULT_PROFILE, new Set(), Date.now());
  const [, line] = csvOf([{ ...rows[0]!, edge: -2.26 }], (book) => book).split('\r\n');
  assert.match(line!, /^arbitrage,-2\.2600,e,'\+cmd\|A @ B,'-1\+2,moneyline,A \/ B,2\.1 \/ 1\.98,/);
});

test('of a bet the side and the line are told from the name that may be cut', () => {
  const parts = ['Jo One Over 22.5', 'Over 220.5', 'Boston Celtics -3.5', 'Boston Celtics', 'lay Draw', 'Yes'];
  assert.deepEqual(parts.map(outcomeParts), [
    ['Jo One', ' Over 22.5'],
    ['', 'Over 220.5'],
    ['Boston Celtics', ' -3.5'],
    ['Boston Celtics', ''],
    ['lay Draw', ''],
    ['', 'Yes'],
  ]);
});

test('a decimal price is not rounded to another one', () => {
  const text = (decimal: number) => priceText({ decimal }, 'decimal');
  assert.deepEqual([1.004, 10.25, 1.909091, 1.0101, 150.5, 101].map(text), [
    '1.004',
    '10.25',
    '1.91',
    '1.0101',
    '150.5',
    '101',
  ]);
  assert.deepEqual([signedText(0.001), signedText(-0.004), signedText(2, 'GBP')], ['0.00', '0.00', '+2.00 GBP']);
});

test('a name that is written from right to left leaves the sign of its line where it is', () => {
  const name = '\u05de\u05db\u05d1\u05d9';
  const of = { market_type: 'point_spread', selection: name, line: -3.5 };
  assert.equal(outcomeText(of), `\u2068${name}\u2069 -3.5`);
  assert.equal(outcomeText({ ...of, selection: 'Maccabi' }), 'Maccabi -3.5');
  assert.equal(gameText(`${name} @ B`), `\u2068${name}\u2069 @ B`);
});
