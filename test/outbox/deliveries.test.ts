import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NEW_DELIVERY } from '../../src/model/alert.js';
import { ManualClock } from '../../src/model/clock.js';
import { ContinuedElsewhere, Deliveries, type DeliveriesOptions } from '../../src/outbox/deliveries.js';
import { GIVE_UP_MS, RETRY_MS, waitMs } from '../../src/outbox/retry.js';
import type { Outcome } from '../../src/outbox/sender.js';
import { AlertStore } from '../../src/store/alert-store.js';
import { ruleFor } from './rules.js';

function rig(
  t: TestContext,
  answer: (rule: string, seq: number) => Outcome | Promise<Outcome>,
  options: Partial<DeliveriesOptions> = {},
) {
  const path = mkdtempSync(join(tmpdir(), 'overround-deliveries-'));
  const store = new AlertStore(path);
  const clock = new ManualClock(1_000_000);
  const sent: string[] = [];
  const off: string[] = [];
  const deliveries = new Deliveries({
    store,
    sender: {
      send: async ({ id }, { seq }) => {
        sent.push(`${id} ${seq}`);
        return await answer(id, seq);
      },
      close: async () => undefined,
    },
    clock,
    schedule: { waitsMs: [1], giveUpMs: 100 },
    onQueue: () => undefined,
    onOff: (rule, reason) => off.push(`${rule.id} ${reason}`),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  t.after(async () => {
    await deliveries.close();
    await store.close();
    rmSync(path, { recursive: true, force: true });
  });
  const put = (id: string, count: number) =>
    deliveries.put(id, {
      position: 1,
      begun: [],
      ended: [],
      bodies: Array.from({ length: count }, () => Buffer.from('{}')),
    });
  const until = async (test: () => boolean) => {
    const deadline = Date.now() + 8_000;
    while (!test()) {
      assert.ok(Date.now() < deadline, JSON.stringify({ sent, off }));
      clock.set(clock.now() + 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { store, deliveries, clock, sent, off, put, until };
}

test('the first retry is within a minute, later ones are later, and a target may require longer waits', () => {
  const schedule = { waitsMs: RETRY_MS, giveUpMs: GIVE_UP_MS };
  assert.ok(waitMs(schedule, 1, 0) <= 60_000);
  const waits = Array.from({ length: 30 }, (_, i) => waitMs(schedule, i + 1, 0));
  assert.ok(waits.every((wait, i) => i === 0 || wait >= waits[i - 1]!));
  assert.equal(waitMs(schedule, 1, 90_000), 90_000);
  assert.equal(waitMs(schedule, 1, 86_400_000), 3_600_000);
  assert.equal(GIVE_UP_MS, 24 * 3_600_000);
});

test('a target that accepts nothing for the whole time is off: waiting messages are dropped, no more are sent, and the state shows it', async (t) => {
  const { store, put, off, until, sent } = rig(t, () => ({ kind: 'failed', reason: '500 no', waitMs: 0 }));
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  await put('al_a', 3);
  await until(() => off.length > 0);
  assert.deepEqual(off, ['al_a 500 no']);
  assert.equal(store.queueLength('al_a'), 0);
  assert.equal(store.delivery('al_a')!.state, 'off');
  assert.ok(
    sent.every((one) => one === 'al_a 1'),
    'none overtakes the first',
  );
  const before = sent.length;
  await put('al_a', 2);
  assert.deepEqual([store.queueLength('al_a'), sent.length], [0, before]);
});

test('a retry is on time although the clock was set back by minutes', async (t) => {
  const { store, clock, put, until, sent } = rig(t, () => ({ kind: 'taken' }));
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  const failing = { ...NEW_DELIVERY, state: 'failing' as const, attempts: 1 };
  await store.putDelivery('al_a', { ...failing, nextAttemptMs: clock.now() + 240_000, waitMs: 20 });
  await put('al_a', 1);
  assert.equal(sent.length, 0);
  await until(() => sent.length > 0);
});

test('a clock that is set a day on amid failures switches no target off', async (t) => {
  let failures = 2;
  const { store, clock, put, until, sent, off } = rig(t, () => {
    clock.set(clock.now() + GIVE_UP_MS);
    return failures-- > 0 ? { kind: 'failed', reason: '503', waitMs: 0 } : { kind: 'taken' };
  });
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  await put('al_a', 1);
  await until(() => store.delivery('al_a')?.delivered === 1 || off.length > 0);
  assert.deepEqual([sent.length, off], [3, []]);
});

test('what the disk refuses to note is noted later: the message is not sent again, and none is left waiting', async (t) => {
  const errors: unknown[] = [];
  const { store, put, until, sent } = rig(t, () => ({ kind: 'taken' }), { onError: (error) => errors.push(error) });
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  const note = store.taken.bind(store);
  store.taken = (...change) => (errors.length < 3 ? Promise.reject(new Error('EIO')) : note(...change));
  await put('al_a', 2);
  await until(() => errors.length === 3);
  await put('al_a', 2);
  await until(() => store.queueLength('al_a') === 0);
  assert.deepEqual(sent, ['al_a 1', 'al_a 2', 'al_a 3', 'al_a 4']);
  assert.equal(store.delivery('al_a')!.delivered, 4);
});

test('a commit that is reported as failed and is in the store all the same is not made again', async (t) => {
  const { store, put, until, sent } = rig(t, () => ({ kind: 'taken' }));
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  let failures = 0;
  const failing =
    <Args extends unknown[], Result>(commit: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await commit(...args);
      failures++;
      throw new Error('EIO');
    };
  const { put: putOf, taken: takenOf } = store;
  store.put = failing(putOf.bind(store));
  store.taken = failing(takenOf.bind(store));
  await put('al_a', 2);
  await until(() => failures === 3);
  Object.assign(store, { put: putOf.bind(store), taken: takenOf.bind(store) });
  await put('al_a', 1);
  await until(() => store.queueLength('al_a') === 0);
  assert.deepEqual(sent, ['al_a 1', 'al_a 2', 'al_a 3']);
  assert.equal(store.delivery('al_a')!.delivered, 3);
});

test('a target is off although that was reported as not stored, if it is', async (t) => {
  const { store, put, off, until, sent } = rig(t, () => ({ kind: 'gone', reason: '410' }));
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  const switchOff = store.switchOff.bind(store);
  store.switchOff = async (...change) => {
    await switchOff(...change);
    throw new Error('EIO');
  };
  await put('al_a', 2);
  await until(() => off.length > 0);
  await put('al_a', 1);
  assert.deepEqual([sent, store.queueLength('al_a')], [['al_a 1'], 0]);
});

test('a target that reports that it is gone is off at once', async (t) => {
  const { store, put, off, until, sent } = rig(t, () => ({ kind: 'gone', reason: '410' }));
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  await put('al_a', 2);
  await until(() => off.length > 0);
  assert.deepEqual(sent, ['al_a 1']);
});

test('hanging targets delay neither other accounts nor other rules', async (t) => {
  let release = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { store, put, sent, until } = rig(t, async (id) => {
    if (id.startsWith('al_h')) await hanging;
    return { kind: 'taken' };
  });
  t.after(() => release());
  for (let i = 0; i < 20; i++) {
    store.addRule(ruleFor('https://example.com/', `al_h${i}`), () => true);
    await put(`al_h${i}`, 1);
  }
  store.addRule(ruleFor('https://example.com/', 'al_b', 'acc_2'), () => true);
  await put('al_b', 50);
  await until(() => sent.filter((one) => one.startsWith('al_b')).length === 50);
  assert.equal(sent.filter((one) => one.startsWith('al_h')).length, 16, 'an account has so many attempts at once');
  assert.deepEqual(
    sent.filter((one) => one.startsWith('al_b')),
    Array.from({ length: 50 }, (_, i) => `al_b ${i + 1}`),
  );
  release();
  await until(() => sent.filter((one) => one.startsWith('al_h')).length === 20);
});

test('changes are shared before they are stored; once another process continues, nothing more is sent', async (t) => {
  const shared: string[] = [];
  let continued = false;
  const taken = () => new Promise<Outcome>((resolve) => setImmediate(resolve, { kind: 'taken' }));
  const { store, deliveries, put, sent, until } = rig(t, taken, {
    share: async (change) => {
      const { seq } = store.progress('al_a') ?? { seq: 0 };
      shared.push(change.kind === 'found' ? `found ${seq}` : `taken ${change.taken} of ${store.queueLength('al_a')}`);
      if (change.kind === 'delivery' && change.taken === 2) continued = true;
      if (continued) throw new ContinuedElsewhere();
    },
    // The next attempt would begin at once.
    schedule: { waitsMs: [0], giveUpMs: 100 },
  });
  store.addRule(ruleFor('https://example.com/', 'al_a'), () => true);
  await put('al_a', 3);
  await until(() => shared.length >= 3);
  assert.deepEqual(shared, ['found 0', 'taken 1 of 3', 'taken 2 of 2']);
  await assert.rejects(put('al_a', 1), ContinuedElsewhere);
  await deliveries.close();
  assert.deepEqual(sent, ['al_a 1', 'al_a 2']);
  assert.equal(store.queueLength('al_a'), 2);
});

test('a change that cannot be shared stops nothing: it is tried again, until its messages are sent or its target is off', async (t) => {
  let fails = 0;
  const errors: string[] = [];
  const { store, put, sent, off, until } = rig(
    t,
    (id) => (id === 'al_a' ? { kind: 'taken' } : { kind: 'gone', reason: '410' }),
    {
      share: async () => {
        if (fails-- > 0) throw new Error('too large');
      },
      onError: (error) => errors.push((error as Error).message),
    },
  );
  for (const id of ['al_a', 'al_b']) store.addRule(ruleFor('https://example.com/', id), () => true);
  fails = 1;
  await assert.rejects(put('al_a', 2), /too large/);
  assert.equal(store.queueLength('al_a'), 0, 'not stored either: it is put again');
  for (const [id, isDone] of [
    ['al_a', () => store.delivery('al_a')?.delivered === 2],
    ['al_b', () => off.length > 0],
  ] as const) {
    await put(id, 2);
    fails = 2;
    await until(isDone);
  }
  assert.deepEqual(sent, ['al_a 1', 'al_a 2', 'al_b 1', 'al_b 1', 'al_b 1']);
  assert.deepEqual([errors, off], [Array(4).fill('too large'), ['al_b 410']]);
  assert.deepEqual([store.delivery('al_b')!.state, store.queueLength('al_b')], ['off', 0]);
});
