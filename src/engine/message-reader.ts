// Messages are read in turns of a few milliseconds, as everybody is answered on the same thread. Those of one sender are
// read one after the other, so that their order stays.
import { setImmediate } from 'node:timers/promises';
import { monotonicMs } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';

const TURN_MS = LIMITS.requestsTurn.max;

export class MessageReader {
  /** The last of each sender that has one under way. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #nowMs: () => number;

  constructor(nowMs = monotonicMs) {
    this.#nowMs = nowMs;
  }

  /**
   * The result at once if that takes no longer than a turn and nothing of the sender is under way.
   * @param onRead called with what it took in later turns
   */
  read<Result>(
    sender: string,
    steps: Generator<void, Result>,
    onRead?: (ms: number) => void,
  ): Result | Promise<Result> {
    const before = this.#last.get(sender);
    if (before === undefined) {
      const done = this.#turn(steps);
      if (done !== undefined) return done.value;
    }
    const reading = this.#inTurns(steps, before, onRead);
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(sender, settled);
    void settled.then(() => {
      if (this.#last.get(sender) === settled) this.#last.delete(sender);
    });
    return reading;
  }

  async #inTurns<Result>(
    steps: Generator<void, Result>,
    before: Promise<unknown> | undefined,
    onRead: ((ms: number) => void) | undefined,
  ): Promise<Result> {
    await before;
    let ms = 0;
    try {
      for (;;) {
        await setImmediate();
        const fromMs = this.#nowMs();
        const done = this.#turn(steps);
        ms += this.#nowMs() - fromMs;
        if (done !== undefined) return done.value;
      }
    } finally {
      onRead?.(ms);
    }
  }

  /** Undefined if there is more to do. */
  #turn<Result>(steps: Generator<void, Result>): { value: Result } | undefined {
    const untilMs = this.#nowMs() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step;
    } while (this.#nowMs() < untilMs);
    return undefined;
  }
}
