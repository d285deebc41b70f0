// What house rules do to opportunities: results on which the legs' books settle differently.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngestMarket } from '../../src/intake/ingest/message.js';
import { of, show, sides, world } from './one-game.js';
import type { PublishedOpportunity } from './published.js';

const winner = (home: number, away: number): IngestMarket =>
  sides('moneyline', [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
  ] as never);

interface Exception {
  result: string;
  profit_percent: number;
}

const exceptionsOf = ({ item }: PublishedOpportunity) => item['exceptions'] as Exception[];
const warningsOf = ({ item }: PublishedOpportunity) => item['warnings'] as string[];

/** The arbitrage of the two books, the first at home. */
function arbitrage(first: [string, number], second: [string, number], fields: object): PublishedOpportunity {
  const shard = world();
  show(shard, { [first[0]]: [winner(first[1], 1.4)], [second[0]]: [winner(1.4, second[1])] }, fields);
  const [found, ...others] = of(shard, 'arbitrage');
  assert.deepEqual(others, []);
  return found!;
}

const TENNIS = { league: 'atp', home_team: 'Jannik Sinner', away_team: 'Carlos Alcaraz' };
const NFL = { league: 'nfl', home_team: 'Buffalo Bills', away_team: 'Miami Dolphins' };
const COLLEGE = { league: 'ncaaf', home_team: 'Alabama', away_team: 'Georgia' };
const NPB = { league: 'npb', home_team: 'Yomiuri Giants', away_team: 'Hanshin Tigers' };
const MLB = { league: 'mlb', home_team: 'New York Yankees', away_team: 'Boston Red Sox' };
const AFL = { league: 'afl', home_team: 'Geelong', away_team: 'Collingwood' };

test('a retirement is told where the books do not agree when a match stands', () => {
  const found = arbitrage(['pinnacle', 2.1], ['draftkings', 2.1], TENNIS);
  assert.deepEqual(warningsOf(found), ['RULES_DIFFER']);
  // After a set Pinnacle's bet stands and loses, DraftKings refunds: half of the stakes is left.
  assert.deepEqual(exceptionsOf(found), [{ result: 'retirement', profit_percent: -50 }]);
  assert.equal(found.terms.sure, false);
  // One rule: nothing to tell.
  for (const [a, b] of [
    ['draftkings', 'fanduel'],
    ['pinnacle', 'betfair'],
  ] as const) {
    const same = arbitrage([a, 2.2], [b, 2.2], TENNIS);
    assert.deepEqual([exceptionsOf(same), same.terms.sure], [[], true]);
    assert.ok(!warningsOf(same).includes('RULES_DIFFER'));
  }
});

test('a part of a match and a number of games are settled alike, also by books that differ on the winner', () => {
  const shard = world();
  const games = (over: number, under: number) =>
    sides('total_games', [
      { selection_type: 'over', line: 22.5, odds_decimal: over },
      { selection_type: 'under', line: 22.5, odds_decimal: under },
    ] as never);
  const set = (home: number, away: number) => ({ ...winner(home, away), market_type: 'moneyline_set_1' });
  show(shard, { pinnacle: [games(2.1, 1.7), set(2.1, 1.7)], draftkings: [games(1.7, 2.1), set(1.7, 2.1)] }, TENNIS);
  const found = of(shard, 'arbitrage');
  assert.equal(found.length, 2);
  for (const one of found) assert.deepEqual([exceptionsOf(one), warningsOf(one)], [[], []]);
});

