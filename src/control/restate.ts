// The first writer of a log that several machines share puts into it what its store had before: what earlier releases
// kept elsewhere, or a single process had.
import { command } from './command.js';

const ORIGIN = 'origin|log';

export const restateOnce = command('control.restate', (draft, _: null) => {
  if (draft.value(ORIGIN) !== undefined) return;
  draft.restate();
  draft.put(ORIGIN, draft.position);
});
