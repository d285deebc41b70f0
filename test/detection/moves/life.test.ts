// The life of a move in a shard, beyond what its definition says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startUniverses } from '../../../src/detection/detection-limits.js';
import { Moves } from '../../../src/detection/moves/moves.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { catalogue } from '../../writer/shard/rig.js';
import { ShardInMemory } from '../shard-in-memory.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const START_MS = NOW_MS + 3_600_000;

const poll = (home: number, away: number, atMs: number, startMs = START_MS) =>
  message([event([moneyline(home, away)], { start_time: new Date(startMs).toISOString() })], {
    book: 'draftkings',
    polled_at: new Date(atMs).toISOString(),
  });

test('a move is published again where the start of its game moves, and with nothing else', () => {
  const shard = new ShardInMemory(NOW_MS, startUniverses(catalogue), new Moves());
  const moves = (raw: readonly unknown[], atMs: number) =>
    shard
      .apply(raw, atMs)
      .flatMap(({ detected }) => detected)
      .filter(({ kind }) => kind === 'move');
  moves([poll(110, -130, NOW_MS)], NOW_MS);
  const [drop, ...others] = moves([poll(150, -180, NOW_MS + 1_000)], NOW_MS + 1_000);
  assert.ok(drop !== undefined);
  assert.deepEqual(moves([poll(150, -180, NOW_MS + 9_000)], NOW_MS + 9_000), [], 'seen again');
  const again = moves([poll(150, -180, NOW_MS + 20_000, START_MS + 180_000)], NOW_MS + 20_000);
  assert.deepEqual(again.map(({ id }) => id).sort(), [drop, ...others].map(({ id }) => id).sort());
  assert.deepEqual([again[0]!.startMs, again[0]!.detectedUs], [START_MS + 180_000, (NOW_MS + 1_000) * 1000]);
});
