// When a tick runs: in the turn that brought the news, or, where more is being committed already, together with that. A
// tick waits for others no longer than it takes itself, so that under load at most half of the time goes by waiting, and
// what is cheap to send never waits.
import type { Clock } from '../clock.js';

/** However much a tick costs. */
const WAIT_MS_MAX = 10;

export class Pace {
  readonly #clock: Clock;
  readonly #tick: () => void;
  readonly #moreComes: () => boolean;
  #looking = false;
  /** There is news that no tick has told. */
  #asked = false;
  /** What the last tick took. */
  #costMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param moreComes whether changes are on their way that will be news within milliseconds. */
  constructor(clock: Clock, tick: () => void, moreComes: () => boolean) {
    this.#clock = clock;
    this.#tick = tick;
    this.#moreComes = moreComes;
  }

  /** There is something new. All that comes before the tick runs is one. */
  ask(): void {
    this.#asked = true;
    if (this.#looking) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      this.#look();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#closed || !this.#asked) return;
    const waitMs = Math.min(WAIT_MS_MAX, this.#costMs);
    if (waitMs < 1 || !this.#moreComes()) this.#run();
    // From the oldest news on; later ones look again whether still more comes.
    else this.#timer ??= setTimeout(() => this.#run(), waitMs);
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#asked = false;
    const startedMs = this.#clock.now();
    this.#tick();
    this.#costMs = this.#clock.now() - startedMs;
  }
}
