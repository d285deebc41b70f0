// The markets of a stream as Betfair has them: images replace, deltas are applied, and each runner's best prices to
// back and to lay are derived.
import type { Level } from '../../model/depth.js';
import { LIMITS } from '../../model/limits.js';
import { type MarketDefinition, readDefinition, runnerKey } from './market-definition.js';
import { idOf, numberOf } from './messages.js';

/** A price, and the backers' stake available at it, in the account's currency. */
export interface Offer {
  price: number;
  size: number;
}

/** Prices of one side: by level (`batb`) or by price (`atb`), the keys of the stream. */
type Ladder = Map<number, Offer>;

/** For each side in order of preference: best offers, best offers with virtual ones, the whole ladder. */
const BACK_LADDERS = ['batb', 'bdatb', 'atb'] as const;
const LAY_LADDERS = ['batl', 'bdatl', 'atl'] as const;
type LadderName = (typeof BACK_LADDERS)[number] | (typeof LAY_LADDERS)[number];

const LEVELS_MAX = LIMITS.ladderLevels.max;
const RUNNERS_MAX = LIMITS.marketRunners.max;
/** Betfair's own price range. */
const HIGHEST_PRICE = 1_000;

export class RunnerBook {
  readonly #ladders = new Map<LadderName, Ladder>();

  /** The highest price to back, undefined if there is none. */
  get back(): Offer | undefined {
    return this.#best(BACK_LADDERS, (offer, than) => offer.price > than.price);
  }

  /** The lowest price to lay, undefined if there is none. */
  get lay(): Offer | undefined {
    return this.#best(LAY_LADDERS, (offer, than) => offer.price < than.price);
  }

  /** Everything on offer to back or to lay, in any order. */
  offers(side: 'back' | 'lay'): readonly Level[] {
    const names = side === 'back' ? BACK_LADDERS : LAY_LADDERS;
    const ladder = names.map((name) => this.#ladders.get(name)).find((known) => known !== undefined);
    return ladder === undefined ? [] : [...ladder.values()].map(({ price, size }): Level => [price, size]);
  }

  /** False if a part of it cannot be parsed. */
  apply(map: Record<string, unknown>): boolean {
    let sound = true;
    for (const name of BACK_LADDERS) if (map[name] !== undefined) sound = this.#applyLadder(name, map[name]) && sound;
    for (const name of LAY_LADDERS) if (map[name] !== undefined) sound = this.#applyLadder(name, map[name]) && sound;
    return sound;
  }

  #applyLadder(name: LadderName, entries: unknown): boolean {
    if (!Array.isArray(entries)) return false;
    let ladder = this.#ladders.get(name);
    if (ladder === undefined) {
      ladder = new Map();
      this.#ladders.set(name, ladder);
    }
    const keyed = name === 'atb' || name === 'atl';
    for (const entry of entries) {
      if (!Array.isArray(entry) || entry.length < (keyed ? 2 : 3)) return false;
      const price = numberOf(entry[keyed ? 0 : 1]);
      const size = numberOf(entry[keyed ? 1 : 2]);
      const key = keyed ? price : numberOf(entry[0]);
      if (key === null || price === null || size === null || size < 0) return false;
      if (size === 0) ladder.delete(key);
      else if (price > 1 && price <= HIGHEST_PRICE && (ladder.size < LEVELS_MAX || ladder.has(key)))
        ladder.set(key, { price, size });
      else return false;
    }
    return true;
  }

  #best(names: readonly LadderName[], better: (offer: Offer, than: Offer) => boolean): Offer | undefined {
    for (const name of names) {
      const ladder = this.#ladders.get(name);
      if (ladder === undefined) continue;
      let best: Offer | undefined;
      for (const offer of ladder.values()) if (best === undefined || better(offer, best)) best = offer;
      return best;
    }
    return undefined;
  }
}

export class MarketBook {
  readonly id: string;
  definition: MarketDefinition | undefined;
  readonly runners = new Map<string, RunnerBook>();

  constructor(id: string) {
    this.id = id;
  }

  runner(key: string): RunnerBook | undefined {
    return this.runners.get(key);
  }
}

export class MarketCache {
  readonly markets = new Map<string, MarketBook>();
  readonly #marketsMax: number;

  constructor(marketsMax: number) {
    this.#marketsMax = marketsMax;
  }

  clear(): void {
    this.markets.clear();
  }

  /**
   * Applies the changes of a message and adds the markets concerned to `touched`. False if a part could not be parsed:
   * those markets are invalid until their next image.
   */
  apply(changes: readonly unknown[], touched: Set<MarketBook>): boolean {
    let sound = true;
    for (const change of changes) sound = this.#applyMarket(change, touched) && sound;
    return sound;
  }

  #applyMarket(raw: unknown, touched: Set<MarketBook>): boolean {
    if (typeof raw !== 'object' || raw === null) return false;
    const map = raw as Record<string, unknown>;
    const id = idOf(map['id']);
    if (id === null) return false;
    let market = this.markets.get(id);
    if (map['img'] === true || market === undefined) {
      // More markets than were ever subscribed to: ignored.
      if (market === undefined && this.markets.size >= this.#marketsMax) return true;
      // A delta to an unknown runner is no image: it says nothing about the other prices.
      if (map['img'] !== true && map['marketDefinition'] === undefined) return false;
      const before = market?.definition;
      market = new MarketBook(id);
      market.definition = before;
      this.markets.set(id, market);
    }
    touched.add(market);
    let sound = true;
    if (map['marketDefinition'] !== undefined && map['marketDefinition'] !== null) {
      const definition = readDefinition(map['marketDefinition']);
      if (definition === undefined) sound = false;
      else market.definition = definition;
    }
    const runners = map['rc'];
    if (runners === undefined || runners === null) return sound;
    if (!Array.isArray(runners)) return false;
    for (const runner of runners) sound = applyRunner(market, runner) && sound;
    return sound;
  }
}

function applyRunner(market: MarketBook, raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  const map = raw as Record<string, unknown>;
  const id = idOf(map['id']);
  if (id === null) return false;
  const key = runnerKey(id, numberOf(map['hc']) ?? 0);
  let runner = market.runners.get(key);
  if (runner === undefined) {
    if (market.runners.size >= RUNNERS_MAX) return false;
    runner = new RunnerBook();
    market.runners.set(key, runner);
  }
  return runner.apply(map);
}
