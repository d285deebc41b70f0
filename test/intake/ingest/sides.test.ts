// A selection whose name says another side than its type is refused: its price would go to the other team.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rejection } from '../../../src/base/model/normal-message.js';
import { normalise } from '../../../src/intake/ingest/normalise.js';
import { catalogue } from '../../writer/shard/rig.js';
import { event, latest, market, message, selection } from './messages.js';

const JAZZ = { home_team: 'Utah Jazz', away_team: 'Orlando Magic' };
const EPL = { league: 'epl', home_team: 'Arsenal', away_team: 'Everton' };
const ID = 'nba_jazz_magic_2026-11-20';
const known = { league: 'nba', sport: 'basketball', home: 'Utah Jazz', away: 'Orlando Magic' };
const context = { catalogue, clock: latest, leagueOfEvent: (id: string) => (id === ID ? known : undefined) };

/** The quotes taken, by type, and why others were refused. */
function read(market_type: string, sides: readonly (readonly [name: string, type: string])[], fields: object = JAZZ) {
  const rejected: Rejection[] = [];
  const line = market_type.startsWith('moneyline') ? {} : { line: market_type.includes('total') ? 2.5 : 0 };
  const selections = sides.map(([name, type]) => selection({ selection: name, selection_type: type, ...line }));
  const normal = normalise(message([event([market(selections, { market_type })], fields)]), '', context, rejected)!;
  return { taken: normal.events[0]!.markets.flatMap(({ quotes }) => quotes.map(({ 1: type }) => type)), rejected };
}

test('a name that is the other team’s or a draw is refused, with both named', () => {
  const swapped = [
    ['Utah Jazz', 'away'],
    ['Orlando Magic', 'home'],
  ] as const;
  for (const fields of [JAZZ, { event_id: ID }])
    for (const type of ['moneyline', 'point_spread', 'moneyline_1st_half', 'moneyline_lay']) {
      const { taken, rejected } = read(type, swapped, fields);
      assert.deepEqual(taken, [], type);
      assert.deepEqual(rejected, [
        {
          path: 'events[0].markets[0].selections[0].selection_type',
          reason: 'away, but "Utah Jazz" is home (Utah Jazz at home, Orlando Magic away)',
        },
        {
          path: 'events[0].markets[0].selections[1].selection_type',
          reason: 'home, but "Orlando Magic" is away (Utah Jazz at home, Orlando Magic away)',
        },
      ]);
    }
  for (const [name, type, reason] of [
    ['utah', 'away', /"utah" is home/],
    ['Utah Jazz -3.5', 'away', /is home/],
    ['Home', 'away', /"Home" is home/],
    ['Draw', 'home', /"Draw" is draw/],
    ['Tie', 'away', /"Tie" is draw/],
    ['Orlando Magic', 'draw', /is away/],
  ] as const) {
    const { taken, rejected } = read('moneyline', [[name, type]]);
    assert.deepEqual([taken, rejected.length], [[], 1], name);
    assert.match(rejected[0]!.reason, reason);
  }
});

test('over and under of who wins are refused as what they are', () => {
  assert.deepEqual(read('moneyline', [['Over', 'over']]).rejected, [
    { path: 'events[0].markets[0].selections[0].selection_type', reason: 'moneyline has no over' },
  ]);
});

test('over named under, yes named no, and a double chance of the wrong two are refused', () => {
  for (const [type, name, side] of [
    ['total_goals', 'Under', 'over'],
    ['total_goals', 'Over 2.5', 'under'],
    ['both_teams_to_score', 'No', 'yes'],
    ['total_goals_odd_even', 'even', 'odd'],
    ['double_chance', 'Arsenal or Draw', 'home_or_away'],
    ['double_chance', 'X2', 'home_or_draw'],
    ['double_chance', 'X2', '1x'],
    ['half_time_full_time', 'Everton/Draw', 'home_draw'],
    ['winning_margin', 'Everton by 1', 'home_by_1'],
    ['winning_margin', 'Home by 2', 'draw'],
    ['correct_score', '1-2', '2_1'],
    ['correct_score', 'Everton 2-1', 'home_2_1'],
    ['correct_score', 'Arsenal 2-1', 'away'],
    ['correct_score', '1-2', 'draw'],
    ['correct_score', '1-1', 'away'],
    ['winning_margin', 'Arsenal by 1', 'away'],
  ] as const)
    assert.deepEqual(read(type, [[name, side]], EPL).taken, [], `${type} ${name} ${side}`);
});

