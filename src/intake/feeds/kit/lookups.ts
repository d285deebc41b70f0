// Regular lookups of a venue's listing: sooner after a failure, and when the venue announces something new.

import { type BackoffLimits, Bell, backoffMs, wait } from '../wait.js';
import type { VenueAccess } from './rest.js';

interface LookupsOptions extends VenueAccess {
  /** The venue's name, for the log. */
  venue: string;
  everyMs: number;
  /** Updates the list; throws if a part of it could not be fetched. */
  look(): Promise<void>;
  /** Called after the first complete lookup; others go on meanwhile. Never rejects. */
  first?(): Promise<void>;
}

/** What lists no longer name. A page that moves while it is read may skip an entry: what two lists in a row lack is gone. */
export class Missed {
  readonly #once = new Set<string>();

  listed(id: string): void {
    this.#once.delete(id);
  }

  /** A list lacks it; returns whether it is gone. */
  isGone(id: string): boolean {
    const isGone = this.#once.delete(id);
    if (!isGone) this.#once.add(id);
    return isGone;
  }
}

const BACKOFF: BackoffLimits = { firstMs: 500, capMs: 3_000 };
/** Announcements come in groups: the list is looked up this long after the first. */
const SOON_MS = 2_000;
const PART = 'games';

export class Lookups {
  readonly #options: LookupsOptions;
  readonly #bell = new Bell();
  #announced = false;
  #failures = 0;

  constructor(options: LookupsOptions) {
    this.#options = options;
  }

  /** The venue announced something new. */
  soon(): void {
    this.#announced = true;
    this.#bell.ring();
  }

  /** Repeats lookups until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { everyMs, random, first } = this.#options;
    let begun = false;
    while (!signal.aborted) {
      this.#announced = false;
      const done = await this.#look(signal);
      if (signal.aborted) return;
      if (done && !begun) {
        begun = true;
        void first?.();
      }
      if (!this.#announced) await this.#bell.sleep(done ? everyMs : backoffMs(this.#failures, BACKOFF, random), signal);
      if (this.#announced) await wait(SOON_MS, signal);
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
