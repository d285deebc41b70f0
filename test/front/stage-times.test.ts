// /metrics reports a change's time in each stage, from the request to the streams.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicMs } from '../../src/base/model/clock.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder, RawSse } from './stream-rig.js';

const STAGES = [
  'read',
  'queue',
  'wake',
  'apply',
  'detect',
  'commit',
  'return',
  'deliver',
  'send',
  'commit_to_sent',
] as const;

interface Seen {
  count: number;
  /** Seconds. */
  sum: number;
}

async function seen({ url, clock }: Api): Promise<Map<string, Seen>> {
  // Metrics are made once a second.
  clock.set(clock.now() + 1_001);
  const text = await (await fetch(`${url}/metrics`)).text();
  const stages = new Map<string, Seen>();
  for (const [, what, stage, value] of text.matchAll(
    /^overround_stage_seconds_(sum|count)\{stage="(\w+)"\} (\S+)$/gm,
  )) {
    const one = stages.get(stage!) ?? { count: 0, sum: 0 };
    one[what as keyof Seen] = Number(value);
    stages.set(stage!, one);
  }
  return stages;
}

test('each stage of a batch is counted once, and together they take no longer than the change did', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110));
  const client = new RawSse(server, '/stream/odds?sportsbook=fanduel', server.key('enterprise'));
  await until('complete', () => client.table.complete);
  const before = await seen(server);
  const begunMs = monotonicMs();
  const changes = 5;
  for (let i = 1; i <= changes; i++) {
    const events = client.events.length;
    await server.ingest(ladder(1 + i, 3, -110 - i));
    await until('sent', () => client.events.length > events);
  }
  const passed = (monotonicMs() - begunMs) / 1000;
  const after = await seen(server);
  assert.deepEqual([...after.keys()], [...STAGES]);
  let sum = 0;
  for (const stage of STAGES) {
    const { count, sum: seconds } = after.get(stage)!;
    assert.equal(count - (before.get(stage)?.count ?? 0), changes, stage);
    assert.ok(seconds > 0, stage);
    if (stage !== 'commit_to_sent') sum += seconds - (before.get(stage)?.sum ?? 0);
  }
  assert.ok(sum < passed, `${sum} s in stages, ${passed} s in all`);
  const secondsIn = (stage: string): number => after.get(stage)!.sum - (before.get(stage)?.sum ?? 0);
  const parts = secondsIn('return') + secondsIn('deliver') + secondsIn('send');
  assert.ok(
    Math.abs(secondsIn('commit_to_sent') - parts) < 0.5 * parts,
    `${secondsIn('commit_to_sent')} is about ${parts}`,
  );
});

test('a change without streams has no sending time, nor has a batch without changes', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110));
  await server.ingest(ladder(1, 3, -110));
  const stages = await seen(server);
  assert.equal(stages.get('commit')!.count, 2);
  assert.equal(stages.has('send'), false);
  assert.equal(stages.has('commit_to_sent'), false);
});
