// A store that this user may not use is refused with the name of its file, and one for which files run out before LMDB
// opens it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.js';
import { systemClock } from '../../src/base/model/clock.js';
import { StorageFull } from '../../src/base/model/storage-error.js';
import { createLog } from '../../src/server/observe/log.js';
import { newFolder } from '../temp-folders.js';

test('a lock file of another user is named', {
  skip: process.getuid?.() === 0 || process.platform === 'win32' ? 'needs a user whom permissions bind' : false,
}, async () => {
  const path = newFolder();
  await openAccounts(path, systemClock).close();
  chmodSync(join(path, 'control', 'lock.mdb'), 0o400);
  assert.throws(
    () => openAccounts(path, systemClock),
    /control\/lock\.mdb may not be read and written by this user \(EACCES\)$/,
  );
});

test('a full disk is one line of the log without a stack, another error has its stack', () => {
  const lines: Record<string, { message?: string; stack?: string }>[] = [];
  const log = createLog('info', { write: (line: string) => lines.push(JSON.parse(line)) });
  log.error({ err: new StorageFull(new Error('ENOSPC: no space left on device, write')) }, 'not written');
  log.error({ err: new Error('a bug') }, 'not written');
  assert.deepEqual(
    lines.map(({ err }) => [err!.message, err!.stack !== undefined]),
    [
      ['storage is full: ENOSPC: no space left on device, write', false],
      ['a bug', true],
    ],
  );
});

test('where files run out, a store is refused, and LMDB never meets that', {
  skip: process.platform === 'win32' ? 'needs a limit on the number of files' : false,
}, () => {
  const store = new URL('../../src/store/open-store.js', import.meta.url).href;
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { openStore } from ${JSON.stringify(store)};
    const [path, free] = process.argv.slice(1);
    const { root } = openStore(path, {}, () => ({}));
    await root.close();
    const files = [];
    try { for (;;) files.push(openSync('/dev/null', 'r')); } catch {}
    for (const file of files.splice(0, Number(free))) closeSync(file);
    try { openStore(path, {}, () => ({})); console.log('opened'); } catch ({ code }) { console.log(code); }`;
  const said = (free: number): string[] => {
    const args = [process.execPath, '--input-type=module', '-e', script, newFolder(), String(free)];
    const { stdout, stderr, signal } = spawnSync('sh', ['-c', 'ulimit -n 80 && exec "$0" "$@"', ...args], {
      encoding: 'utf8',
    });
    return [stdout.trim(), stderr, String(signal)];
  };
  for (const free of [1, 2, 4]) assert.deepEqual(said(free), ['EMFILE', '', 'null'], `${free} more files`);
  assert.deepEqual(said(8), ['opened', '', 'null']);
});
