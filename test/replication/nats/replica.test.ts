// An engine that follows the log and cannot store what is in it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../../src/engine/engine.js';
import { FRAME_KIND } from '../../../src/replication/nats/frame.js';
import { Replica } from '../../../src/replication/nats/replica.js';
import { openEngine } from '../../engine-rig.js';
import { until } from '../../support/until.js';

test('an engine whose store has no room says so once, holds nothing up, and can be closed', async (t) => {
  const { directory, table } = openEngine(t);
  const failures: string[] = [];
  const replica = new Replica({
    engine: { directory, table, shards: { fold: async () => 'it is full' } } as unknown as Engine,
    from: { sequence: 0, mark: { term: 0, counter: 0 } },
    onDiverged: (error) => failures.push(error.message),
  });
  const body = new Uint8Array(16 * 1024 * 1024);
  for (let i = 1; i <= 8; i++) {
    const counts = { term: 1, counter: i, part: 0, parts: 1 };
    replica.take(
      { kind: FRAME_KIND.entry, ...counts, shard: 0, position: table.position + i, body },
      { sequence: i, mark: { term: 1, counter: i } },
    );
  }
  assert.equal(replica.hasRoom, false);
  await until('it to say so', () => failures.length > 0);
  assert.equal(replica.hasRoom, true, 'whoever reads the log does not wait for it');
  await assert.rejects(replica.settled(), /no room/);
  await replica.close();
  assert.equal(failures.length, 1);
  assert.match(failures[0]!, /shard 0 has no room for what the writer took: it is full/);
});
