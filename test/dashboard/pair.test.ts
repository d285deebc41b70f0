// Prices that come onto the ticket one by one: what they are together, and what that locks, wins or costs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkQuery, joined, kindNow, sameBets, saysOf } from '../../dashboard/model/pair.js';
import { evaluate, type PlayTerms } from '../../dashboard/model/play.js';
import { DEFAULT_PROFILE, type Profile } from '../../dashboard/model/profile.js';
import { entryOfRow, legNow, type PlacedBet, type TicketEntry } from '../../dashboard/model/ticket.js';
import type { OddsRow, OpportunityItem } from '../../src/client/client.js';
import { settleTotal } from '../../src/rules/grading/settle.js';
import { row } from './rows.js';

const priced = (sportsbook: string, odds_decimal: number, more: Partial<OddsRow> = {}): TicketEntry =>
  entryOfRow(row({ sportsbook, odds_decimal, ...more }), null);
const total = (sportsbook: string, odds_decimal: number, selection_type: string, line: number) =>
  priced(sportsbook, odds_decimal, { market_type: 'total_points', selection_type, line });
const spread = (sportsbook: string, odds_decimal: number, selection_type: string, line: number) =>
  priced(sportsbook, odds_decimal, { market_type: 'point_spread', selection_type, line });
const AWAY = { selection_type: 'away' };
const ALL_KNOWN = { rows: [] as OddsRow[], isComplete: true };
const together = (one: TicketEntry, other: TicketEntry, market = ALL_KNOWN): TicketEntry => {
  const entry = joined(other, [other, one], [], market);
  assert.ok(typeof entry === 'object');
  return entry;
};
const kindOf = (entry: TicketEntry, terms: PlayTerms = { legs: [] }) => kindNow(entry.play, DEFAULT_PROFILE, terms);
const says = (entry: TicketEntry, terms: PlayTerms = { legs: [] }, profile: Profile = DEFAULT_PROFILE): string => {
  const play = { ...entry.play, kind: kindNow(entry.play, profile, terms) };
  return saysOf(play, evaluate(play, profile, terms), terms, profile.currency, null).join(' ');
};

test('opposite sides are an arbitrage while their prices leave something, else a low hold that costs', () => {
  const left = together(priced('fanduel', 2.1), priced('betmgm', 2.05, AWAY));
  assert.equal(kindOf(left), 'arbitrage');
  assert.equal(says(left), 'arbitrage: 3.73 %, +37.30 USD whichever side wins');
  const costs = together(priced('fanduel', 1.95), priced('betmgm', 1.98, AWAY));
  assert.equal(kindOf(costs), 'low_hold');
  assert.equal(says(costs), 'low hold: costs 1.79 % say what to stake in all');
  assert.match(
    says(costs, { total: 1_000, legs: [] }),
    /^low hold: costs 1\.79 %, -1\d\.\d\d USD whichever side wins$/,
  );
  const moved = legNow(
    costs,
    costs.play.legs[0]!,
    known({ sportsbook: 'fanduel', odds_decimal: 2.2 }),
    DEFAULT_PROFILE,
  );
  assert.equal(
    kindNow({ ...costs.play, legs: [moved.leg, costs.play.legs[1]!] }, DEFAULT_PROFILE, { legs: [] }),
    'arbitrage',
  );
});

const known = (...given: Parameters<typeof row>[0][]) => {
  const rows = given.map(row);
  return { rows: new Map(rows.map((one) => [one.id, one])), isComplete: true };
};

test('lines with numbers between them are a middle, and those between which both lose are not joined', () => {
  const middle = together(total('fanduel', 1.91, 'over', 220.5), total('betmgm', 1.91, 'under', 223.5));
  assert.equal(kindOf(middle), 'middles');
  assert.equal(says(middle), 'middle: +91, worst -5 percent of the stake; both win on 221 to 223');
  const none = (one: TicketEntry, other: TicketEntry) => joined(other, [other, one], [], ALL_KNOWN);
  assert.equal(none(total('fanduel', 1.91, 'over', 223.5), total('betmgm', 1.91, 'under', 220.5)), undefined);
  assert.equal(none(total('fanduel', 1.91, 'over', 223.5), total('betmgm', 1.91, 'over', 220.5)), undefined);
  assert.equal(kindOf(together(spread('fanduel', 2.1, 'home', -3.5), spread('betmgm', 2.1, 'away', 3.5))), 'arbitrage');
  assert.equal(kindOf(together(spread('fanduel', 2.1, 'home', -2.5), spread('betmgm', 2.1, 'away', 3.5))), 'middles');
  assert.equal(none(spread('fanduel', 2.1, 'home', -3.5), spread('betmgm', 2.1, 'away', 2.5)), undefined);
  assert.equal(none(spread('fanduel', 2.1, 'home', -3.5), spread('betmgm', 2.1, 'home', -3.5)), undefined);
});

