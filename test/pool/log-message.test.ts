import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Follower } from '../../src/engine/follower.js';
import { decodeLogMessage, LOG_VERSION, messageOfDelta, readBatch } from '../../src/pool/log-message.js';
import { encode } from '../../src/wire/codec.js';
import { PublishedOpportunities } from '../detect/published.js';
import { openEngine } from '../engine-rig.js';
import { event, message, moneyline } from '../ingest/messages.js';
import { newTable, textsOf } from '../shard/rig.js';

test('a reader that applies an engine’s messages has the same rows and opportunities', async (t) => {
  const messages: Uint8Array[] = [];
  const engine = openEngine(t, { onBatch: (batch) => messages.push(Uint8Array.from(batch.message)) });
  const here = new PublishedOpportunities();
  engine.onDelta((_applied, { opportunities }) => here.apply(opportunities));
  await engine.ensureUniverse({ key: 'sharp', books: null });
  const poll = (book: string, home: number, away: number) =>
    message([event([moneyline(home, away)])], { book, polled_at: new Date().toISOString() });
  await engine.ingest([poll('draftkings', 110, -130), poll('fanduel', -115, 125)]);
  await engine.ingest([poll('draftkings', -150, 130)]);

  const table = newTable();
  const there = new PublishedOpportunities();
  const follower = new Follower(table, engine.directory.envs, 0, 900, table);
  follower.listen((_applied, { opportunities }) => there.apply(opportunities));
  let before = 0;
  for (const bytes of messages) {
    const batch = readBatch(bytes);
    assert.ok(batch.position > before, 'positions rise over all shards');
    before = batch.position;
    follower.deliver(batch);
  }
  assert.ok(table.rowCount > 0 && here.of('sharp').length > 0);
  assert.deepEqual([...textsOf(table)].sort(), [...textsOf(engine.table)].sort());
  assert.deepEqual(there.of('sharp'), here.of('sharp'));
});

test('a message of another version is refused, and one made of a delta alone has no opportunities', () => {
  const made = decodeLogMessage(messageOfDelta(7, 1, Uint8Array.of(1, 2)));
  assert.deepEqual([made.position, made.shard, [...made.delta], made.news.universes], [7, 1, [1, 2], []]);
  assert.throws(() => decodeLogMessage(encode({ v: LOG_VERSION + 1, position: 1 })), /version/);
});
