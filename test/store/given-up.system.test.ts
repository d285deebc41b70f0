// LMDB cannot be used any more where it could not write the page that completes a commit. A commit that failed otherwise
// can be tried again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SystemFaults } from '../../torture/shim.js';
import { newFolder } from '../temp-folders.js';

test('a store that has to be opened anew says so at the first commit that fails, with a reader open or written behind', {
  skip: existsSync('/proc/self/fdinfo') ? false : 'needs the handles of a process',
}, () => {
  const script = fileURLToPath(new URL('./given-up-store.js', import.meta.url));
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, newFolder()], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), Array(4).fill('given up'));
});

test('a commit written behind that the disk refuses is read meanwhile, and tried again', (t) => {
  const dir = newFolder();
  const system = SystemFaults.build('torture/shim.c', dir);
  if (system === null) return t.skip('there is no C compiler here');
  t.after(() => system.close());
  const script = fileURLToPath(new URL('./failing-commit.js', import.meta.url));
  const env = { ...process.env, ...system.env };
  const { stdout, stderr } = spawnSync(process.execPath, [script, dir], { env, encoding: 'utf8' });
  const refused = 'failed, 2 of 2, to be tried again';
  assert.deepEqual(
    JSON.parse(stdout || '[]'),
    ['ended, 1 of 1', refused, refused, refused, 'ended, 2 of 2', 'ended, 4 of 4'],
    stderr,
  );
});
