// What rows keep of the messages that they came in: texts of their own. A substring would keep its whole message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Interner } from '../../../src/base/memory/detached-text.js';
import { Depths } from '../../../src/tables/depths.js';
import { ShardInMemory } from '../../detection/shard-in-memory.js';
import { event, market, message, selection } from '../../intake/ingest/messages.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const MESSAGE_LENGTH = 100_000;
const MESSAGES = 200;
const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

/** As decoders give it: a part of one long text. */
function cut(text: string): string {
  return `${text}${'.'.repeat(MESSAGE_LENGTH)}`.normalize().slice(0, text.length);
}

function heapAfter(does: () => void): number {
  gc();
  const before = process.memoryUsage().heapUsed;
  does();
  gc();
  return process.memoryUsage().heapUsed - before;
}

test('what is kept of a text is no part of a longer one', () => {
  const kept = Array.from({ length: MESSAGES }, (_, i) => [cut(`a text of some length ${i}`)]);
  gc();
  assert.equal(kept.length, MESSAGES);
  const interner = new Interner(1_000);
  const depths = new Depths();
  const bytes = heapAfter(() => {
    for (let i = 0; i < MESSAGES; i++) {
      const text = `another text of some length ${i}`;
      assert.equal(interner.intern(cut(text)), text);
      depths.set(i, cut(text), i);
      assert.equal(depths.get(i), text);
    }
  });
  assert.ok(bytes < MESSAGES * 2_000, `${bytes} bytes for ${MESSAGES} texts`);
});

test('a row of a shard keeps no message, when it is added and when what its book states beside the price changes', () => {
  const shard = new ShardInMemory(NOW_MS, []);
  const poll = (atMs: number, version: string): void => {
    const events = Array.from({ length: MESSAGES }, (_, i) => {
      const stated = {
        external_id: cut(`selection-${version}-${i}`),
        deep_link: cut(`https://sports.example.com/bet/${version}/${i}`),
        exchange_token_id: cut(`a-token-of-an-exchange-${version}-${i}`),
        size: 100 + version.length,
        depth: {
          back: [
            [2, 100 + version.length],
            [1.9, 20],
            [1.8, 30],
          ],
          lay: [[2.02, 5]],
        },
      };
      const teams = { home_team: `Home ${i}`, away_team: `Away ${i}` };
      const away = selection({ selection: 'Away', selection_type: 'away', odds_decimal: 1.9 });
      const home = selection({ selection: 'Home', selection_type: 'home', odds_decimal: 2, ...stated });
      return event([market([home, away])], { league: 'ncaab', ...teams });
    });
    shard.apply([message(events, { book: 'kalshi', polled_at: new Date(atMs).toISOString() })], atMs);
    assert.deepEqual(shard.rejected, []);
  };
  const bytes = heapAfter(() => poll(NOW_MS, 'v1'));
  assert.ok(bytes < (MESSAGES * MESSAGE_LENGTH) / 2, `${bytes} bytes for ${MESSAGES} rows that are added`);
  const more = heapAfter(() => poll(NOW_MS + 10_000, 'the-second-version'));
  assert.ok(shard.committed);
  assert.ok(more < (MESSAGES * MESSAGE_LENGTH) / 2, `${more} bytes for ${MESSAGES} rows that changed`);
});
