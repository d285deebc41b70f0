// What feeds know over restarts, as entries of the control store.
import { createHash } from 'node:crypto';
import type { FeedMemory } from '../intake/feeds/feed.js';
import { command } from '../log/control/command.js';
import type { Control } from '../log/control/control.js';

const remember = command('feeds.remember', (draft, { entry, value }: { entry: string; value: unknown }) =>
  draft.put(entry, value),
);

/** Written by the process that writes the log, as odds are. */
export function feedMemory(control: Control): FeedMemory {
  return {
    read: (name) => control.store.value(entryOf(name)),
    write: async (name, value) => {
      await control.runHere({ name: remember.name, args: { entry: entryOf(name), value } });
    },
  };
}

/** Names hold what an operator asks for, which may be longer than a key of the store. */
function entryOf(name: string): string {
  return `feed|${createHash('sha256').update(name).digest('base64url')}`;
}
