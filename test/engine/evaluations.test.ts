// Questions of callers are evaluated in slices between batches.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { ApiError } from '../../src/base/model/errors.js';
import { LIMITS } from '../../src/base/model/limits.js';
import type { EvaluationQuestion } from '../../src/detection/question.js';
import { world } from '../detection/one-game.js';
import { openEngine } from '../engine-rig.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const WIDE = { kind: 'ev', books: null, minEv: -100, method: 'shin' } as const satisfies EvaluationQuestion;

const poll = (book: string, home: number, away: number, games = 1, first = 0) =>
  message(
    Array.from({ length: games }, (_, i) =>
      event([moneyline(home, away)], { home_team: `Home ${first + i}`, away_team: `Away ${first + i}`, league: 'nba' }),
    ),
    { book, polled_at: new Date(NOW_MS).toISOString() },
  );

test('a shard evaluates one market after another, over the prices of the last batch before each', () => {
  const shard = world();
  shard.apply([poll('pinnacle', -110, -110, 40), poll('draftkings', -105, -115, 40)], NOW_MS);
  const whole = shard.evaluate(WIDE);
  assert.equal(whole.length, 80);
  const evaluation = shard.shard.evaluation(WIDE);
  const looked: number[] = [];
  while (!evaluation.run(0)) {
    looked.push(evaluation.prices);
    if (looked.length === 20) shard.apply([poll('draftkings', 105, -125, 1, 39)], NOW_MS + 1);
  }
  const least = Math.max(...looked.map((prices, i) => prices - (looked[i - 1] ?? 0)));
  assert.ok(least <= 6 && looked.length === 40, `at once ${least} prices, ${looked.length} slices`);
  const sliced = evaluation.take(1_000);
  assert.deepEqual(
    sliced.map(({ id }) => id),
    shard.evaluate(WIDE).map(({ id }) => id),
    'the changed game was evaluated last',
  );
  assert.notDeepEqual(sliced, whole);
  // What was read of a store that failed is not continued with.
  const again = shard.shard.evaluation(WIDE);
  for (let i = 0; i < 10; i++) again.run(0);
  shard.shard.reload();
  shard.apply([poll('pinnacle', -110, -110, 3), poll('draftkings', -105, -115, 3)], NOW_MS + 2);
  while (!again.run(0));
  assert.deepEqual(again.take(1_000), shard.evaluate(WIDE));
});

test('of more answers than are returned the best are, whatever their order', () => {
  const shard = world();
  const odds = (i: number) => -105 - ((i * 7_919) % 900);
  for (let from = 0; from < 5_400; from += 200)
    shard.apply(
      ['pinnacle', 'draftkings'].map((book) =>
        message(
          Array.from({ length: 200 }, (_, i) =>
            event([book === 'pinnacle' ? moneyline(-110, -110) : moneyline(odds(from + i), -110)], {
              home_team: `Home ${from + i}`,
              away_team: `Away ${from + i}`,
              league: 'nba',
            }),
          ),
          { book },
        ),
      ),
      NOW_MS,
    );
  const answers = shard.evaluate(WIDE);
  assert.equal(answers.length, LIMITS.queriedOpportunities.max);
  assert.deepEqual(
    answers.map(({ edge }) => edge),
    answers.map(({ edge }) => edge).sort((a, b) => b - a),
  );
  const worst = answers.at(-1)!.edge;
  const better = shard.evaluate({ ...WIDE, minEv: worst + 1e-6 });
  assert.ok(better.length < answers.length);
  assert.deepEqual(
    answers.slice(0, better.length).map(({ id }) => id),
    better.map(({ id }) => id),
  );
});

test('a batch that arrives during an evaluation is committed before it ends', async (t) => {
  const engine = openEngine(t, { clock: new ManualClock(NOW_MS), workers: 1 });
  // More answers than are read at once, so that there are two slices however fast the machine is.
  const games = LIMITS.evaluationPiece.max;
  await engine.ingest([poll('pinnacle', -110, -110, games), poll('draftkings', -105, -115, games)]);
  const evaluated = engine.evaluate(WIDE, { account: 'acc', viewer: false });
  // The first slice is under way.
  await new Promise((resolve) => setImmediate(resolve));
  const { position } = await engine.ingest([poll('draftkings', 105, -125)]);
  const { from, to, opportunities, prices } = await evaluated;
  assert.ok(from < position && to >= position, `${from} ${position} ${to}`);
  assert.equal(opportunities.length, 2 * games);
  assert.ok(prices >= 2 * games, String(prices));
  const failing = engine.evaluate(WIDE, { account: 'acc', viewer: false });
  await engine.shards!.kill(0);
  await assert.rejects(failing, (error) => error instanceof ApiError && error.code === 'unavailable');
  await engine.ingest([poll('draftkings', 106, -125)]);
  assert.equal((await engine.evaluate(WIDE, { account: 'acc', viewer: false })).opportunities.length, 2 * games);
});
