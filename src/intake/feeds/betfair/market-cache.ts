// The markets of a stream as Betfair has them: images replace, deltas are applied, and each runner's best prices to
// back and to lay are derived.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import type { Level } from '../../../base/model/depth.js';
import { isMap } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { isDecimalPrice } from '../../../base/model/price.js';
import { parseTimeMs } from '../../../base/model/time.js';
import { idOf, numberOf, textOf } from './messages.js';

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
const LOWEST_PRICE = 1.01;
const HIGHEST_PRICE = 1_000;
/** The steps of the finest of Betfair's ladders are hundredths. */
const STEPS_OF_ONE = 100;
/** What a decimal fraction times that may be off a whole number. */
const ROUNDING = 1e-6;

export class RunnerBook {
  readonly #ladders = new Map<LadderName, Ladder>();
  /** The last price traded: all that the files of Betfair's basic plan have. */
  traded: number | null = null;

  get hasLadder(): boolean {
    return this.#ladders.size > 0;
  }

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

  /** Returns how many parts of it cannot be parsed: they are left out. */
  apply(map: Record<string, unknown>): number {
    let bad = 0;
    for (const name of BACK_LADDERS) if (map[name] !== undefined) bad += this.#applyLadder(name, map[name]);
    for (const name of LAY_LADDERS) if (map[name] !== undefined) bad += this.#applyLadder(name, map[name]);
    const traded = map['ltp'];
    if (traded === undefined || traded === null) return bad;
    const price = numberOf(traded);
    if (price === null || !isPrice(price)) return bad + 1;
    this.traded = price;
    return bad;
  }

