// A process that cannot be started at all: it is one that ended, and is tried again.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StartOrder } from '../../src/cli/command-context.js';
import { Supervised } from '../../src/cli/supervise.js';
import { createLog } from '../../src/server/observe/log.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';

test('a process that the system does not start is tried again', async (t) => {
  const file = join(newFolder('overround-supervised-'), 'program.js');
  writeFileSync(file, `process.on('message', (m) => m.kind === 'stop' && process.exit()); process.send('here');`);
  const { execPath } = process;
  t.after(() => {
    process.execPath = execPath;
  });
  const reports: unknown[] = [];
  let gone = 0;
  const supervised = new Supervised({
    program: [file],
    label: 'front-1',
    order: () => ({ kind: 'start' }) as StartOrder,
    log: createLog('fatal', { write: () => undefined }),
    out: () => undefined,
    report: (report) => reports.push(report),
    onGone: () => gone++,
  });
  // What Node tells by an event, and what it throws.
  process.execPath = join(newFolder(), 'nothing');
  supervised.start();
  await until('it is gone', () => gone > 1);
  process.execPath = join(file, 'nothing');
  const before = gone;
  await until('it is gone again', () => gone > before + 1);
  assert.equal(supervised.pid, undefined);
  process.execPath = execPath;
  await until('it has started', () => reports.length > 0);
  await supervised.stop(5_000);
  assert.equal(supervised.pid, undefined);
});
