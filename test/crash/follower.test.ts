import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower } from '../../src/engine/engine.js';
import { OpportunityTable } from '../../src/tables/universe-opportunities.js';
import { newTable, rig, textsOf } from '../writer/shard/rig.js';
import { stormMessage } from './storm.js';

test('entries that a dead thread had committed are read up to the lost batch and no further, each once', (t) => {
  const shard = rig(t);
  const table = newTable();
  const received: number[] = [];
  const follower = new Follower({ table, opportunities: new OpportunityTable(), source: table }, [shard.env], [1], 900);
  follower.listen((_applied, { position }) => received.push(position));
  const positions: number[] = [];
  for (let seq = 0; seq < 5; seq++) {
    shard.send(stormMessage(seq));
    positions.push(shard.position);
  }
  for (const upTo of [positions[1]!, positions[1]!, positions[3]!])
    for (const { delta } of follower.missed(0, upTo)) follower.deliver(delta);
  assert.deepEqual(received, positions.slice(0, 4));
  assert.deepEqual(follower.missed(0, positions[3]!), []);
  for (const { delta } of follower.missed(0, positions[4]!)) follower.deliver(delta);
  assert.deepEqual(textsOf(table), textsOf(shard.table));
});
