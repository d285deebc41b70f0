// Markets that a venue lists no longer: asked for one by one until the venue says how they were settled.
import { LIMITS } from '../../../base/model/limits.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import { DAY_MS } from '../../../base/model/time.js';
import type { FeedContext } from '../feed.js';
import { wait } from '../wait.js';
import type { VenueGames, VenueMarket } from './games.js';

/** The word on each outcome of a market, undefined where there is none; undefined: not settled yet. */
export type Words = readonly (Word | undefined)[] | undefined;

interface Unsettled {
  market: VenueMarket;
  ask(): Promise<Words>;
  sinceMs: number;
  nextMs: number;
}

export interface SettlementsOptions {
  games: VenueGames;
  context: FeedContext;
  /** Interval of the first questions about a market; 60 s by default. */
  everyMs?: number;
}

const UNSETTLED_MAX = LIMITS.unsettledMarkets.max;
const PART = 'settlements';
const TICK_MS = 1_000;
/** A venue may take days to settle what is disputed. */
const GIVE_UP_MS = 7 * DAY_MS;
/** Asked again after this part of the time it has been unsettled, at least. */
const AGAIN_PART = 0.1;

export class Settlements {
  readonly #options: SettlementsOptions;
  readonly #unsettled = new Map<string, Unsettled>();

  constructor(options: SettlementsOptions) {
    this.#options = options;
  }

  /** The market has left the list; beyond the bound the oldest one is forgotten. */
  expect(market: VenueMarket, ask: () => Promise<Words>): void {
    const { id } = market.facts;
    if (this.#unsettled.has(id)) return;
    const nowMs = this.#options.context.clock.now();
    this.#unsettled.set(id, { market, ask, sinceMs: nowMs, nextMs: nowMs });
    if (this.#unsettled.size > UNSETTLED_MAX) this.#unsettled.delete(this.#unsettled.keys().next().value!);
  }

  /** It is listed again. */
  listed(id: string): void {
    this.#unsettled.delete(id);
  }

  /** Asks until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { everyMs = 60_000 } = this.#options;
    while (await wait(Math.min(TICK_MS, everyMs), signal)) {
      const nowMs = this.#options.context.clock.now();
      for (const [id, one] of [...this.#unsettled]) {
        if (signal.aborted) return;
        if (one.nextMs > nowMs) continue;
        if (nowMs - one.sinceMs > GIVE_UP_MS) this.#unsettled.delete(id);
        else await this.#ask(id, one, nowMs, everyMs);
      }
    }
  }

  async #ask(id: string, one: Unsettled, nowMs: number, everyMs: number): Promise<void> {
    const { games, context } = this.#options;
    one.nextMs = nowMs + Math.max(everyMs, AGAIN_PART * (nowMs - one.sinceMs));
    try {
      const words = await one.ask();
      context.report?.succeeded(PART);
      if (words === undefined || this.#unsettled.get(id) !== one) return;
      this.#unsettled.delete(id);
      games.settle(one.market, words);
    } catch (error) {
      context.report?.failed(PART, (error as Error).message);
    }
  }
}
