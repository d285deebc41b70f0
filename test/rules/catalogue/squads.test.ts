import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { NearestNames } from '../../../src/rules/catalogue/nearest-names.js';
import { marksOf } from '../../../src/rules/catalogue/squads.js';

const catalogue = loadCatalogue();
const tokens = (league: string, names: readonly string[]): string[] => [
  ...new Set(names.map((name) => catalogue.resolveTeam(league, name).token)),
];

test('marks of women, youth and reserves mean one team whatever their spelling, and never the first one', () => {
  const women = [
    'Chelsea Women',
    'Chelsea (W)',
    'Chelsea W',
    'Chelsea FC Women',
    'Chelsea Ladies',
    'Chelsea Feminino',
    'chelsea-women',
  ];
  assert.deepEqual(tokens('epl', women), ['chelsea-women']);
  assert.deepEqual(tokens('epl', ['Chelsea U21', 'Chelsea U-21', 'Chelsea Under 21', 'Chelsea (U21)', 'chelsea-u21']), [
    'chelsea-u21',
  ]);
  assert.deepEqual(tokens('epl', ['Chelsea U19', 'Chelsea U-19']), ['chelsea-u19']);
  assert.deepEqual(
    tokens('epl', ['Chelsea II', 'Chelsea B', 'Chelsea Reserves', 'Chelsea (Res)', 'chelsea-reserves']),
    ['chelsea-reserves'],
  );
  assert.deepEqual(catalogue.resolveTeam('epl', 'Chelsea (W)'), {
    token: 'chelsea-women',
    name: 'Chelsea Women',
    known: false,
  });
});

test('a mark that is a part of a name is left alone: of teams that are listed, unknown ones, and persons', () => {
  assert.deepEqual(tokens('eredivisie', ['Willem II']), ['willem-ii']);
  assert.deepEqual(tokens('betfair-1', ['Team B']), ['team-b']);
  assert.deepEqual(tokens('wta', ['Serena W']), ['serena-w']);
  assert.deepEqual(tokens('street-league', ['North Women', 'North (W)']), ['north-women']);
});

test('two marks mean one team in either order, plurals and Sub-20 included', () => {
  const both = [
    'Chelsea U21 Women',
    'Chelsea Women U21',
    'Chelsea U21 W',
    'Chelsea Under 21 Women',
    'Chelsea U21s Women',
    'Chelsea W U-21',
    'Chelsea (W) (U21)',
    'chelsea-u21-women',
  ];
  assert.deepEqual(tokens('epl', both), ['chelsea-u21-women']);
  assert.equal(catalogue.resolveTeam('epl', 'Chelsea Women U21s').name, 'Chelsea U21 Women');
  assert.deepEqual(
    tokens('epl', ['Fulham U21', 'Fulham U21s', 'Fulham Under 21s', 'Fulham Under-21', 'Fulham Sub-21']),
    ['fulham-u21'],
  );
  assert.deepEqual(tokens('epl', ['Chelsea W.', 'Chelsea FCW', 'Chelsea (Wom)', 'Chelsea Fem.']), ['chelsea-women']);
  assert.deepEqual(tokens('epl', ['Chelsea B Women', 'Chelsea Women II']), ['chelsea-women-reserves']);
  assert.deepEqual(tokens('eredivisie', ['Willem II Women', 'Willem II (W)']), ['willem-ii-women']);
  // Whatever a league's list lacks.
  assert.deepEqual(tokens('street-league', ['North U21 W', 'North Women U21s', 'North U21 (W)']), ['north-u21-women']);
  assert.deepEqual(tokens('street-league', ['North B', 'North B Women']), ['north-b', 'north-b-women']);
});

test('no team of a club is a misspelled name of another one', () => {
  const nearest = new NearestNames(catalogue);
  const squads = 'W.|B.|Fem.|FCW|LFC|(Wom)|2|II|U21s|Jrs|(J)|(Y)|Legends|U-20 (W)|Sub-20|Reserves|Youth|(Res)'.split(
    '|',
  );
  for (const squad of squads) {
    assert.deepEqual(nearest.teams('epl', `Chelsea ${squad}`), [], squad);
    assert.notEqual(marksOf(`Chelsea ${squad}`), '', squad);
  }
  assert.deepEqual(nearest.teams('epl', 'Chelsae'), ['Chelsea']);
  assert.deepEqual(nearest.teams('eredivisie', 'Wilem II'), ['Willem II']);
  for (const league of catalogue.leagues)
    for (const { name } of catalogue.teams(league.id))
      assert.equal(catalogue.resolveTeam(league.id, name).known, true, `${league.id} ${name}`);
});

test('a mark tells a team from the first one wherever it stands in the name', () => {
  const marks: readonly (readonly [mark: string, names: readonly string[]])[] = [
    ['women', ['Chelsea (F)', 'Chelsea Women FC', 'Chelsea Ladies FC', 'Women Chelsea', 'Chelsea Femminile']],
    ['reserves', ['Chelsea (R)', 'Chelsea Reserves FC']],
    ['u21', ['U21 Chelsea', 'Under-21 Chelsea', 'Chelsea U 21 FC', 'Chelsea U21s FC']],
    ['u21-women', ['U21 Chelsea (F)', 'Women Chelsea U21']],
    ['', ['Chelsea', 'Chelsea FC', 'Sub City', 'Notre Dame', 'Under Armour 2010']],
  ];
  for (const [mark, names] of marks) for (const name of names) assert.equal(marksOf(name), mark, name);
});
