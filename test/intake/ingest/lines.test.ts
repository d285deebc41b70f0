// Lines that cannot be are refused with their reason, and what they replaced goes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rejection } from '../../../src/base/model/normal-message.js';
import type { IngestMarket, IngestSelection } from '../../../src/intake/ingest/message.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { catalogue } from '../../writer/shard/rig.js';
import { event, latest, market, message, selection } from './messages.js';

const context = { catalogue, clock: latest, leagueOfEvent: () => undefined };
const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };

function read(markets: readonly IngestMarket[], fields: object = {}) {
  const rejected: Rejection[] = [];
  const normal = normalise(message([event(markets, fields)]), '', context, rejected)!;
  const taken = normal.events[0]!.markets.flatMap(({ quotes }) => quotes.map(({ 1: type, 2: line }) => [type, line]));
  return { taken, rejected };
}

const total = (line: number, market_type = 'total_points', fields: object = {}) =>
  market(
    ['over', 'under'].map((side) => selection({ selection: side, selection_type: side, line })),
    { market_type, ...fields },
  );
const handicap = (home: number, away: number, more: Partial<IngestSelection> = {}, market_type = 'point_spread') =>
  market(
    [
      selection({ selection: 'home', selection_type: 'home', line: home, ...more }),
      selection({ selection: 'away', selection_type: 'away', line: away, ...more }),
    ],
    { market_type },
  );

test('marks of a line that is off the board are no lines: not above 0, or off the step of the type', () => {
  for (const [line, reason] of [
    [0, 'a total is above 0: 0'],
    [-220.5, 'a total is above 0: -220.5'],
    [0.0001, '0.0001 is no multiple of 0.5, the line_step of total_points'],
    [22.05, '22.05 is no multiple of 0.5, the line_step of total_points'],
    [220.25, '220.25 is no multiple of 0.5, the line_step of total_points'],
  ] as const) {
    const { taken, rejected } = read([total(line)]);
    assert.deepEqual(taken, [], String(line));
    assert.deepEqual(
      rejected,
      [0, 1].map((i) => ({ path: `events[0].markets[0].selections[${i}].line`, reason })),
    );
  }
  for (const [home, away] of [
    [0.0001, -0.0001],
    [-4.55, 4.55],
    [-1.25, 1.25],
  ] as const)
    assert.deepEqual(read([handicap(home, away)]).taken, []);
});

test('the same of every total and handicap: of a team, of a player, of a part, of another statistic, laid', () => {
  const refused = [
    total(0, 'team_total', { team: 'home' }),
    total(-1.5, 'player_points', { player_name: 'Al Jones' }),
    total(0.3, 'total_points_q1'),
    total(0, 'total_corners'),
    total(0, 'total_points_lay'),
    handicap(-3.3, 3.3, {}, 'point_spread_h1'),
    handicap(-3.3, 3.3, {}, 'point_spread_lay'),
  ];
  for (const one of refused) assert.deepEqual(read([one]).taken, [], one.market_type);
});

test('soccer has quarter lines, and so may a league that the catalogue lacks', () => {
  for (const fields of [EPL, { ...EPL, league: 'some_county_league' }]) {
    assert.equal(read([total(2.75, 'total_goals'), handicap(-0.25, 0.25)], fields).rejected.length, 0);
    assert.equal(read([total(2.7, 'total_goals'), handicap(-0.3, 0.3)], fields).taken.length, 0);
  }
});

test('two main sides of a handicap that do not add up to 0 are refused; alternates and the rest of the market stay', () => {
  const uneven = handicap(-0.25, -0.25);
  uneven.selections.push(selection({ selection: 'h', selection_type: 'home', line: -1, is_alternate_line: true }));
  const { taken, rejected } = read([uneven, total(2.5, 'total_goals')], EPL);
  assert.deepEqual(taken, [
    ['home', -1],
    ['over', 2.5],
    ['under', 2.5],
  ]);
  assert.deepEqual(rejected, [
    {
      path: 'events[0].markets[0].selections',
      reason: 'point_spread: home -0.25 and away -0.25 are no two sides of a line: they do not add up to 0',
    },
  ]);
  assert.deepEqual(read([handicap(-3, -3)]).taken, []);
  assert.deepEqual(read([handicap(-3.5, 4.5)]).taken, []);
  assert.equal(read([handicap(-3.5, 4.5, { is_alternate_line: true })]).rejected.length, 0);
  // A handicap with its draw is written in more than one way.
  const three = handicap(-1, -1);
  three.selections.push(selection({ selection: 'Draw', selection_type: 'draw', line: -1 }));
  assert.equal(read([three], EPL).rejected.length, 0);
});