test('a type that leaves the outcome open is that of its name', () => {
  for (const [type, name, side, taken] of [
    ['double_chance', 'Draw or Arsenal', 'contract', 'home_or_draw'],
    ['double_chance', 'Arsenal or Draw', 'home', 'home_or_draw'],
    ['double_chance', 'Everton & Draw', 'contract', 'draw_or_away'],
    ['half_time_full_time', 'Arsenal/Everton', 'other', 'home_away'],
    ['half_time_full_time', 'Draw - Everton', 'other', 'draw_away'],
    ['winning_margin', 'Arsenal to win by exactly 1', 'contract', 'home_by_1'],
    ['correct_score', 'Arsenal 2:1', 'contract', '2_1'],
    ['winning_margin', 'Everton by 2+', 'contract', 'away_by_2_plus'],
    ['correct_score', 'Everton 2-1', 'score', '1_2'],
    ['correct_score', '2-1', 'home', '2_1'],
    ['correct_score', '1 - 2', 'away', '1_2'],
    // Scores that are listed by who wins have the winner's first.
    ['correct_score', '2-1', 'away', '1_2'],
    ['correct_score', '1-1', 'draw', '1_1'],
    ['correct_score', 'Everton 1-2', 'away', '1_2'],
    ['winning_margin', 'Everton by 3', 'away', 'away_by_3'],
    ['correct_score', 'Any other', 'other', 'other'],
    ['moneyline', 'X', 'x', 'draw'],
  ] as const)
    assert.deepEqual(read(type, [[name, side]], EPL).taken, [taken], `${type} ${name} ${side}`);
});

test('a name that says the same or neither side is taken: books label freely', () => {
  const takes = (type: string, sides: readonly (readonly [string, string])[], fields: object = JAZZ) => {
    const { taken, rejected } = read(type, sides, fields);
    assert.deepEqual([taken, rejected], [sides.map(([, side]) => side), []], `${type} ${JSON.stringify(sides)}`);
  };
  for (const [home, away] of [
    ['Utah Jazz', 'Orlando Magic'],
    ['Jazz', 'Magic'],
    ['UTA', 'ORL'],
    ['Home', 'Away'],
    ['Jazz +0', 'Magic -0'],
    ['1', '2'],
    ['Team A', 'Team B'],
    ['Bulls', 'Heat'],
    ['Moneyline', 'Moneyline'],
  ] as const)
    for (const type of ['moneyline', 'point_spread'])
      takes(type, [
        [home, 'home'],
        [away, 'away'],
      ]);
  takes('moneyline', [['Jazz', 'home']], { home_team: 'Jazz', away_team: 'Magic' });
  // Home and away as its book has them, whichever the stored event has.
  takes('moneyline', [['Utah Jazz', 'away']], { home_team: 'Orlando Magic', away_team: 'Utah Jazz' });
  takes(
    'total_goals',
    [
      ['Over 2.5', 'over'],
      ['Over/Under 2.5', 'under'],
      ['Total goals', 'under'],
    ],
    EPL,
  );
  takes('moneyline', [['Remis', 'draw']], EPL);
  takes(
    'double_chance',
    [
      ['Draw or Arsenal', 'home_or_draw'],
      ['1X', 'home_or_draw'],
      ['No', 'home_or_away'],
    ],
    EPL,
  );
  takes(
    'total_goals',
    [
      ['Arsenal', 'over'],
      ['Everton', 'under'],
    ],
    EPL,
  );
});
