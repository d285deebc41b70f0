// No write of LMDB meets a full disk: a refused page damages its memory, sooner or later.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HistoryFile } from '../../src/store/history-store.js';
import { newFolder } from '../temp-folders.js';
import { Random } from '../world/random.js';

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

const GROWTH_BYTES = 2 ** 18;
const NONE = { events: [], rows: [], ids: [], pages: [], predictions: [], droppedPages: [], droppedEvents: [] };
const STATE = { cursors: [0], epoch: 'e', gaps: [] };

test('a commit of many rows has the room that it needs, and not many times its size', async () => {
  const random = new Random(7);
  const folder = newFolder();
  const store = new HistoryFile(folder);
  const file = join(folder, 'history', 'data.mdb');
  for (const events of [400, 3, 40, 1, 200, 400]) {
    const rows = Array.from({ length: events * 20 }, (_, i) => ({
      hno: random.int(1, events),
      book: `book-${i % 20}`,
      bytes: Buffer.alloc(random.int(20, random.chance(0.1) ? 6_000 : 900), 1),
    }));
    const ids = Array.from({ length: events * 100 }, (_, i) => ({
      id: ((BigInt(random.int(0, 2 ** 32 - 1)) << 31n) + BigInt(random.int(0, 2 ** 31 - 1))).toString(),
      hno: 1 + (i % events),
    }));
    store.write({ ...NONE, ...STATE, rows, ids });
    // LMDB itself would extend it by pages.
    assert.equal(statSync(file).size % GROWTH_BYTES, 0);
  }
  const bytes = store.usedBytes();
  await store.close();
  assert.ok(statSync(file).size < 8 * bytes, `${statSync(file).size} for ${bytes}`);
});

test('room prepared between commits is all that the next one like the last needs', async () => {
  const folder = newFolder();
  const store = new HistoryFile(folder);
  const size = (): number => statSync(join(folder, 'history', 'data.mdb')).size;
  const write = (firstUs: number): void =>
    store.write({
      ...NONE,
      ...STATE,
      pages: Array.from({ length: 300 }, (_, i) => ({ hno: i, firstUs, bytes: Buffer.alloc(6_000, 1) })),
    });
  write(1);
  for (let round = 2; round < 6; round++) {
    let pieces = 1;
    for (let before = size(); !store.prepare(); before = size(), pieces++)
      assert.ok(size() - before <= 2 ** 21, 'a piece, not all at once');
    assert.ok(pieces > 1);
    const prepared = size();
    write(round);
    assert.equal(size(), prepared);
  }
  await store.close();
});
