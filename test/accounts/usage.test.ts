import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageCounters } from '../../src/accounts/usage.js';
import { ManualClock } from '../../src/base/model/clock.js';
import { soleControl } from '../../src/log/control/control.js';
import { LmdbControlStore } from '../../src/store/control-store.js';
import { newFolder } from '../temp-folders.js';

function opened(path: string, clock: ManualClock) {
  const store = new LmdbControlStore(path);
  const usage = new UsageCounters(soleControl(store, clock), clock, assert.ifError);
  return {
    usage,
    close: async () => {
      await usage.close();
      await store.close();
    },
  };
}

function count(usage: UsageCounters, times: number): void {
  for (let i = 0; i < times; i++) usage.count('key_a');
}

function setting(start: string) {
  return { path: join(newFolder(), 'control'), clock: new ManualClock(Date.parse(start)) };
}

test('usage survives a restart', async () => {
  const { path, clock } = setting('2026-11-18T12:00:00Z');
  const first = opened(path, clock);
  count(first.usage, 3);
  await first.close();
  const second = opened(path, clock);
  count(second.usage, 1);
  assert.deepEqual(second.usage.read('key_a'), { today: 4, thisWeek: 4, thisMonth: 4 });
  assert.deepEqual(second.usage.read('key_b'), { today: 0, thisWeek: 0, thisMonth: 0 });
  await second.close();
});

test('in lockstep nothing is stored until the end, however long it takes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { path, clock } = setting('2026-11-18T12:00:00Z');
  const store = new LmdbControlStore(path);
  const control = soleControl(store, clock);
  const [stepped, running] = [true, false].map(
    (lockstep) => new UsageCounters(control, clock, assert.ifError, lockstep),
  );
  count(stepped!, 3);
  t.mock.timers.tick(60_000);
  assert.equal(store.position, 0, 'a position would shift those of bets');
  await stepped!.close();
  assert.ok(store.position > 0);
  const before = store.position;
  count(running!, 1);
  t.mock.timers.tick(60_000);
  await running!.flush();
  assert.ok(store.position > before, 'elsewhere it is stored in time');
  await running!.close();
  await store.close();
});

test('days, weeks from Monday and months roll over in UTC', async () => {
  // A Saturday.
  const { path, clock } = setting('2026-11-28T23:59:59.999Z');
  const { usage, close } = opened(path, clock);
  count(usage, 1);
  clock.set(Date.parse('2026-11-29T00:00:00Z'));
  count(usage, 1);
  assert.deepEqual(usage.read('key_a'), { today: 1, thisWeek: 2, thisMonth: 2 });
  clock.set(Date.parse('2026-11-30T00:00:00Z'));
  count(usage, 1);
  assert.deepEqual(usage.read('key_a'), { today: 1, thisWeek: 1, thisMonth: 3 });
  clock.set(Date.parse('2026-12-01T00:00:00Z'));
  assert.deepEqual(usage.read('key_a'), { today: 0, thisWeek: 1, thisMonth: 0 });
  assert.deepEqual(usage.period(), { startMs: Date.UTC(2026, 11), endMs: Date.UTC(2027, 0) });
  await close();
});

test('usage stored for an earlier day does not count today', async () => {
  const { path, clock } = setting('2026-11-18T12:00:00Z');
  const first = opened(path, clock);
  count(first.usage, 3);
  await first.close();
  clock.set(Date.parse('2027-01-05T12:00:00Z'));
  const second = opened(path, clock);
  assert.deepEqual(second.usage.read('key_a'), { today: 0, thisWeek: 0, thisMonth: 0 });
  await second.close();
});
