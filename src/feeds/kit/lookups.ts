// Regular lookups of a venue's listing: sooner after a failure, and when the venue announces something new.
import { type BackoffLimits, backoffMs } from '../backoff.js';
import type { FeedContext } from '../feed.js';
import { wait } from '../wait.js';

export interface LookupsOptions {
  /** The venue's name, for the log. */
  venue: string;
  everyMs: number;
  context: FeedContext;
  random: () => number;
  /** Updates the list; throws if a part of it could not be fetched. */
  look(): Promise<void>;
  /** Called after the first complete lookup. */
  first(): Promise<void>;
}

const BACKOFF: BackoffLimits = { firstMs: 500, capMs: 3_000 };
/** Announcements come in groups: the list is looked up this long after the first. */
const SOON_MS = 2_000;
const PART = 'games';

export class Lookups {
  readonly #options: LookupsOptions;
  #wake: (() => void) | undefined;
  #failures = 0;

  constructor(options: LookupsOptions) {
    this.#options = options;
  }

  /** The venue announced something new. */
  soon(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  /** Repeats lookups until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { everyMs, random, first } = this.#options;
    let begun = false;
    while (!signal.aborted) {
      const done = await this.#look(signal);
      if (signal.aborted) return;
      if (done && !begun) {
        begun = true;
        await first();
      }
      const woken = new AbortController();
      const stop = (): void => woken.abort();
      this.#wake = () => void wait(SOON_MS, signal).then(stop);
      signal.addEventListener('abort', stop, { once: true });
      await wait(done ? everyMs : backoffMs(this.#failures, BACKOFF, random), woken.signal);
      signal.removeEventListener('abort', stop);
    }
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { context, venue, look } = this.#options;
    try {
      await look();
    } catch (error) {
      if (signal.aborted) return false;
      const reason = (error as Error).message;
      context.report?.failed(PART, reason);
      if (this.#failures++ === 0) context.log.warn({ reason }, `${venue} cannot be reached; it is tried again`);
      return false;
    }
    if (this.#failures > 0) context.log.info({}, `${venue} answers`);
    this.#failures = 0;
    context.report?.succeeded(PART);
    return true;
  }
}
