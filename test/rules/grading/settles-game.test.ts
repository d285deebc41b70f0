// What a venue has paid of a count says that the game is over only where nothing that may still be counted could decide it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { settlesGame } from '../../../src/rules/grading/settles-game.js';

test('a number that was passed decides an over, an under and an exact one before the end', () => {
  const total = loadCatalogue().types.usual('total_goals');
  const saysSo = (selection: string, outcome: 'won' | 'lost') => settlesGame(total, { selection }, outcome);
  const passed = [saysSo('over', 'won'), saysSo('under', 'lost'), saysSo('exactly', 'lost'), saysSo('exact', 'lost')];
  assert.deepEqual(passed, [false, false, false, false]);
  const kept = [saysSo('over', 'lost'), saysSo('under', 'won'), saysSo('exactly', 'won'), saysSo('exact', 'won')];
  assert.deepEqual(kept, [true, true, true, true]);
});
