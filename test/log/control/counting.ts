// Counts in a control store; as a program, until it is killed.

import { systemClock } from '../../../src/base/model/clock.js';
import { command } from '../../../src/log/control/command.js';
import { soleControl } from '../../../src/log/control/control.js';
import type { ControlReader } from '../../../src/log/control/entries.js';
import { controlPath, LmdbControlStore } from '../../../src/store/control-store.js';

export const addOne = command('test.add', (draft, name: string) => {
  const count = countOf(draft, name) + 1;
  draft.put(`count|${name}`, count);
  return count;
});

export function countOf(stored: ControlReader, name: string): number {
  return (stored.value(`count|${name}`) as number | undefined) ?? 0;
}

if (process.send !== undefined && process.argv[2] !== undefined && import.meta.filename === process.argv[1]) {
  const control = soleControl(new LmdbControlStore(controlPath(process.argv[2])), systemClock);
  for (;;) {
    const count = await control.run(addOne, 'killed');
    // What has not been written yet would be lost with the process.
    await new Promise((resolve) => process.send!(count, undefined, undefined, resolve));
  }
}
