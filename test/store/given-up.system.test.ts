// LMDB cannot be used any more where it could not write the page that completes a commit.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../temp-folders.js';

test('a control store that has to be opened anew says so at the first commit that fails, with a reader open', {
  skip: existsSync('/proc/self/fdinfo') ? false : 'needs the handles of a process',
}, () => {
  const script = fileURLToPath(new URL('./given-up-store.js', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, newFolder()], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), ['given up', 'given up']);
});
