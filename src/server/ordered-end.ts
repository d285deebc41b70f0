// The end of a server, step after step. A step that fails does not keep the ones after it from being done.
export class OrderedEnd {
  #at: string | null = null;

  /** The step that is under way. */
  get at(): string | null {
    return this.#at;
  }

  /** @param steps by what is waited for, in order. Rejects at the end with the first failure. */
  async run(steps: Iterable<readonly [what: string, end: () => unknown]>): Promise<void> {
    const failures: unknown[] = [];
    for (const [what, end] of steps) {
      this.#at = what;
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    this.#at = null;
    if (failures.length > 0) throw failures[0];
  }
}
