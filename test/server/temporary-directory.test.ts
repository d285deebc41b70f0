import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { temporaryDirectory } from '../../src/server/served-recording.js';
import { lockDirectory } from '../../src/store/directory-lock.js';
import { newFolder } from '../temp-folders.js';

test('what a killed server of a recording left is removed at the next start; what is in use, or quite new, stays', async (t) => {
  const parent = newFolder('overround-');
  const clock = new ManualClock(Date.now());
  const [abandoned, running] = [await temporaryDirectory(parent, clock), await temporaryDirectory(parent, clock)];
  writeFileSync(join(abandoned, 'data'), 'left');
  const unlock = await lockDirectory(running);
  t.after(unlock);
  const made = await temporaryDirectory(parent, clock);
  assert.ok(existsSync(abandoned), 'its server may be about to lock it');
  clock.set(clock.now() + 120_000);
  assert.ok(existsSync(await temporaryDirectory(parent, clock)));
  assert.deepEqual([abandoned, made, running].map(existsSync), [false, false, true]);
});
