import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { TickScheduler } from '../../src/broadcast/tick-scheduler.js';
import { mockTimeouts } from '../mocked-timeouts.js';

/** A scheduler whose ticks take this many milliseconds. */
function paceOf(t: TestContext, costMs: number) {
  mockTimeouts(t);
  const clock = new ManualClock(1_000_000);
  const pace = { ticks: 0, costMs, moreComes: false };
  const tick = (): void => {
    pace.ticks++;
    clock.set(clock.now() + pace.costMs);
  };
  const under = new TickScheduler(clock, tick, () => pace.moreComes);
  t.after(() => under.close());
  return {
    pace,
    request: () => under.request(),
    requestFirst: () => under.requestFirst(),
    close: () => under.close(),
    pass: (ms: number) => {
      clock.set(clock.now() + ms);
      t.mock.timers.tick(ms);
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('changes are sent in the turn in which they arrive, all at once, also right after a costly tick', async (t) => {
  const { pace, request } = paceOf(t, 8);
  for (let round = 1; round <= 3; round++) {
    for (let i = 0; i < 5; i++) request();
    assert.equal(pace.ticks, round - 1, 'not within the call');
    await turn();
    assert.equal(pace.ticks, round);
  }
});

test('while more changes arrive, they wait as long as the last tick took, and are sent with the next ones', async (t) => {
  const { pace, request, pass } = paceOf(t, 8);
  request();
  await turn();
  pace.moreComes = true;
  request();
  await turn();
  pass(3);
  request();
  await turn();
  assert.equal(pace.ticks, 1, 'still waiting');
  pace.moreComes = false;
  request();
  await turn();
  assert.equal(pace.ticks, 2, 'nothing more comes: all of it at once');
  pass(100);
  await turn();
  assert.equal(pace.ticks, 2, 'the wait is over with it');
  pace.moreComes = true;
  request();
  await turn();
  pass(7);
  assert.equal(pace.ticks, 2);
  pass(1);
  assert.equal(pace.ticks, 3, 'what was to come did not');
  request();
  await turn();
  request();
  pass(8);
  pace.moreComes = false;
  await turn();
  assert.equal(pace.ticks, 4, 'all of it was sent, so there is nothing left to look for');
});

test('the wait is at most 10 ms from the oldest change, and none if a tick costs nothing', async (t) => {
  const { pace, request, pass } = paceOf(t, 300);
  request();
  await turn();
  pace.moreComes = true;
  for (let ms = 0; ms < 10; ms++) {
    request();
    await turn();
    assert.equal(pace.ticks, 1, `${ms} ms`);
    pass(1);
  }
  assert.equal(pace.ticks, 2, 'though news came every millisecond');
  pace.costMs = 0.4;
  pass(300);
  request();
  await turn();
  pass(10);
  assert.equal(pace.ticks, 3);
  request();
  await turn();
  assert.equal(pace.ticks, 4, 'cheap as it is by now, it does not wait');
});

test('a cheap tick is at least its own length after the previous one, and one long pause does not count as its cost', async (t) => {
  const { pace, request, pass } = paceOf(t, 3);
  request();
  await turn();
  pace.moreComes = true;
  request();
  await turn();
  pass(2);
  assert.equal(pace.ticks, 1, 'right behind the other');
  pass(1);
  assert.equal(pace.ticks, 2);
  pass(3);
  request();
  await turn();
  assert.equal(pace.ticks, 3, 'far enough from it');
  pace.costMs = 60;
  pass(3);
  request();
  await turn();
  pace.costMs = 3;
  pass(3);
  request();
  await turn();
  assert.equal(pace.ticks, 5, 'as if it had taken as long as those before');
});

test('after its end nothing ticks, waiting or not', async (t) => {
  const { pace, request, pass, close } = paceOf(t, 8);
  request();
  await turn();
  pace.moreComes = true;
  request();
  await turn();
  close();
  pass(50);
  pace.moreComes = false;
  request();
  await turn();
  assert.equal(pace.ticks, 1);
});

test('changes of a batch with nothing queued behind it are sent before its POST is answered, if a tick is cheap', async (t) => {
  const { pace, requestFirst, pass } = paceOf(t, 0.2);
  const order: string[] = [];
  const batch = async (): Promise<void> => {
    const before = pace.ticks;
    requestFirst();
    requestFirst();
    await Promise.resolve();
    order.push(pace.ticks > before ? 'sent' : 'answered');
    await turn();
    assert.equal(pace.ticks, before + 1, 'once');
    pass(20);
  };
  await batch();
  pace.moreComes = true;
  await batch();
  pace.moreComes = false;
  pace.costMs = 2;
  await batch();
  await batch();
  // A cost counts once two ticks had it.
  await batch();
  assert.deepEqual(order, ['sent', 'answered', 'sent', 'sent', 'answered']);
});
