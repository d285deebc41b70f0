import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import type { Commissions } from '../../src/base/model/commission.js';
import { composed } from '../../src/detection/kinds/recorded-opportunity.js';
import type { Engine } from '../../src/engine/engine.js';
import { openEngine } from '../engine-rig.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import type { PublishedOpportunity } from './published.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');

function started(
  t: TestContext,
  commissions: Commissions = {},
): { engine: Engine; clock: ManualClock; published: { of(universe: string): PublishedOpportunity[] } } {
  const clock = new ManualClock(NOW_MS);
  const engine = openEngine(t, { clock, money: { commissions } });
  const of = (universe: string) =>
    [...engine.opportunities.of(universe).opportunities()].map(composed) as readonly object[] as PublishedOpportunity[];
  return { engine, clock, published: { of } };
}

function poll(book: string, home: number, away: number, atMs: number) {
  return message([event([moneyline(home, away)])], { book, polled_at: new Date(atMs).toISOString() });
}

test('a requested universe is published by every shard before the promise settles, also after a thread died', async (t) => {
  const { engine, clock, published } = started(t);
  await engine.ensureUniverse({ key: 'sharp', books: null });
  await engine.ingest([poll('draftkings', 110, -130, NOW_MS), poll('fanduel', -115, 105, NOW_MS)]);
  await engine.ensureUniverse({ key: 'two', books: ['draftkings', 'fanduel'] });
  const ids = (key: string) => published.of(key).map(({ id }) => id);
  assert.ok(ids('two').length > 0);
  assert.deepEqual(ids('two'), ids('sharp'));
  for (const shard of [0, 1]) await engine.shards!.kill(shard);
  clock.set(NOW_MS + 1_000);
  // The new threads learn of the universe with their first batches.
  for (let i = 0; i < 3; i++) {
    await engine.ingest([poll('draftkings', -150, -130, NOW_MS + 1_000 + i)]).catch(() => undefined);
    engine.tick();
  }
  await engine.ensureUniverse({ key: 'other', books: ['draftkings'] });
  clock.set(NOW_MS + 3_000);
  await engine.ingest([poll('draftkings', 110, -130, NOW_MS + 3_000)]);
  assert.deepEqual(ids('two').sort(), ids('sharp').sort());
  engine.dropUniverse('two');
  await engine.ensureUniverse({ key: 'two', books: ['draftkings', 'fanduel'] });
});

test('requests go to every shard', async (t) => {
  const { engine } = started(t);
  await engine.ingest([poll('draftkings', -105, -115, NOW_MS), poll('pinnacle', -108, -108, NOW_MS)]);
  const ask = { kind: 'ev', books: null, method: 'shin', devigBook: 'pinnacle', minEv: -10 } as const;
  const { opportunities, from, to } = await engine.evaluate(ask, { account: 'acc', viewer: false });
  assert.deepEqual([from, to], [engine.table.position, engine.table.position]);
  assert.deepEqual(
    opportunities.map(({ books }) => books),
    [['draftkings'], ['draftkings']],
  );
});

test('a configured commission applies in the shards and the table: an arbitrage it consumes is none', async (t) => {
  const { engine, published } = started(t, { fanduel: { model: 'winnings', rate: 0.1 } });
  await engine.ingest([poll('draftkings', 104, -130, NOW_MS), poll('fanduel', -130, 102, NOW_MS)]);
  assert.deepEqual(
    published.of('sharp').map(({ kind, books, item }) => [kind, books, item['warnings']]),
    [['low_hold', ['draftkings', 'fanduel'], ['NET_OF_COMMISSION']]],
  );
  const { columns, books } = engine.table;
  for (const event of engine.table.events.ordered())
    for (const slot of event.rows.unsorted()) {
      const rate = books.name(columns.book[slot]!) === 'fanduel' ? 0.1 : 0;
      assert.ok(Math.abs(columns.net[slot]! - (1 + (columns.decimal[slot]! - 1) * (1 - rate))) < 1e-9);
    }
});
