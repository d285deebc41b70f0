// A command asks again while there is no writer: a node that has just begun to listen may not lead yet, and another may
// be taking over.
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';

/** Longer than a change of writer takes. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

/** How a command asks the writer. What is asked must have the same effect when it is asked again. */
export type CommandRetry = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** Rejects with `unavailable` if there is no writer for longer than a change of writer takes, over all that is asked. */
export function commandRetry(): CommandRetry {
  const untilMs = monotonicMs() + PATIENCE_MS;
  return async (ask) => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const passes = error instanceof ApiError && error.code === 'unavailable';
        if (!passes || monotonicMs() > untilMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
}
