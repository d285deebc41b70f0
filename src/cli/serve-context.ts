// What `overround serve` is given by the entry point, in one process or several.
import type { Clock } from '../model/clock.js';

export interface ServeContext {
  clock: Clock;
  version: string;
  out(text: string): void;
  /** Calls back at the first signal that asks for the end. */
  onSignal(end: (signal: string) => void): void;
  /** Calls back with an error that nobody caught; where the answer is false it ends the process, as it would have. */
  onUncaught(take: (error: Error) => boolean): void;
}
