// No write of LMDB meets a full disk: a refused page damages its memory, sooner or later.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { extentOf } from '../../src/store/data-file.js';
import { openStore, tableOf } from '../../src/store/open-store.js';
import { ReservedSpace, sharedWrites } from '../../src/store/reserved-space.js';
import { newFolder } from '../temp-folders.js';

test('where files may not grow, every store refuses what does not fit, and LMDB never meets an error', {
  skip: process.platform === 'win32' ? 'needs a limit on the size of files' : false,
}, () => {
  const script = fileURLToPath(new URL('./full-stores.js', import.meta.url));
  // 1 MiB, in units of 512 bytes.
  const { stdout, stderr, status, signal } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 2048 && exec "$0" "$@"', process.execPath, script, newFolder()],
    { encoding: 'utf8' },
  );
  assert.deepEqual([status, signal], [0, null], stderr);
  assert.equal(stderr, '', 'LMDB prints its errors there');
  assert.deepEqual(JSON.parse(stdout), {
    shard: { refused: 10, readable: true },
    control: { refused: 10, readable: true },
    history: { refused: 10, readable: true },
    eventLog: { refused: 10, readable: true },
    delayed: { refused: 10, readable: true },
  });
});

test('room is taken beyond what the store has written itself, also without asking', async (t) => {
  const path = newFolder();
  const { root } = openStore(path, {}, () => ({}));
  t.after(() => root.close());
  const room = new ReservedSpace(path);
  t.after(() => room.close());
  const value = Buffer.alloc(3_000, 1);
  root.transactionSync(() => {
    for (let i = 0; i < 1_000; i++) void root.put(`unasked ${i}`, value);
  });
  room.reserve(1_000, 0);
  root.transactionSync(() => void root.put('asked', value));
  root.resetReadTxn();
  for (const { value: kept } of root.getRange()) assert.deepEqual(kept, value);
  assert.equal(root.getCount(), 1_001);
});

/** Where in the order of keys the next ones lie: at the end, at the beginning, anywhere, or close to each other. */
const ORDERS = {
  ascending: (i: number) => 1e9 + i,
  descending: (i: number) => 1e9 - i,
  anywhere: (i: number) => Math.imul(i, 0x9e3779b1) >>> 0,
  close: (i: number) => (i % 7) * 1e8 + i,
} as const;

test('many small writes need no more room than is counted for them, in whatever order their keys are', async () => {
  const step = fc.record({
    order: fc.constantFrom(...(Object.keys(ORDERS) as (keyof typeof ORDERS)[])),
    writes: fc.integer({ min: 1, max: 6_000 }),
    removes: fc.boolean(),
  });
  let least = Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const path = newFolder();
      const { root, table } = openStore(path, {}, (opened) => ({
        table: tableOf<Buffer>(opened, 'table', { keyEncoding: 'binary' }),
      }));
      const file = openSync(join(path, 'data.mdb'), 'r');
      try {
        let done = 0;
        for (const { order, writes, removes } of steps) {
          const counted = sharedWrites(root, table, writes, 8 + 4);
          const before = extentOf(file)!;
          root.transactionSync(() => {
            for (let i = 0; i < writes; i++) {
              const key = Buffer.alloc(8);
              key.writeBigUInt64BE(BigInt(ORDERS[order](removes ? i * 3 : done + i)));
              if (removes) void table.remove(key);
              else void table.put(key, Buffer.alloc(4));
            }
          });
          if (!removes) done += writes;
          const { end, pageBytes } = extentOf(file)!;
          // What reserve() adds for any commit: pages of the root, the list of free ones.
          const room = 2 * counted * pageBytes + 64 * pageBytes;
          assert.ok(end - before.end <= room, `${end - before.end} of ${room} bytes for ${writes} ${order}`);
          least = Math.min(least, counted / writes);
        }
      } finally {
        closeSync(file);
        await root.close();
      }
    }),
    { numRuns: 25 },
  );
  // Or nothing is gained.
  assert.ok(least < 0.1, String(least));
});
