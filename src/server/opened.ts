// What has been opened, to be closed in the reverse order.
import { OrderedEnd } from './ordered-end.js';

export class Opened {
  readonly #ends: [what: string, end: () => unknown][] = [];
  readonly #order = new OrderedEnd();
  #closed: Promise<void> | undefined;

  /** What is being closed; null before and after. */
  get closing(): string | null {
    return this.#order.at;
  }

  add(what: string, end: () => unknown): void {
    this.#ends.push([what, end]);
  }

  /** Rejects at the end with the first failure. */
  close(): Promise<void> {
    this.#closed ??= this.#order.run(this.#ends.reverse());
    return this.#closed;
  }
}