test('a tie that pays half at one book: guaranteed leaves it out only if it loses', () => {
  // Half of a win at Kalshi is more than its stake.
  const wins = arbitrage(['kalshi', 2.4], ['draftkings', 1.85], NFL);
  assert.ok(exceptionsOf(wins)[0]!.profit_percent > 0, JSON.stringify(exceptionsOf(wins)));
  assert.equal(wins.terms.sure, true);
  const loses = arbitrage(['kalshi', 1.5], ['draftkings', 3.4], NFL);
  assert.ok(exceptionsOf(loses)[0]!.profit_percent < 0, JSON.stringify(exceptionsOf(loses)));
  assert.equal(loses.terms.sure, false);
  for (const found of [wins, loses]) {
    assert.deepEqual(
      exceptionsOf(found).map(({ result }) => result),
      ['tie'],
    );
    for (const warning of ['TIE_SETTLES_HALF', 'RULES_DIFFER', 'PUSH_POSSIBLE'])
      assert.ok(warningsOf(found).includes(warning), warning);
  }
});

test('half of the stake at full odds is told where another book refunds a draw', () => {
  const found = arbitrage(['sportsbet', 1.5], ['fanduel', 3.4], AFL);
  assert.deepEqual(
    exceptionsOf(found).map(({ result }) => result),
    ['tie'],
  );
  assert.ok(warningsOf(found).includes('RULES_DIFFER') && !warningsOf(found).includes('TIE_SETTLES_HALF'));
  assert.equal(found.terms.sure, false);
});

test('college football cannot end level, baseball in Japan can, and in the MLB only its preseason', () => {
  const college = arbitrage(['kalshi', 1.5], ['draftkings', 3.4], COLLEGE);
  assert.deepEqual([exceptionsOf(college), college.terms.sure], [[], true]);
  for (const warning of ['TIE_SETTLES_HALF', 'RULES_DIFFER', 'PUSH_POSSIBLE'])
    assert.ok(!warningsOf(college).includes(warning), warning);
  const pushes = (fields: object) => {
    const shard = world();
    show(shard, { pinnacle: [winner(1.95, 1.95)], fanduel: [winner(2.1, 1.7)], betmgm: [winner(1.7, 2.05)] }, fields);
    const arb = of(shard, 'arbitrage').map((one) => warningsOf(one).includes('PUSH_POSSIBLE'));
    const edges = of(shard, 'ev').map((one) => warningsOf(one).includes('PUSH_POSSIBLE'));
    assert.equal(arb.length, 1);
    assert.ok(edges.length > 0);
    return [...new Set([...arb, ...edges])];
  };
  assert.deepEqual(pushes(NPB), [true]);
  assert.deepEqual(pushes(MLB), [false]);
  assert.deepEqual(pushes({ ...MLB, league: 'mlb_preseason' }), [true]);
  assert.deepEqual(pushes({ league: 'euroleague', home_team: 'Real Madrid', away_team: 'Olympiacos' }), [true]);
});

test('books that differ only in games that are not played in time: a warning alone', () => {
  const found = arbitrage(['pinnacle', 2.1], ['draftkings', 2.1], MLB);
  assert.deepEqual([exceptionsOf(found), warningsOf(found), found.terms.sure], [[], ['VOID_DIFFERS'], true]);
});

test('low holds tell the same', () => {
  const shard = world();
  show(shard, { pinnacle: [winner(1.99, 1.7)], draftkings: [winner(1.7, 1.99)] }, TENNIS);
  const [hold] = of(shard, 'low_hold');
  assert.deepEqual(
    exceptionsOf(hold!).map(({ result }) => result),
    ['retirement'],
  );
  assert.equal(hold!.terms.sure, false);
});

test('an arbitrage is available only at the prices that are its legs', () => {
  const shard = world();
  show(shard, {
    pinnacle: [winner(1.95, 1.95)],
    draftkings: [winner(2.2, 1.7)],
    betmgm: [winner(2.15, 1.75)],
    fanduel: [winner(1.7, 2.05)],
  });
  const edges = of(shard, 'ev').map(({ books, item }) => [
    books[0],
    item['selection_type'] ?? item['selection'],
    item['arb_available'],
  ]);
  assert.equal(edges.length, 3);
  for (const [book, , available] of edges) assert.equal(available, book !== 'betmgm', String(book));
});
