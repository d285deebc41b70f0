// What the entry point passes to `overround serve`, in one process or several.
import type { Clock } from '../base/model/clock.js';

export interface ServeContext {
  clock: Clock;
  /** The environment: settings of feeds are read when those are made. */
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** How this program is called (ownCommand). */
  command: string;
  out(text: string): void;
  /** Calls back at the first signal to end. */
  onSignal(end: (signal: string) => void): void;
  /** Calls back with an uncaught error; if the result is false it ends the process, as it would have. */
  onUncaught(take: (error: Error) => boolean): void;
}
