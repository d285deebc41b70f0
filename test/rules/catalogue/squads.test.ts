import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';

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
