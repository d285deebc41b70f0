// Waiting, with a deadline, for a condition that others bring about.
import { noWriter } from '../../base/model/errors.js';

export class Waiter {
  readonly #looks = new Set<() => void>();
  #closed = false;

  /** Settles once it holds at a call of changed(). Rejects with `unavailable` after the deadline, and on close. */
  until(condition: () => boolean, withinMs: number): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(false), withinMs);
      const end = (holds: boolean): void => {
        clearTimeout(timer);
        this.#looks.delete(look);
        if (holds) resolve();
        else reject(noWriter());
      };
      const look = (): void => {
        if (this.#closed) end(false);
        else if (condition()) end(true);
      };
      this.#looks.add(look);
    });
  }

  /** To be called whenever something changed that a condition may depend on. */
  changed(): void {
    if (this.#looks.size > 0) for (const look of [...this.#looks]) look();
  }

  close(): void {
    this.#closed = true;
    this.changed();
  }
}
