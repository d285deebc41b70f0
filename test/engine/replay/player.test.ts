import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Instant } from '../../../src/engine/replay/instants.js';
import { RecordingPlayer } from '../../../src/engine/replay/player.js';
import { RecordedClock } from '../../../src/engine/replay/recorded-clock.js';
import type { IngestMessage } from '../../../src/intake/ingest/message.js';
import { RecordedTimes } from '../../../src/writer/pool/recorded-run.js';
import { at, BEGIN_MS, wandering } from './recordings.js';
import { replayed } from './rig.js';

/** Plays `count` instants, one each `everyMs`, in time that passes by waiting and ingesting alone. */
function played({
  count = 500,
  everyMs = 20,
  speed = 1,
  paused = false,
  ingestMs = 3,
  oversleptMs = 1,
  onBegun = (_count: number) => {},
}) {
  let elapsedMs = 0;
  const clock = new RecordedClock(BEGIN_MS, () => elapsedMs);
  const shown: number[] = [];
  const begun: number[] = [];
  async function* instants(): AsyncGenerator<Instant, void> {
    for (let i = 0; i < count; i++)
      yield { atMs: BEGIN_MS + i * everyMs, messages: [{} as IngestMessage], results: false };
  }
  const player = new RecordingPlayer({
    clock,
    times: new RecordedTimes(BEGIN_MS),
    instants: instants(),
    speed,
    lockstep: false,
    paused,
    fromMs: Number.NEGATIVE_INFINITY,
    wait: async (ms) => {
      elapsedMs += Math.max(0, ms) + oversleptMs;
      await new Promise(setImmediate);
    },
    onSeeking: () => undefined,
    target: {
      ingest: async () => {
        begun.push(clock.now());
        onBegun(begun.length);
        elapsedMs += ingestMs;
        await new Promise(setImmediate);
        shown.push(clock.now());
      },
      passTime: async () => undefined,
      playAhead: async () => undefined,
      shown: async () => undefined,
      nextDeadlineMs: Number.POSITIVE_INFINITY,
      written: async () => undefined,
      beat: () => undefined,
    },
  });
  return { player, clock, shown, begun, elapsed: () => elapsedMs };
}

const fail = (error: unknown) => assert.fail(String(error));

for (const speed of [1, 4])
  test(`at ${speed} x a recording takes its time over ${speed}, whatever its messages and timers take`, async () => {
    const { player, elapsed, shown } = played({ speed });
    await player.start(fail);
    await player.finished;
    assert.equal(shown.length, 500);
    const expectedMs = (499 * 20) / speed;
    assert.ok(Math.abs(elapsed() - expectedMs) < 10, `${elapsed()} ms instead of ${expectedMs}`);
  });

test('what was missed while time stood, or ran at another speed, is not made up for', async () => {
  const { player, clock, elapsed } = played({ count: 100 });
  await player.start(fail);
  await player.pause();
  const atMs = clock.now();
  const beganMs = elapsed();
  await player.step({ messages: 20 });
  await player.setSpeed(2);
  player.resume();
  await player.finished;
  const expectedMs = (BEGIN_MS + 99 * 20 - Math.max(atMs, BEGIN_MS)) / 2;
  assert.ok(elapsed() - beganMs <= expectedMs + 10, `${elapsed() - beganMs} ms of ${expectedMs}`);
  assert.ok(elapsed() - beganMs >= expectedMs - 21 * 20, 'no faster than the speed');
});

test('a pause is answered once the instant under way is shown, and none follows it', async () => {
  let paused: Promise<void> | undefined;
  const { player, begun, shown } = played({
    onBegun: (count) => {
      if (count === 50) paused = player.pause();
    },
  });
  await player.start(fail);
  while (paused === undefined) await new Promise(setImmediate);
  assert.equal(shown.length, 49);
  await paused;
  const count = shown.length;
  assert.equal(count, 50);
  assert.equal(player.status.state, 'paused');
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
  assert.equal(begun.length, count);
  await player.stop();
});

test('a pause that is taken back at once is answered', async () => {
  const { player } = played({});
  await player.start(fail);
  const paused = player.pause();
  player.resume();
  await paused;
  await player.finished;
  assert.equal(player.status.state, 'ended');
});

test('a recording served from its first instant, or sought there, shows its first message', async (t) => {
  const { get } = await replayed(t, { replay: wandering(7, 100), speed: '0.001', from: at(0) });
  assert.ok((await get('/odds'))['data'].length > 0);
});
