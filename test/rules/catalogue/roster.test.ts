// Who plays, and when, tells which game is meant; what tells less, or too much, joins nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type RosterGame, rosterMatch } from '../../../src/rules/catalogue/roster.js';

const catalogue = loadCatalogue();
const START = Date.parse('2026-11-21T15:00:00Z');
const game = (home: string, away: string, minutes = 0): RosterGame => ({
  home,
  away,
  startMs: START + minutes * 60_000,
});

function match(seen: RosterGame, ...stored: RosterGame[]) {
  const tokens = ({ home, away }: RosterGame) => [home, away].map((name) => catalogue.resolveTeam('epl', name).token);
  return rosterMatch(catalogue, 'epl', seen, (token) => stored.filter((each) => tokens(each).includes(token)));
}

test('a new spelling whose other side is known and whose start agrees is that game', () => {
  const stored = game('Arsenal', 'Chelsea');
  assert.deepEqual(match(game('Arsenal', 'Chlsea Blues', 5), stored, game('Everton', 'Fulham')), {
    game: stored,
    swapped: false,
    joined: { league: 'epl', name: 'Chlsea Blues', meant: 'Chelsea' },
  });
  assert.equal(match(game('Chlsea Blues', 'Arsenal'), stored)?.swapped, true);
  const odd = game('Arsenal', 'Chlsea Blues');
  assert.deepEqual(match(stored, odd)?.joined, { league: 'epl', name: 'Chlsea Blues', meant: 'Chelsea' });
});

test('two teams that are known, another start, two games that fit, and sides that are both new join nothing', () => {
  const stored = game('Arsenal', 'Chelsea');
  assert.equal(match(game('Arsenal', 'Everton'), stored), undefined);
  assert.equal(match(game('Arsenal', 'Chlsea Blues', 45), stored), undefined);
  assert.equal(match(game('Arsenal', 'Chlsea Blues', 24 * 60), stored), undefined);
  assert.equal(match(game('Arsenal', 'Chlsea Blues'), stored, game('Arsenal', 'Everton')), undefined);
  assert.equal(match(game('Arsnal Guns', 'Chlsea Blues'), stored), undefined);
});

test('women, youth and reserves are never joined to another team of the club', () => {
  const stored = game('Arsenal', 'Chelsea');
  for (const mark of ['Women', '(W)', 'U21', 'Under 19', 'II', 'Reserves', '(SL)'])
    assert.equal(match(game('Arsenal', `Chlsea Blues ${mark}`), stored), undefined, mark);
  assert.equal(match(game('Arsenal Women', 'Chlsea Women'), stored), undefined);
  assert.equal(match(game('Arsenal Women', 'Chlsea Women'), game('Arsenal Women', 'Chelsea Women')), undefined);
});
