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
