import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from '../../src/base/wire/codec.js';
import { composed } from '../../src/detection/kinds/recorded-opportunity.js';
import { Follower } from '../../src/engine/engine.js';
import { DELTA_VERSION, decodeDelta } from '../../src/log/delta/delta.js';
import { OpportunityTable } from '../../src/tables/universe-opportunities.js';
import { openEngine } from '../engine-rig.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { newTable, textsOf } from '../writer/shard/rig.js';

test('a reader that applies an engine’s messages has the same rows and opportunities', async (t) => {
  const messages: Uint8Array[] = [];
  const engine = openEngine(t, { onBatch: (batch) => messages.push(Uint8Array.from(batch.delta)) });
  await engine.ensureUniverse({ key: 'sharp', books: null });
  const poll = (book: string, home: number, away: number) =>
    message([event([moneyline(home, away)])], { book, polled_at: new Date().toISOString() });
  await engine.ingest([poll('draftkings', 110, -130), poll('fanduel', -115, 125)]);
  await engine.ingest([poll('draftkings', -150, 130)]);

  const table = newTable();
  const opportunities = new OpportunityTable();
  const follower = new Follower(
    { table, opportunities, source: table },
    engine.directory.envs,
    engine.directory.envs.map(() => 0),
    900,
  );
  let before = 0;
  for (const bytes of messages) {
    const { position } = follower.deliver(bytes);
    assert.ok(position > before, 'positions rise over all shards');
    before = position;
  }
  assert.ok(table.rowCount > 0 && opportunities.of('sharp').size > 0);
  assert.deepEqual([...textsOf(table)].sort(), [...textsOf(engine.table)].sort());
  const activeIn = (all: OpportunityTable) => [...all.of('sharp').opportunities()].map(composed);
  assert.deepEqual(activeIn(opportunities), activeIn(engine.opportunities));
});

test('a delta of another version is refused, and one of the version before has no opportunities', () => {
  const opportunities = [{ universe: 'sharp', whole: false, detected: [], expired: [] }];
  const [books, blob] = [[], new Uint8Array(0)];
  const before = decodeDelta(encode({ version: DELTA_VERSION - 1, position: 7, shard: 1, books, blob, opportunities }));
  assert.deepEqual([before.position, before.shard, before.opportunities.universes], [7, 1, []]);
  assert.throws(() => decodeDelta(encode([DELTA_VERSION + 1, 1, 0, [], null])), /version/);
});
