// Errors that nothing caught and that do not end the process with a stack: a store that the disk has failed, and a fault
// of a feed of a user's own.

import { isGivenUp } from '../base/model/storage-error.js';
import { tookStrayError } from '../intake/feeds/own-feed.js';
import type { ServeContext } from './serve-context.js';

/**
 * A disk that refuses the page which completes a commit leaves LMDB's file unusable in this process: its threads share the
 * state of the file, and none can close it for the others. The process ends with one line, and a new one opens it anew.
 * @param fail ends the process with the error's message
 */
export function onUncaughtErrors({ onUncaught }: Pick<ServeContext, 'onUncaught'>, fail: (error: Error) => void): void {
  onUncaught((error) => {
    if (!isGivenUp(error)) return tookStrayError(error);
    fail(
      new Error(`the disk refused a commit, and the store cannot be used until it is opened anew: ${error.message}`),
    );
    return true;
  });
}
