// The first writer of a log that several machines share puts into it what its store had before: what earlier releases
// kept elsewhere, or a single process had.

import { command } from './command.js';
import { LOG_ORIGIN } from './entries.js';

export const restateOnce = command('control.restate', (draft, _: null) => {
  if (draft.value(LOG_ORIGIN) !== undefined) return;
  draft.restate();
  draft.put(LOG_ORIGIN, draft.position);
});
