import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import {
  Deliveries,
  type DeliveriesOptions,
  GIVE_UP_MS,
  RETRY_MS,
  waitMs,
} from '../../../src/accounts/outbox/deliveries.js';
import type { Outcome } from '../../../src/accounts/outbox/sender.js';
import { webhook } from '../../../src/accounts/outbox/targets.js';
import { NEW_DELIVERY } from '../../../src/base/model/alert.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { newFolder } from '../../temp-folders.js';
import { ruleFor } from './rules.js';
import { storedAlerts } from './stored-alerts.js';

function rig(
  t: TestContext,
  answer: (rule: string, seq: number) => Outcome | Promise<Outcome>,
  options: Partial<DeliveriesOptions> = {},
) {
  const path = newFolder('overround-deliveries-');
  const clock = new ManualClock(1_000_000);
  const alerts = storedAlerts(path, clock);
  const { store, add } = alerts;
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
    onOff: (rule, reason) => off.push(`${rule.id} ${reason}`),
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  t.after(async () => {
    await deliveries.close();
    await alerts.close();
  });
  const put = async (id: string, count: number) => {
    const bodies = Array.from({ length: count }, () => Buffer.from('{}'));
    await store.put(id, { position: 1, begun: [], untold: [], ended: [], bodies });
    deliveries.added(id);
  };
  const until = async (test: () => boolean) => {
    const deadline = Date.now() + 60_000;
    while (!test()) {
      assert.ok(Date.now() < deadline, JSON.stringify({ sent, off }));
      clock.set(clock.now() + 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { store, add, deliveries, clock, sent, off, put, until };
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
  const { add, store, put, off, until, sent } = rig(t, () => ({ kind: 'failed', reason: '500 no', waitMs: 0 }));
  add(ruleFor('https://example.com/', 'al_a'));
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
  const { add, store, clock, put, until, sent } = rig(t, () => ({ kind: 'taken' }));
  add(ruleFor('https://example.com/', 'al_a'));
  const failing = { ...NEW_DELIVERY, state: 'failing' as const, attempts: 1 };
  await store.putDelivery('al_a', { ...failing, nextAttemptMs: clock.now() + 240_000, waitMs: 20 });
  await put('al_a', 1);
  assert.equal(sent.length, 0);
  await until(() => sent.length > 0);
});

test('a clock that is set a day on amid failures switches no target off', async (t) => {
  let failures = 2;
  const { add, store, clock, put, until, sent, off } = rig(t, () => {
    clock.set(clock.now() + GIVE_UP_MS);
    return failures-- > 0 ? { kind: 'failed', reason: '503', waitMs: 0 } : { kind: 'taken' };
  });
  add(ruleFor('https://example.com/', 'al_a'));
  await put('al_a', 1);
  await until(() => store.delivery('al_a')?.delivered === 1 || off.length > 0);
  assert.deepEqual([sent.length, off], [3, []]);
});

test('what the disk refuses to note is noted later: the message is not sent again, and none is left waiting', async (t) => {
  const errors: unknown[] = [];
  const { add, store, put, until, sent } = rig(t, () => ({ kind: 'taken' }), {
    onError: (error) => errors.push(error),
  });
  add(ruleFor('https://example.com/', 'al_a'));
  const note = store.taken.bind(store);
  store.taken = (...change) => (errors.length < 3 ? Promise.reject(new Error('EIO')) : note(...change));
  await put('al_a', 2);
  await until(() => errors.length === 3);
  await put('al_a', 2);
  await until(() => store.queueLength('al_a') === 0);
  assert.deepEqual(sent, ['al_a 1', 'al_a 2', 'al_a 3', 'al_a 4']);
  assert.equal(store.delivery('al_a')!.delivered, 4);
});

test('a target that reports that it is gone is off at once', async (t) => {
  const { add, put, off, until, sent } = rig(t, () => ({ kind: 'gone', reason: '410' }));
  add(ruleFor('https://example.com/', 'al_a'));
  await put('al_a', 2);
  await until(() => off.length > 0);
  assert.deepEqual(sent, ['al_a 1']);
});

test('hanging targets delay neither other accounts nor other rules', async (t) => {
  let release = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { add, put, sent, until } = rig(t, async (id) => {
    if (id.startsWith('al_h')) await hanging;
    return { kind: 'taken' };
  });
  t.after(() => release());
  for (let i = 0; i < 20; i++) {
    add(ruleFor('https://example.com/', `al_h${i}`));
    await put(`al_h${i}`, 1);
  }
  add(ruleFor('https://example.com/', 'al_b', 'acc_2'));
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

test('a change that cannot be stored stops nothing: it is tried again, until its messages are sent or its target is off', async (t) => {
  let fails = 0;
  const errors: string[] = [];
  const { store, add, put, sent, off, until } = rig(
    t,
    (id) => (id === 'al_a' ? { kind: 'taken' } : { kind: 'gone', reason: '410' }),
    { onError: (error) => errors.push((error as Error).message) },
  );
  const refusing =
    <Args extends unknown[], Result>(change: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      fails-- > 0 ? Promise.reject(new Error('no writer')) : change(...args);
  store.taken = refusing(store.taken.bind(store));
  store.putDelivery = refusing(store.putDelivery.bind(store));
  for (const id of ['al_a', 'al_b']) add(ruleFor('https://example.com/', id));
  for (const [id, isDone] of [
    ['al_a', () => store.delivery('al_a')?.delivered === 2],
    ['al_b', () => off.length > 0],
  ] as const) {
    await put(id, 2);
    fails = 2;
    await until(isDone);
  }
  assert.deepEqual(sent, ['al_a 1', 'al_a 2', 'al_b 1', 'al_b 1', 'al_b 1']);
  assert.deepEqual([errors, off], [Array(4).fill('no writer'), ['al_b 410']]);
  assert.deepEqual([store.delivery('al_b')!.state, store.queueLength('al_b')], ['off', 0]);
});

test('a message whose number a loss of power took back has another id than the one that has it now', async () => {
  const [path, checkpoint] = [newFolder('overround-messages-'), newFolder('overround-messages-')];
  const rule = ruleFor('http://127.0.0.1:9/');
  const clock = new ManualClock(1_000_000);
  const idsOf = async (body: string): Promise<string[]> => {
    const alerts = storedAlerts(path, clock);
    alerts.add(rule);
    await alerts.store.put(rule.id, { position: 1, begun: [], untold: [], ended: [], bodies: [Buffer.from(body)] });
    const ids = alerts.store.queue(rule.id, 10).map((message) => webhook.headers!(rule, message, 0)['webhook-id']!);
    await alerts.close();
    clock.set(clock.now() + 1_000);
    return ids;
  };
  const [first] = await idsOf('kept');
  cpSync(path, checkpoint, { recursive: true });
  const lost = await idsOf('lost');
  rmSync(path, { recursive: true });
  cpSync(checkpoint, path, { recursive: true });
  const now = await idsOf('another');
  assert.deepEqual([lost[0], now[0]], [first, first], 'it is the same when it is sent again');
  assert.equal(new Set([...lost, ...now]).size, 3);
});
