// No write of LMDB meets a full disk: a refused page damages its memory, sooner or later.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../src/store/open-store.js';
import { ReservedRoom } from '../../src/store/reserved-room.js';
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
  const room = new ReservedRoom(path);
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
