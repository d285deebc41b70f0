// What survives a restart: ids, rows, positions; and the retention of the change log.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AMOUNT_BYTES } from '../../src/base/model/row-details.js';
import { cutPosition, readLog } from '../../src/store/shard-reader.js';
import { event, market, message, moneyline, selection, spread, total } from '../intake/ingest/messages.js';
import { type Rig, rig, textsOf } from '../writer/shard/rig.js';

function poll(shard: Rig, price: number, seconds: number) {
  shard.nowMs += 1_000;
  const markets = [moneyline(price, 100), spread(-3.5, price, -110), total(220.5, -110, price)];
  const polled_at = new Date(Date.parse('2026-11-20T18:00:00Z') + seconds * 1000).toISOString();
  return shard.send(message([event(markets, { external_id: 'dk-77' })], { polled_at }));
}

function logOf({ env }: Rig): number[] {
  env.root.resetReadTxn();
  return [...readLog(env, 0)].map(({ position }) => position);
}

test('a restart keeps every row, id and price, and continues at the same position', async (t) => {
  const shard = rig(t);
  for (let i = 0; i < 5; i++) poll(shard, -110 - i, i);
  const before = textsOf(shard.table);
  const { position } = shard.table;
  await shard.restart();
  assert.deepEqual(textsOf(shard.table), before);
  assert.equal(shard.table.position, position);
  const { receipt } = poll(shard, -114, 5);
  assert.deepEqual([receipt.accepted, receipt.changed], [6, 0]);
  assert.equal(poll(shard, -120, 6).receipt.changed, 3);
  assert.deepEqual([...textsOf(shard.table).keys()].sort(), [...before.keys()].sort());
});

/** A moneyline at an exchange; its home side states amounts and a token. */
function offer(shard: Rig, size: number | null, token: string, seconds: number) {
  shard.nowMs += 1_000;
  const side = (selection_type: string, odds_american: number, more: object) =>
    selection({ selection: selection_type, selection_type, odds_american, ...more });
  const offered = { ...(size === null ? {} : { size }), volume_24h: 100 + seconds, exchange_token_id: token };
  const markets = [market([side('home', -110, offered), side('away', 100, {})])];
  const polled_at = new Date(Date.parse('2026-11-20T18:00:00Z') + seconds * 1000).toISOString();
  return shard.send(message([event(markets)], { book: 'kalshi', polled_at }));
}

/** All fixed slabs, as text. */
function fixedOf({ env }: Rig): string {
  env.root.resetReadTxn();
  return [...env.fixed.getRange()].map(({ value }) => value.toString('hex')).join();
}

test('amounts at an exchange survive a restart, and are stored without rewriting the fixed slab', async (t) => {
  const shard = rig(t);
  let seconds = 0;
  const outlasts = async (size: number | null, token: string): Promise<void> => {
    const before = textsOf(shard.table);
    await shard.restart();
    assert.deepEqual(textsOf(shard.table), before);
    assert.equal(offer(shard, size, token, seconds++).receipt.changed, 1, 'the volume alone, in the shard as well');
  };
  offer(shard, 40.25, 'T1', seconds++);
  await outlasts(40.25, 'T1');
  const stored = fixedOf(shard);
  for (const size of [0, null, 41]) {
    offer(shard, size, 'T1', seconds++);
    assert.equal(fixedOf(shard), stored, `size ${size}`);
    await outlasts(size, 'T1');
    assert.equal(shard.row('kalshi', 'moneyline', 'home')?.['size'], size ?? undefined);
    assert.equal(shard.row('kalshi', 'moneyline', 'away')?.['volume_24h'], undefined);
  }
  offer(shard, 41, 'T2', seconds++);
  assert.notEqual(fixedOf(shard), stored);
  await outlasts(41, 'T2');
});

test('amounts are read from the fixed slab, where earlier releases stored them', async (t) => {
  const shard = rig(t);
  offer(shard, 40.25, 'T1', 0);
  const texts = textsOf(shard.table);
  const [slab] = [...shard.env.numbers.getRange()].map(({ key, value }) => ({ key, value: Buffer.from(value) }));
  const { key, value } = slab!;
  const amounts = 2 * AMOUNT_BYTES;
  assert.equal(value.readDoubleLE(value.length - amounts), 40.25);
  shard.env.root.transactionSync(() => void shard.env.numbers.put(key, value.subarray(0, value.length - amounts)));
  await shard.restart();
  assert.deepEqual(textsOf(shard.table), texts);
});

