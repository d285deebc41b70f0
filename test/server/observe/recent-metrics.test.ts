// The quarter of an hour of metrics stored for the operator's page, and what the page derives from it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { figureText, labelsOf, levelOf, meanOf, rateOf } from '../../../dashboard/model/recent-rates.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { sampleMetrics } from '../../../src/server/observe/recent-metrics.js';
import { api } from '../../front/api.js';

test('rates, means and levels are derived from the samples; a restart of a counter is a gap', async (t) => {
  const registry = new Registry();
  const registers = [registry];
  const quotes = new Counter({ name: 'overround_ingest_quotes_total', help: 'x', labelNames: ['shard'], registers });
  const rows = new Gauge({ name: 'overround_table_rows', help: 'x', registers });
  const stages = new Histogram({ name: 'overround_stage_seconds', help: 'x', labelNames: ['stage'], registers });
  const clock = new ManualClock(1_000_000);
  const recorder = sampleMetrics(registry, clock, (error) => assert.fail(String(error)));
  t.after(() => recorder.close());
  quotes.inc({ shard: '0' }, 100);
  rows.set(7);
  stages.observe({ stage: 'apply' }, 30);
  await recorder.sample();
  clock.set(1_005_000);
  quotes.inc({ shard: '0' }, 20);
  quotes.inc({ shard: '1' }, 30);
  rows.set(9);
  stages.observe({ stage: 'apply' }, 0.5);
  stages.observe({ stage: 'apply' }, 1.5);
  await recorder.sample();
  clock.set(1_010_000);
  quotes.reset();
  await recorder.sample();
  const { recent } = recorder;
  assert.deepEqual(recent.at, [1_000_000, 1_005_000, 1_010_000]);
  assert.deepEqual(rateOf(recent, 'overround_ingest_quotes_total'), [null, 10, null]);
  assert.deepEqual(levelOf(recent, 'overround_table_rows'), [7, 9, 9]);
  assert.deepEqual(labelsOf(recent, 'overround_stage_seconds_sum'), ['apply']);
  assert.deepEqual(meanOf(recent, 'overround_stage_seconds', 'apply'), [null, 1, null]);
  assert.deepEqual(levelOf(recent, 'overround_none'), [null, null, null]);
});

test('no more than a quarter of an hour is stored', async (t) => {
  const recorder = sampleMetrics(new Registry(), new ManualClock(0), () => undefined);
  t.after(() => recorder.close());
  for (let i = 0; i < 200; i++) await recorder.sample();
  assert.equal(recorder.recent.at.length, 181);
});

test('a server shows its own samples without a key', async (t) => {
  const { url } = await api(t);
  const answer = await fetch(`${url}/metrics/recent`);
  assert.equal(answer.status, 200);
  const { every_s, at, series } = (await answer.json()) as { every_s: number; at: number[]; series: object };
  assert.deepEqual([every_s, at, series], [5, [], {}]);
});

test('figures are short', () => {
  assert.deepEqual([0, 0.01234, 3.21, 250.4, 12_345, 2_500_000].map(figureText), [
    '0',
    '0.012',
    '3.2',
    '250',
    '12.3k',
    '2.50M',
  ]);
});
