// The loop of a reader that polls: steps with pauses, until it is closed.
import { setTimeout as wait } from 'node:timers/promises';

export class Polling {
  #open = true;
  readonly #working: Promise<void>;

  /** @param step called `pauseMs` after the last one ended; at once if that returned true */
  constructor(pauseMs: () => number, step: () => Promise<unknown>) {
    this.#working = this.#work(pauseMs, step);
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Settles after the step under way. */
  close(): Promise<void> {
    this.#open = false;
    return this.#working;
  }

  async #work(pauseMs: () => number, step: () => Promise<unknown>): Promise<void> {
    // The first step needs its reader whole.
    await Promise.resolve();
    while (this.#open) if ((await step()) !== true) await wait(pauseMs());
  }
}