test('the file does not grow with overwritten rows, even if they were read before', async (t) => {
  const shard = rig(t);
  for (let i = 0; i < 50; i++) poll(shard, -110 - (i % 7), i);
  await shard.restart();
  // All reads in one turn of the event loop share a read transaction, which ends with the turn.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const size = (): number => statSync(join(shard.dir, 'shard-0', 'data.mdb')).size;
  for (let i = 50; i < 100; i++) poll(shard, -110 - (i % 7), i);
  const before = size();
  for (let i = 100; i < 400; i++) poll(shard, -110 - (i % 7), i);
  const written = 300 * 8 * 4_096;
  assert.ok(size() - before < written / 8, `${size() - before} bytes for 300 commits of some ten pages each`);
});

test('row numbers of removed rows are reused, also after a restart, and never twice at once', async (t) => {
  const shard = rig(t);
  const numbers = (): number[] =>
    [...textsOf(shard.table).keys()].map((id) => shard.table.columns.no[shard.table.slotOf(id)!]!);
  poll(shard, -110, 0);
  for (let round = 1; round < 20; round++) {
    const polled_at = new Date(Date.parse('2026-11-20T18:00:00Z') + round * 10_000).toISOString();
    const markets = round % 2 === 0 ? [moneyline(-110, 100), total(200 + round, -110, -110, true)] : [];
    shard.send(message([event(markets)], { polled_at }));
    if (round % 5 === 0) await shard.restart();
    assert.equal(new Set(numbers()).size, numbers().length);
    assert.ok(numbers().every((no) => no < 12));
  }
});

test('the log has exactly the entries of its retention, and states from where on it is complete', (t) => {
  const shard = rig(t, undefined, { logSeconds: 300 });
  for (let i = 0; i < 1_000; i++) poll(shard, -110 - (i % 50), i);
  const entries = logOf(shard);
  assert.equal(entries.length, 301);
  assert.equal(entries[0], shard.position - 300 * 1e6);
  assert.equal(cutPosition(shard.env), shard.position - 301 * 1e6);
});

test('the log is cut further if it exceeds its size, but never to less than two minutes', (t) => {
  const shard = rig(t, undefined, { logSeconds: 900, logBytesMax: 30_000 });
  for (let i = 0; i < 400; i++) poll(shard, -110 - (i % 50), i);
  const entries = logOf(shard);
  assert.ok(entries.length < 200 && entries.length >= 120, `${entries.length} entries`);
  assert.ok(entries[0]! >= shard.position - 200 * 1e6);
  assert.ok(cutPosition(shard.env) < entries[0]!);
});

test('the log is complete from its cut to its head', (t) => {
  const shard = rig(t, undefined, { logSeconds: 200 });
  const all: number[] = [];
  for (let i = 0; i < 500; i++) {
    poll(shard, -110 - (i % 50), i);
    all.push(shard.position);
    if (i % 100 !== 99) continue;
    const cut = cutPosition(shard.env);
    assert.deepEqual(
      logOf(shard),
      all.filter((position) => position > cut),
    );
    assert.deepEqual(
      shard.freshTable().tombstones.since(cut),
      shard.table.tombstones.since(cut),
      'removals are stored as long',
    );
  }
});

test('a store written by another version is refused and not misread', async (t) => {
  const shard = rig(t);
  poll(shard, -110, 0);
  const { decode, encode } = await import('../../src/base/wire/codec.js');
  const meta = decode(shard.env.meta.getBinary('meta')!) as { version: number };
  const put = (version: number): void =>
    shard.env.root.transactionSync(() => void shard.env.meta.put('meta', encode({ ...meta, version })));
  put(999);
  assert.throws(() => shard.freshTable(), /written by another version of overround \(store version 999/);
  // It is closed as what it is.
  put(meta.version);
});
