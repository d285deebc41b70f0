// What a turn of the event loop leaves for later ones, and in which order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicMs } from '../../../src/base/model/clock.js';
import { TurnWork } from '../../../src/front/http/turn-work.js';

/** A turn that has been too long already. */
function longTurn(): TurnWork {
  const turn = new TurnWork();
  while (turn.isFree)
    turn.run(() => {
      const untilMs = monotonicMs() + 5;
      while (monotonicMs() < untilMs);
    });
  return turn;
}

test('whoever sends much goes after its own: what others send meanwhile does not wait for all of it', async () => {
  const turn = longTurn();
  const done: string[] = [];
  const [flood, other] = [{}, {}];
  for (let i = 0; i < 1_000; i++) turn.run(() => done.push(`flood ${i}`), flood);
  turn.run(() => done.push('request'));
  for (let i = 0; i < 3; i++) turn.run(() => done.push(`other ${i}`), other);
  await new Promise<void>((resolve) => turn.run(() => resolve(), flood));
  assert.deepEqual(done.slice(0, 8), [
    'flood 0',
    'request',
    'other 0',
    'flood 1',
    'other 1',
    'flood 2',
    'other 2',
    'flood 3',
  ]);
  const ofFlood = done.filter((name) => name.startsWith('flood'));
  assert.deepEqual(
    ofFlood,
    Array.from({ length: 1_000 }, (_, i) => `flood ${i}`),
    'each in its order',
  );
});

test('what comes while something waits does not overtake what waits of the same sender', async () => {
  const turn = longTurn();
  const done: number[] = [];
  const sender = {};
  turn.run(() => {
    done.push(1);
    turn.run(() => done.push(3), sender);
  }, sender);
  turn.run(() => done.push(2), sender);
  await new Promise<void>((resolve) => turn.run(() => turn.run(resolve, sender), sender));
  assert.deepEqual(done, [1, 2, 3]);
});
