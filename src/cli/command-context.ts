// What the entry point passes to commands, and which errors a server takes.
import type { Clock } from '../base/model/clock.js';
import { isGivenUp } from '../base/model/storage-error.js';
import { tookStrayError } from '../intake/feeds/own-feed.js';

export interface CommandContext {
  clock: Clock;
  /** The environment: settings of feeds are read when those are made. */
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** How this program is called (ownCommand). */
  command: string;
  /** Standard output and standard error. */
  out(text: string): void;
  err(text: string): void;
  /** Standard output; settles when there is room for more. */
  write(text: string): Promise<void>;
  /** Where a progress bar may be drawn; undefined if standard error is not a terminal. */
  terminal: NodeJS.WriteStream | undefined;
  /** Calls back at the first signal to end. */
  onSignal(end: (signal: string) => void): void;
  /** Calls back with an uncaught error; if the result is false it ends the process, as it would have. */
  onUncaught(take: (error: Error) => boolean): void;
}

// Errors that nothing caught and that do not end the process with a stack: a store that the disk has failed, and a fault
// of a feed of a user's own.

/**
 * A disk that refuses the page which completes a commit leaves LMDB's file unusable in this process: its threads share the
 * state of the file, and none can close it for the others. The process ends with one line, and a new one opens it anew.
 * @param fail ends the process with the error's message
 */
export function onUncaughtErrors(
  { onUncaught }: Pick<CommandContext, 'onUncaught'>,
  fail: (error: Error) => void,
): void {
  onUncaught((error) => {
    if (!isGivenUp(error)) return tookStrayError(error);
    fail(
      new Error(`the disk refused a commit, and the store cannot be used until it is opened anew: ${error.message}`),
    );
    return true;
  });
}