test('an over and an under that are main sides at two lines are refused; one side alone is not, nor an alternate', () => {
  const over = (line: number, more = {}) => selection({ selection: 'Over', selection_type: 'over', line, ...more });
  const under = (line: number, more = {}) => selection({ selection: 'Under', selection_type: 'under', line, ...more });
  const goals = (...selections: IngestSelection[]) => market(selections, { market_type: 'total_goals' });
  const { taken, rejected } = read([goals(over(2.5), under(3.5), over(3.5, { is_alternate_line: true }))], EPL);
  assert.deepEqual(taken, [['over', 3.5]]);
  assert.deepEqual(rejected, [
    {
      path: 'events[0].markets[0].selections',
      reason: 'total_goals: over 2.5 and under 3.5 are no two sides of a line: their lines differ',
    },
  ]);
  for (const right of [[over(2.5)], [over(2.5), under(2.5)], [over(2.5), under(3.5, { is_alternate_line: true })]])
    assert.equal(read([goals(...right)], EPL).rejected.length, 0);
  // Lines without the mark of an alternate, one side after the other: none is left to be the main line of the other side.
  const unmarked = goals(over(2.5), over(3.5), under(3.5), under(2.5));
  assert.deepEqual(read([unmarked], EPL).taken, []);
});

test('a line that a float has made a little more or less than one of the steps is that one', () => {
  for (const [stated, meant] of [
    [220.5000001, 220.5],
    [0.1 + 0.2 + 220.2, 220.5],
    [220.49999999999997, 220.5],
    ['220.5000001', 220.5],
    [220.99999999, 221],
  ] as const)
    assert.deepEqual(
      read([total(stated as number)]).taken.map(([, line]) => line),
      [meant, meant],
      String(stated),
    );
  assert.deepEqual(read([total(220.500001)]).taken, []);
  assert.deepEqual(read([total(1e-8)]).taken, [], 'a total of 0');
  const { taken } = read([handicap(1e-8, -1e-8)]);
  assert.ok(taken.length === 2 && taken.every(([, line]) => Object.is(line, 0)));
  const settlement = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: '2026-11-20T20:00:00Z' };
  const word = { ...settlement, market_type: 'total_goals', selection_type: 'over', outcome: 'won' };
  const lineOf = (line: number) =>
    normalise({ ...message([]), settlements: [{ ...word, line }] }, '', context, [])?.settlements?.[0]?.line;
  assert.equal(lineOf(2.75000001), 2.75);
  assert.equal(lineOf(2.7), 2.7, 'of what it is no line, nothing is graded');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.double({ min: -1e-7, max: 1e-7, noNaN: true }), (n, noise) => {
      const taken = read([total(n / 2 + noise), handicap(noise - n / 2, n / 2 - noise)]).taken.map(([, line]) => line);
      assert.deepEqual(taken, [n / 2, n / 2, -n / 2, n / 2]);
    }),
  );
});

test('every line of the steps is taken, no other one', () => {
  fc.assert(
    fc.property(fc.integer({ min: -800, max: 800 }), (quarters) => {
      const line = quarters / 4;
      const whole = quarters % 2 === 0;
      assert.equal(read([total(line)]).taken.length, whole && line > 0 ? 2 : 0);
      assert.equal(read([handicap(line, -line)]).taken.length, whole ? 2 : 0);
      assert.equal(read([total(line, 'total_goals')], EPL).taken.length, line > 0 ? 2 : 0);
    }),
  );
});
