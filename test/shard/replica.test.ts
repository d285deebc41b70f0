// Two shards with the same batches at the same positions produce the same deltas, although one of them was restarted
// from its store in between: another machine can therefore apply the writer's inputs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { oddsOf } from '../../src/shard/same-odds.js';
import { Rig, textsOf } from './rig.js';
import { STORM_START_MS, toMessage, wildStorm } from './storm.js';

test('a shard that was restarted from its store makes the same deltas as one that was not', async () => {
  await fc.assert(
    fc.asyncProperty(wildStorm, fc.uniqueArray(fc.nat(24), { maxLength: 4 }), async (batches, restarts) => {
      const [writer, replica] = [new Rig(STORM_START_MS), new Rig(STORM_START_MS)];
      try {
        for (const [i, batch] of batches.entries()) {
          if (restarts.includes(i)) await replica.restart();
          const messages = batch.messages.map((each) => toMessage(each, 0.2));
          const deltas = [writer, replica].map((rig) => {
            rig.nowMs += batch.passMs;
            return oddsOf(rig.send(...messages).delta);
          });
          assert.deepEqual(deltas[1], deltas[0]);
        }
        assert.deepEqual(new Map([...textsOf(replica.table)].sort()), new Map([...textsOf(writer.table)].sort()));
      } finally {
        await Promise.all([writer.close(), replica.close()]);
      }
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
