import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { ManualClock } from '../../src/base/model/clock.js';
import { LIMITS } from '../../src/base/model/limits.js';
import { metricsRoute } from '../../src/server/metrics-route.js';
import { running } from '../front/http/harness.js';

test('metrics are made once however many ask, and again after a second', async (t) => {
  let made = 0;
  const collect = async () => `made ${++made}\n`;
  const clock = new ManualClock(0);
  const { get } = await running(t, [{ ...metricsRoute(new Registry(), clock, collect), path: '/own' }]);
  const texts = await Promise.all(Array.from({ length: 200 }, async () => (await get('/own')).text()));
  assert.deepEqual(new Set(texts), new Set(['made 1\n']));
  clock.set(1_000);
  assert.equal(await (await get('/own')).text(), 'made 2\n');
});

test('metrics that could not be made are tried again', async (t) => {
  let fails = true;
  const collect = async () => {
    if (fails) throw new Error('no answer');
    return 'made\n';
  };
  const { get } = await running(t, [{ ...metricsRoute(new Registry(), new ManualClock(0), collect), path: '/own' }]);
  assert.equal((await get('/own')).status, 500);
  fails = false;
  assert.equal(await (await get('/own')).text(), 'made\n');
});

test('an address elsewhere may ask for metrics a bounded number of times a minute, counted by themselves', async (t) => {
  const { url, key } = await running(t, [], { trustProxy: true });
  const ask = async (address: string, given = '') =>
    (await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': address, 'x-api-key': given } })).status;
  const statuses = await Promise.all(Array.from({ length: LIMITS.meteredRequests.max }, () => ask('192.0.2.1')));
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(await ask('192.0.2.1'), 429);
  assert.equal(await ask('192.0.2.1', key('enterprise')), 429, 'a key changes nothing');
  assert.equal(await ask('192.0.2.2', 'no key at all'), 200);
});
