import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fixtures, playedLeagues, type When } from '../../../../src/intake/feeds/sim/fixtures.js';
import { boardSize, leagueModel, planBoard } from '../../../../src/intake/feeds/sim/league-model.js';
import { gameProps, inventedName, NAME_COUNT, roster } from '../../../../src/intake/feeds/sim/props.js';
import { EVENING_MS, SMALL_CATALOGUE } from './small-catalogue.js';

const HOUR_MS = 3_600_000;

test('leagues are played by their teams, tennis and fights by invented players, other sports not at all', () => {
  const leagues = new Map(playedLeagues(SMALL_CATALOGUE).map((league) => [league.id, league]));
  assert.deepEqual([...leagues.keys()].sort(), ['atp', 'epl', 'mlb', 'nba', 'nfl', 'nhl', 'ufc']);
  assert.equal(leagues.get('nba')!.hasTeams, true);
  assert.equal(leagues.get('atp')!.hasTeams, false);
  const names = leagues.get('atp')!.sides.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('no team plays twice before it has rested, and never against itself', () => {
  const fixtures = new Fixtures(5, SMALL_CATALOGUE, 30);
  const games = new Map<string, number[]>();
  for (let i = 0; i < 90; i++) {
    const event = fixtures.open(i < 10 ? 'live' : i < 20 ? 'soon' : 'later', EVENING_MS);
    if (event === null) continue;
    assert.notEqual(event.home.id, event.away.id);
    for (const { id } of [event.home, event.away]) {
      const key = `${event.league}/${id}`;
      for (const otherMs of games.get(key) ?? []) assert.ok(Math.abs(otherMs - event.startMs) >= 19 * HOUR_MS, key);
      games.set(key, [...(games.get(key) ?? []), event.startMs]);
    }
  }
  assert.ok(games.size > 100);
});

test('live games are on, soon ones begin within the hour, later ones within the week', () => {
  const fixtures = new Fixtures(9, SMALL_CATALOGUE, 12);
  const startsIn = (when: When): number[] =>
    Array.from({ length: 12 }, () => fixtures.open(when, EVENING_MS)!).map((event) => {
      assert.equal(event.phase, when === 'live' ? 'live' : 'upcoming');
      return (event.startMs - EVENING_MS) / HOUR_MS;
    });
  for (const hours of startsIn('live')) assert.ok(hours <= 0 && hours > -4);
  for (const hours of startsIn('soon')) assert.ok(hours > 0 && hours <= 1);
  const later = startsIn('later');
  for (const hours of later) assert.ok(hours >= 1 && hours <= 7 * 24);
  assert.ok(later.some((hours) => hours < 26) && later.some((hours) => hours > 30));
});

test('a league too small for the request returns null instead of trying for ever', () => {
  const fixtures = new Fixtures(
    1,
    { ...SMALL_CATALOGUE, leagues: SMALL_CATALOGUE.leagues.filter(({ id }) => id === 'nfl') },
    12,
  );
  let opened = 0;
  while (opened < 1_000 && fixtures.open('soon', EVENING_MS) !== null) opened++;
  assert.ok(opened > 0 && opened <= 8);
});

test('boards grow with the rate: main markets first, then team totals, alternates and props', () => {
  const model = leagueModel('nba', 'basketball', true)!;
  const all = gameProps(model.props, roster(1, 0), roster(1, 1), 3);
  const kinds = (size: number) => planBoard(model, all, size).map(({ kind }) => kind);
  assert.deepEqual(kinds(boardSize(10, 28, 400)), ['moneyline', 'spread', 'total']);
  const large = planBoard(model, all, boardSize(50_000, 28, 120));
  assert.ok(large.filter(({ kind }) => kind === 'prop').length >= 10);
  assert.ok(large.find(({ kind }) => kind === 'spread')!.alternates >= 2);
  const props = large.flatMap(({ prop }) => (prop === null ? [] : [`${prop.player} ${prop.kind.market}`]));
  assert.equal(new Set(props).size, props.length);
});

test('invented names do not repeat within a league', () => {
  const names = new Set(Array.from({ length: NAME_COUNT }, (_, n) => inventedName(12_345, n)));
  assert.equal(names.size, NAME_COUNT);
});