  #applyLadder(name: LadderName, entries: unknown): number {
    if (!Array.isArray(entries)) return 1;
    const ladder = getOrInsert(this.#ladders, name, () => new Map());
    const keyed = name === 'atb' || name === 'atl';
    let bad = 0;
    for (const entry of entries) if (!applyEntry(ladder, entry, keyed)) bad++;
    return bad;
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

function isPrice(price: number): boolean {
  if (!(price >= LOWEST_PRICE && price <= HIGHEST_PRICE)) return false;
  const steps = price * STEPS_OF_ONE;
  return Math.abs(steps - Math.round(steps)) < ROUNDING;
}

/** False if the entry cannot be; what stood at its level is gone all the same. */
function applyEntry(ladder: Ladder, entry: unknown, keyed: boolean): boolean {
  if (!Array.isArray(entry) || entry.length < (keyed ? 2 : 3)) return false;
  const price = numberOf(entry[keyed ? 0 : 1]);
  const size = numberOf(entry[keyed ? 1 : 2]);
  const key = keyed ? price : numberOf(entry[0]);
  if (key === null) return false;
  if (size === 0) {
    ladder.delete(key);
    return price !== null;
  }
  const isOffer = price !== null && isPrice(price) && size !== null && size > 0;
  if (isOffer && (ladder.size < LEVELS_MAX || ladder.has(key))) ladder.set(key, { price, size });
  else {
    ladder.delete(key);
    return false;
  }
  return true;
}

export class MarketBook {
  readonly id: string;
  definition: MarketDefinition | undefined;
  readonly runners = new Map<string, RunnerBook>();

  constructor(id: string) {
    this.id = id;
  }

  /** Whether any offer was ever seen: without one, prices traded are all there is. */
  get hasOffers(): boolean {
    for (const runner of this.runners.values()) if (runner.hasLadder) return true;
    return false;
  }
}

export class MarketCache {
  readonly markets = new Map<string, MarketBook>();
  readonly #marketsMax: number;

  constructor(marketsMax: number) {
    this.#marketsMax = marketsMax;
  }

  /** Whether it is a change to a market of which no image has come. */
  isEarly(map: unknown): boolean {
    if (!isMap(map)) return false;
    if (map['img'] === true || map['marketDefinition'] != null) return false;
    const id = idOf(map['id']);
    return id !== null && !this.markets.has(id);
  }

  /**
   * Applies the changes of a message and adds the markets concerned to `touched`. Returns how many parts cannot be
   * parsed: they are left out, and of a live stream those markets are invalid until their next image.
   */
  apply(changes: readonly unknown[], touched: Set<MarketBook>): number {
    let bad = 0;
    for (const change of changes) bad += this.#applyMarket(change, touched);
    return bad;
  }

  #applyMarket(map: unknown, touched: Set<MarketBook>): number {
    if (!isMap(map)) return 1;
    const id = idOf(map['id']);
    if (id === null) return 1;
    let market = this.markets.get(id);
    if (map['img'] === true || market === undefined) {
      // More markets than were ever subscribed to: ignored.
      if (market === undefined && this.markets.size >= this.#marketsMax) return 0;
      // A delta to an unknown runner is no image: it says nothing about the other prices.
      if (map['img'] !== true && map['marketDefinition'] === undefined) return 1;
      const before = market?.definition;
      market = new MarketBook(id);
      market.definition = before;
      this.markets.set(id, market);
    }
    touched.add(market);
    let bad = 0;
    if (map['marketDefinition'] !== undefined && map['marketDefinition'] !== null) {
      const definition = readDefinition(map['marketDefinition']);
      if (definition === undefined) bad++;
      else market.definition = definition;
    }
    const runners = map['rc'];
    if (runners === undefined || runners === null) return bad;
    if (!Array.isArray(runners)) return bad + 1;
    for (const runner of runners) bad += applyRunner(market, runner);
    return bad;
  }
}

function applyRunner(market: MarketBook, map: unknown): number {
  if (!isMap(map)) return 1;
  const id = idOf(map['id']);
  if (id === null) return 1;
  const key = runnerKey(id, numberOf(map['hc']) ?? 0);
  let runner = market.runners.get(key);
  if (runner === undefined) {
    if (market.runners.size >= RUNNERS_MAX) return 1;
    runner = new RunnerBook();
    market.runners.set(key, runner);
  }
  return runner.apply(map);
}

// Betfair's definition of a market: its kind, state and runners. Definitions are always complete and contain no names,
// except in Betfair's historical files.

export type MarketDefinition = NonNullable<ReturnType<typeof readDefinition>>;
export type RunnerDefinition = NonNullable<ReturnType<typeof readRunner>>;

export function runnerKey(id: string, handicap: number): string {
  return `${id}|${handicap + 0}`;
}

/** Undefined if it is not a definition. */
export function readDefinition(map: unknown) {
  if (!isMap(map)) return undefined;
  const status = textOf(map['status']);
  const list = map['runners'] ?? [];
  if (status === null || !Array.isArray(list) || list.length > RUNNERS_MAX) return undefined;
  const runners: RunnerDefinition[] = [];
  for (const each of list) {
    const runner = readRunner(each);
    if (runner === undefined) return undefined;
    runners.push(runner);
  }
  return {
    /** OPEN, SUSPENDED, INACTIVE, CLOSED. */
    status,
    inPlay: map['inPlay'] === true,
    /** MATCH_ODDS, OVER_UNDER_25, ASIAN_HANDICAP … */
    marketType: textOf(map['marketType']) ?? '',
    /** ODDS, ASIAN_HANDICAP_DOUBLE_LINE, ASIAN_HANDICAP_SINGLE_LINE, LINE, RANGE. */
    bettingType: textOf(map['bettingType']) ?? 'ODDS',
    numberOfWinners: numberOf(map['numberOfWinners']),
    eventId: idOf(map['eventId']),
    eventTypeId: idOf(map['eventTypeId']),
    eventName: textOf(map['eventName']),
    /** Scheduled start (Unix ms). */
    startMs: parseTimeMs(map['marketTime']) ?? parseTimeMs(map['openDate']) ?? null,
    /** Betfair's rate on net winnings before discounts, percent. */
    baseRatePercent: numberOf(map['marketBaseRate']),
    runners,
    /** Status by runner key. */
    statuses: new Map(runners.map(({ key, status }) => [key, status])),
  };
}

/** An unsettled starting price is absent, 0, or a word. */
function priceOf(value: unknown): number | null {
  const price = numberOf(value);
  return price !== null && isDecimalPrice(price) ? price : null;
}

function readRunner(map: unknown) {
  if (!isMap(map)) return undefined;
  const id = idOf(map['id']);
  if (id === null) return undefined;
  const handicap = numberOf(map['hc']) ?? 0;
  return {
    /** `id|handicap`: the same selection occurs at several handicaps of one market. */
    key: runnerKey(id, handicap),
    id,
    handicap,
    status: textOf(map['status']) ?? 'ACTIVE',
    sortPriority: numberOf(map['sortPriority']) ?? 0,
    name: textOf(map['name']),
    /** Starting price, once it is settled. */
    startingPrice: priceOf(map['bsp']),
  };
}