test('prices of other games, markets and players, and those that were taken apart, stay by themselves', () => {
  const one = priced('fanduel', 2.1);
  const not = (other: TicketEntry, mate = one) => assert.equal(joined(other, [other, mate], [], ALL_KNOWN), undefined);
  not(priced('betmgm', 2.05, { ...AWAY, event_id: 'another' }));
  not(priced('betmgm', 2.05, { ...AWAY, market_type: 'moneyline_1st_half' }));
  not(priced('betmgm', 2.05, AWAY), { ...one, apart: true });
  const of = (player_name: string, selection_type: string) =>
    priced('x', 2.1, { market_type: 'player_points', player_name, selection_type, line: 22.5 });
  not(of('Al Two', 'under'), of('Jo One', 'over'));
  assert.equal(kindOf(together(of('Jo One', 'over'), of('Jo One', 'under'))), 'arbitrage');
});

test('where a draw is offered two sides are not all, and three are', () => {
  const at = (sportsbook: string, selection_type: string, odds_decimal: number) =>
    row({ sportsbook, odds_decimal, selection_type, market_type: 'moneyline' });
  const [home, away] = [priced('fanduel', 3.2), priced('betmgm', 3.3, AWAY)];
  const draw = entryOfRow(at('fanduel', 'draw', 3.4), null);
  const market = { rows: [at('fanduel', 'draw', 3.4)], isComplete: true };
  assert.equal(joined(away, [away, home], [], { rows: [], isComplete: false }), 'unknown');
  assert.equal(joined(away, [away, home], [], market), undefined);
  // The away team's book offers no draw: its price counts overtime, and the two others do not.
  assert.equal(joined(draw, [draw, away, home], [], market), undefined);
  const three = { rows: [...market.rows, at('betmgm', 'draw', 3.3)], isComplete: true };
  const all = joined(draw, [draw, away, home], [], three);
  assert.ok(typeof all === 'object');
  assert.equal(all.play.legs.length, 3);
  assert.equal(says(all).startsWith('low hold') || says(all).startsWith('arbitrage'), true);
  // Neither of these books offers it: they settle without one.
  const others = { rows: [at('caesars', 'draw', 3.4)], isComplete: true };
  assert.equal(typeof joined(away, [away, home], [], others), 'object');
});

test('a handicap with a draw is no side of a two-way one, a soccer winner without a draw is not whole, nor are sums below 0.97', () => {
  const line = (sportsbook: string, selection_type: string, at: number, odds_decimal: number) =>
    row({ sportsbook, selection_type, line: at, odds_decimal, market_type: 'point_spread', sport: 'soccer' });
  const [home, draw, away] = [
    line('one', 'home', -1, 3.1),
    { ...line('one', 'draw', -1, 3.6), selection: 'Draw' },
    line('one', 'away', 1, 2.2),
  ];
  const other = line('other', 'away', 1, 1.6);
  const rows = [home!, draw!, away!, other];
  const join = (all: OddsRow[], ...of: OddsRow[]) => {
    const entries = of.map((one) => entryOfRow(one, null));
    return joined(entries.at(-1)!, entries.slice(0, -1), [], { rows: all, isComplete: true });
  };
  for (const mates of [
    [home!, away!],
    [home!, other],
    [home!, draw!, away!],
  ])
    assert.equal(join(rows, ...mates), undefined);
  const two = line('third', 'home', -1, 2.5);
  assert.equal(typeof join([two, other], two, other), 'object');
  const soccer = (sportsbook: string, selection_type: string, odds_decimal: number) =>
    row({ sportsbook, selection_type, odds_decimal, sport: 'soccer' });
  const [roma, lazio] = [soccer('one', 'home', 2.5), soccer('other', 'away', 3)];
  assert.equal(join([roma, lazio], roma, lazio), undefined);
  const broken = [
    row({ sportsbook: 'one', odds_decimal: 2.5 }),
    row({ ...AWAY, sportsbook: 'one', odds_decimal: 2.5 }),
  ];
  const sound = row({ ...AWAY, sportsbook: 'other', odds_decimal: 1.9 });
  assert.equal(join([...broken, sound], broken[0]!, sound), undefined);
});

