// Markets that a venue lists no longer: asked for one by one until the venue says how they were settled, over restarts.
import { LIMITS } from '../../../base/model/limits.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import { DAY_MS } from '../../../base/model/time.js';
import type { FeedContext } from '../feed.js';
import { wait } from '../wait.js';
import { VenueGame, type VenueGames, VenueMarket } from './games.js';
import type { GameFacts, MarketFacts, OutcomeFacts } from './market-ids.js';

/** The word on each outcome of a market, undefined where there is none; undefined: not settled yet. */
export type Words = readonly (Word | undefined)[] | undefined;

interface Unsettled {
  market: VenueMarket;
  sinceMs: number;
  askedMs: number;
  /** Of what is kept over restarts. */
  part: number;
}

/** As it is kept over restarts. */
interface Kept {
  game: GameFacts;
  market: MarketFacts;
  outcomes: OutcomeFacts[];
  sinceMs: number;
}

export interface SettlementsOptions {
  /** The venue's name in the feed's memory. */
  venue: string;
  games: VenueGames;
  context: FeedContext;
  ask(market: VenueMarket): Promise<Words>;
  /** Interval of the first questions about a market; 60 s by default. */
  everyMs?: number;
}

const UNSETTLED_MAX = LIMITS.unsettledMarkets.max;
const PART = 'settlements';
const TICK_MS = 1_000;
/** They are kept in so many values, of which those that changed are written: all of them at once would hold the process up. */
const KEPT_PARTS = 64;
/** A list that closes many is written once. */
const WRITTEN_EVERY_MS = 5_000;
/** A venue may take days to settle what is disputed. */
const GIVE_UP_MS = 7 * DAY_MS;
/** Asked again after this part of the time it has been unsettled, at least. */
const AGAIN_PART = 0.1;

export class Settlements {
  readonly #options: SettlementsOptions;
  readonly #unsettled = new Map<string, Unsettled>();
  /** Parts that differ from those in the feed's memory. */
  readonly #changed = new Set<number>();
  #lastPart = 0;
  #writtenMs = 0;

  constructor(options: SettlementsOptions) {
    this.#options = options;
    const kept = Array.from({ length: KEPT_PARTS }, (_, part) => {
      const markets = (options.context.memory?.read(this.#memoryOf(part)) ?? []) as Kept[];
      return markets.map((one) => ({ ...one, part }));
    }).flat();
    for (const { game, market, outcomes, sinceMs, part } of kept.sort((a, b) => a.sinceMs - b.sinceMs)) {
      const known = new VenueMarket(market, outcomes, new VenueGame(game, options.games));
      this.#unsettled.set(market.id, { market: known, sinceMs, askedMs: Number.NEGATIVE_INFINITY, part });
    }
  }

  #memoryOf(part: number): string {
    return `${this.#options.venue} unsettled ${part}`;
  }

  /** The market has left the list; beyond the bound the oldest one is forgotten. */
  expect(market: VenueMarket): void {
    const { id } = market.facts;
    if (this.#unsettled.has(id)) return;
    const nowMs = this.#options.context.clock.now();
    const part = ++this.#lastPart % KEPT_PARTS;
    this.#unsettled.set(id, { market, sinceMs: nowMs, askedMs: Number.NEGATIVE_INFINITY, part });
    this.#changed.add(part);
    if (this.#unsettled.size > UNSETTLED_MAX) this.#forget(this.#unsettled.keys().next().value!);
  }

  /** It is listed again. */
  listed(id: string): void {
    this.#forget(id);
  }

  /** Asks until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { context, everyMs = 60_000 } = this.#options;
    while (await wait(Math.min(TICK_MS, everyMs), signal)) {
      const nowMs = context.clock.now();
      for (const [id, one] of [...this.#unsettled]) {
        if (signal.aborted) break;
        // Either way, as the clock may be set back.
        if (Math.abs(nowMs - one.askedMs) < Math.max(everyMs, AGAIN_PART * (one.askedMs - one.sinceMs))) continue;
        if (nowMs - one.sinceMs > GIVE_UP_MS) this.#forget(id);
        else await this.#ask(id, one, nowMs);
        await this.#rememberInTime(everyMs);
      }
      await this.#rememberInTime(everyMs);
    }
    await this.#remember(context.clock.now());
  }

  /** Also while a venue takes long to say nothing of many. */
  async #rememberInTime(everyMs: number): Promise<void> {
    const nowMs = this.#options.context.clock.now();
    if (Math.abs(nowMs - this.#writtenMs) >= Math.min(WRITTEN_EVERY_MS, everyMs)) await this.#remember(nowMs);
  }

  #forget(id: string): void {
    const part = this.#unsettled.get(id)?.part;
    if (this.#unsettled.delete(id)) this.#changed.add(part!);
  }

  async #ask(id: string, one: Unsettled, nowMs: number): Promise<void> {
    const { games, context, ask } = this.#options;
    one.askedMs = nowMs;
    try {
      const words = await ask(one.market);
      context.report?.succeeded(PART);
      if (words === undefined || this.#unsettled.get(id) !== one) return;
      this.#forget(id);
      games.settle(one.market, words);
    } catch (error) {
      context.report?.failed(PART, (error as Error).message);
    }
  }

  async #remember(nowMs: number): Promise<void> {
    const { memory } = this.#options.context;
    if (memory === undefined || this.#changed.size === 0) return;
    this.#writtenMs = nowMs;
    const kept = new Map<number, Kept[]>([...this.#changed].map((part) => [part, []]));
    for (const { market, sinceMs, part } of this.#unsettled.values()) {
      const { game, facts, outcomes } = market;
      const outcomeFacts = outcomes.map((outcome) => outcome.facts);
      kept.get(part)?.push({ game: game.facts, market: facts, outcomes: outcomeFacts, sinceMs });
    }
    this.#changed.clear();
    for (const [part, markets] of kept)
      try {
        // Fields that are undefined are left out.
        await memory.write(this.#memoryOf(part), JSON.parse(JSON.stringify(markets)));
      } catch {
        // The sink's failures are told; this is tried again.
        this.#changed.add(part);
      }
  }
}
