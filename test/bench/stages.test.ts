// The report's quantiles of stages, from the buckets of /metrics.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Histogram, Registry } from 'prom-client';
import { type Buckets, quantileOfBuckets, stagesBetween, stagesOf } from '../../bench/stages.js';

const ALL = Number.POSITIVE_INFINITY;

/** Metrics as a server tells them, of these observations (s) by stage. */
async function metrics(observed: Readonly<Record<string, readonly number[]>>): Promise<string> {
  const registry = new Registry();
  const labels = { name: 'overround_stage_seconds', help: 'h', labelNames: ['stage'], buckets: [0.001, 0.002, 0.01] };
  const histogram = new Histogram({ ...labels, registers: [registry] });
  const other = new Histogram({ ...labels, name: 'overround_stage_seconds_of_others', registers: [registry] });
  for (const [stage, values] of Object.entries(observed))
    for (const value of values) {
      histogram.observe({ stage }, value);
      other.observe({ stage }, 1);
    }
  return registry.metrics();
}

test('stages are read in their order, each with the counts of its own metric only', async () => {
  const stages = stagesOf(await metrics({ queue: [0.0005, 0.0015, 0.5], apply: [0.005] }));
  assert.deepEqual(
    [...stages],
    [
      [
        'queue',
        [
          { le: 0.001, count: 1 },
          { le: 0.002, count: 2 },
          { le: 0.01, count: 2 },
          { le: ALL, count: 3 },
        ],
      ],
      [
        'apply',
        [
          { le: 0.001, count: 0 },
          { le: 0.002, count: 0 },
          { le: 0.01, count: 1 },
          { le: ALL, count: 1 },
        ],
      ],
    ],
  );
  assert.equal(stagesOf('process_cpu_seconds_total 1\n').size, 0);
});

test('a stage of several shards is one stage, whatever the order of its labels', () => {
  const bucket = (labels: string, count: number): string => `overround_stage_seconds_bucket{${labels}} ${count}\n`;
  const text = bucket('le="+Inf",stage="a",shard="0"', 2) + bucket('shard="1",stage="a",le="+Inf"', 3);
  assert.deepEqual([...stagesOf(text)], [['a', [{ le: ALL, count: 5 }]]]);
  assert.throws(() => stagesOf(bucket('le="1"', 1)), /no bucket of a stage/);
});

test('the counts between two readings are their difference; a stage without any is left out', async () => {
  const before = stagesOf(await metrics({ queue: [0.0005], apply: [0.005] }));
  const after = stagesOf(await metrics({ queue: [0.0005, 0.0015, 0.0015], apply: [0.005], commit: [0.5] }));
  const between = stagesBetween(before, after);
  assert.deepEqual([...between.keys()], ['queue', 'commit']);
  assert.deepEqual(
    between.get('queue')!.map(({ count }) => count),
    [0, 2, 2, 2],
  );
});

test('a quantile is interpolated within its bucket by its rank', () => {
  const buckets: Buckets = [
    { le: 0.001, count: 0 },
    { le: 0.002, count: 60 },
    { le: 0.01, count: 100 },
    { le: ALL, count: 100 },
  ];
  const near = (share: number, value: number): void =>
    assert.ok(Math.abs(quantileOfBuckets(buckets, share) - value) < 1e-12, `${share}`);
  near(0.5, 0.001 + (0.001 * 50) / 60);
  near(0.6, 0.002);
  near(0.99, 0.002 + (0.008 * 39) / 40);
  near(1, 0.01);
  near(0, 0.001);
});

test('above the last bound nothing is interpolated, and without counts there is no quantile', () => {
  const buckets: Buckets = [
    { le: 0.001, count: 1 },
    { le: ALL, count: 10 },
  ];
  assert.equal(quantileOfBuckets(buckets, 0.99), 0.001);
  assert.ok(Number.isNaN(quantileOfBuckets([{ le: ALL, count: 0 }], 0.5)));
  assert.ok(Number.isNaN(quantileOfBuckets([], 0.5)));
});