test('a price against a bet that stands is its hedge: the stake follows the one that is placed', () => {
  const bet: PlacedBet = {
    ...{ oddsId: '1', eventId: priced('x', 2).eventId, eventName: 'A @ B', market: 'moneyline', of: {} },
    ...{ outcome: 'Los Angeles Lakers', selection: 'Los Angeles Lakers', line: null, book: 'fanduel' },
    ...{ american: 300, decimal: 4, stake: 100, currency: 'USD', at: '2026-11-20T12:00:00Z' },
  };
  const fresh = priced('betmgm', 1.5, AWAY);
  const hedge = joined(fresh, [fresh], [bet], ALL_KNOWN);
  assert.ok(typeof hedge === 'object');
  const { plan } = evaluate(hedge.play, { ...DEFAULT_PROFILE, rounding: 0.01 });
  assert.deepEqual(plan.stakes, [100, 266.66]);
  assert.equal(
    says(hedge, undefined, { ...DEFAULT_PROFILE, rounding: 0.01 }),
    'hedge: locks +33.33 USD whichever side wins',
  );
  assert.equal(joined(fresh, [fresh], [{ ...bet, status: 'rejected: game_over' }], ALL_KNOWN), undefined);
  // A lay that stands: its liability is hedged by a lay of the other side.
  const laid = { ...bet, market: 'moneyline_lay', decimal: 3, stake: 50 };
  const other = priced('matchbook', 3, { ...AWAY, market_type: 'moneyline_lay' });
  const lays = joined(other, [other], [laid], ALL_KNOWN);
  assert.ok(typeof lays === 'object');
  assert.deepEqual(evaluate(lays.play, { ...DEFAULT_PROFILE, rounding: 0.01 }).plan.stakes, [100, 100]);
  const against = { ...bet, selection: 'Boston Celtics', outcome: 'Boston Celtics' };
  assert.equal(joined(fresh, [fresh], [bet, against], ALL_KNOWN), undefined);
});

test('the result that is told as the worst is the worst of all that can be, in two currencies', () => {
  const price = fc.integer({ min: 105, max: 1_000 }).map((cents) => cents / 100);
  const line = fc.integer({ min: 0, max: 20 }).map((half) => 200 + half / 2);
  fc.assert(
    fc.property(price, price, line, line, fc.integer({ min: 50, max: 200 }), (one, other, low, high, rate) => {
      const over = total('fanduel', one, 'over', Math.min(low, high));
      const under = priced('bet365', other, {
        ...{ market_type: 'total_points', selection_type: 'under', line: Math.max(low, high), currency: 'GBP' },
      });
      const { play } = together(over, under);
      const profile = { ...DEFAULT_PROFILE, rates: { GBP: rate / 100 }, rounding: 0.01 };
      const terms = { legs: [{ stake: 100 }] };
      const { plan, worst } = evaluate(play, profile, terms);
      const [mine, theirs] = plan.stakes as [number, number];
      const profitAt = (points: number): number => {
        const part = (side: 'over' | 'under', at: number, decimal: number): number => {
          const grade = settleTotal(side, at, points);
          return grade > 0 ? grade * (decimal - 1) : grade;
        };
        return (
          mine * part('over', Math.min(low, high), one) +
          theirs * (rate / 100) * part('under', Math.max(low, high), other)
        );
      };
      const all = Array.from({ length: 240 }, (_, i) => profitAt(i + 100));
      assert.ok(Math.abs(Math.min(...all) - worst) < 1e-5, `${Math.min(...all)} ${worst}`);
    }),
    { numRuns: 200 },
  );
});

test('what the server holds against the same bets is found by their books, sides and lines', () => {
  const pair = together(priced('fanduel', 2.1), priced('betmgm', 2.05, AWAY));
  const leg = (sportsbook: string, selection: string) => ({ sportsbook, selection, line: null });
  const item = (...legs: object[]) => ({ legs }) as unknown as OpportunityItem;
  const same = item(leg('betmgm', 'Boston Celtics'), leg('fanduel', 'Los Angeles Lakers'));
  const other = item(leg('fanduel', 'Boston Celtics'), leg('betmgm', 'Los Angeles Lakers'));
  assert.equal(sameBets('arbitrage', [other, same], pair.play.legs), same);
  assert.equal(sameBets('arbitrage', [other], pair.play.legs), undefined);
  const asked = checkQuery({ ...pair, play: { ...pair.play, kind: 'arbitrage' } });
  assert.deepEqual(asked, {
    ...{ event: [pair.eventId], market: ['moneyline'], sportsbook: ['fanduel', 'betmgm'], limit: 50 },
    ...{ min_profit: -100, include_suspicious: true },
  });
});
