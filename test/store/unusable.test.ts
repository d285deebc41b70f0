// A store that this user may not use is refused with the name of its file.
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.js';
import { systemClock } from '../../src/model/clock.js';
import { createLog } from '../../src/observe/log.js';
import { StorageFull } from '../../src/store/storage-error.js';
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
