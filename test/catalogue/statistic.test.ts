import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../src/catalogue/load.js';
import { statisticOf } from '../../src/catalogue/statistic.js';

test('every player type of the catalogue names its statistic, and so do unknown ones that are named like them', () => {
  for (const { id } of loadCatalogue().marketTypes)
    assert.equal(statisticOf(id, 'Points'), id.startsWith('player_') ? null : 'points', id);
  assert.equal(statisticOf('player_fantasy_score', 'points'), null);
});

test('under a type without a statistic the statistic distinguishes bets, in upper or lower case', () => {
  for (const type of ['player_prop', 'player_props', 'player_over_under', 'player_total_h1', 'team_specials'])
    assert.equal(statisticOf(type, 'Shots On Goal'), 'shots on goal', type);
  assert.equal(statisticOf('player_prop', null), null);
});
