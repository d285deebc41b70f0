// The end of a server, step after step. A step that fails does not keep the ones after it from being done.
type Step = readonly [what: string, end: () => unknown];

export class Shutdown {
  readonly #steps: Step[] = [];
  #at: string | null = null;
  #running: Promise<void> | undefined;

  /** The step that is under way; null before and after. */
  get at(): string | null {
    return this.#at;
  }

  /** What was opened last is closed first. */
  add(what: string, end: () => unknown): void {
    this.#steps.unshift([what, end]);
  }

  /** Once, however often it is called. Rejects at the end with the first failure. @param steps by default those added */
  run(steps: Iterable<Step> = this.#steps): Promise<void> {
    this.#running ??= this.#run(steps);
    return this.#running;
  }

  async #run(steps: Iterable<Step>): Promise<void> {
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
