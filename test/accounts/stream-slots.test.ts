import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyRecord } from '../../src/accounts/key-record.js';
import { StreamSlots } from '../../src/accounts/stream-slots.js';
import { ManualClock } from '../../src/base/model/clock.js';

function keyOf(account: string, maxStreams: number, id = account): KeyRecord {
  return { id, account, tier: 'pro', streaming: true, maxStreams, hash: id, features: [] } as unknown as KeyRecord;
}

test('stream slots are bounded per account, over all its keys, and a slot is freed once', () => {
  const slots = new StreamSlots(new ManualClock(0));
  const [one, other] = [keyOf('a', 2, 'key_1'), keyOf('a', 2, 'key_2')];
  const first = slots.acquire(one);
  slots.acquire(other);
  assert.throws(() => slots.acquire(one), { code: 'stream_limit_exceeded' });
  slots.acquire(keyOf('b', 2));
  first.release();
  first.release();
  assert.equal(slots.active('a'), 1);
  slots.acquire(one);
  assert.throws(() => slots.acquire(other), { code: 'stream_limit_exceeded' });
});

test("viewer tokens hold at most three quarters of their account's streams", () => {
  const slots = new StreamSlots(new ManualClock(0));
  const key = keyOf('a', 3);
  const viewer = { ...key, viewer: { expiresAt: 1e15, channels: null, filters: {}, origin: null } };
  const open = [slots.acquire(viewer), slots.acquire(viewer)];
  assert.throws(() => slots.acquire(viewer), /viewer tokens may hold 2 streams/);
  slots.acquire(key);
  assert.throws(() => slots.acquire(key), /this account may hold 3 streams/);
  open[0]!.release();
  assert.equal(slots.active('a'), 2);
  slots.acquire(viewer);
});

test('an account may open four times its slots per minute, at least 60, and refused openings do not count', () => {
  const clock = new ManualClock(0);
  const slots = new StreamSlots(clock);
  const open = (key: KeyRecord, times: number) => {
    for (let i = 0; i < times; i++) slots.acquire(key).release();
  };
  open(keyOf('small', 1), 60);
  assert.throws(() => slots.acquire(keyOf('small', 1)), { code: 'rate_limited' });
  const large = keyOf('large', 5_000);
  const acquired = Array.from({ length: 5_000 }, () => slots.acquire(large));
  for (let i = 0; i < 30_000; i++) assert.throws(() => slots.acquire(large), { code: 'stream_limit_exceeded' });
  for (const slot of acquired) slot.release();
  open(large, 15_000);
  assert.throws(() => slots.acquire(large), { code: 'rate_limited' });
  assert.equal(slots.active('large'), 0, 'a refused opening holds no slot');
  clock.set(60_000);
  open(large, 20_000);
});

test('a stream is notified once that its key has ended, and not after it was closed', () => {
  const slots = new StreamSlots(new ManualClock(0));
  const endedNames: string[] = [];
  const open = (name: string, key: KeyRecord) => {
    const slot = slots.acquire(key);
    slot.onKeyEnd(() => endedNames.push(name));
    return slot;
  };
  open('first', keyOf('a', 5));
  open('closed', keyOf('a', 5)).release();
  open('other', keyOf('b', 5));
  for (let i = 0; i < 2; i++) slots.endWhere(({ account }) => account === 'a');
  assert.deepEqual(endedNames, ['first']);
});
