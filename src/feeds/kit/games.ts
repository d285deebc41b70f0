// The games that a venue lists now, their markets, and the price of each outcome. Adapters update it as messages
// arrive; the publisher reads what changed. It holds the state, not the messages, so its size is bounded by the
// listing.

import type { IngestEvent } from '../../ingest/message.js';
import { type Commission, sameCommission } from '../../model/commission.js';
import type { Depth } from '../../model/depth.js';
import type { Outcome as Word } from '../../model/result.js';
import { sameFields } from '../../model/same-fields.js';
import { sameLadder } from './ladder.js';

export interface GameFacts {
  /** The venue's id of the game. */
  id: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  /** Only if the venue states it; otherwise the start time decides. */
  isLive?: boolean;
  status?: NonNullable<IngestEvent['status']>;
}

export interface OutcomeFacts {
  selection: string;
  /** home, away, draw, over, under; others are kept unchanged. */
  selectionType: string;
  line?: number;
  externalId?: string;
  deepLink?: string;
  /** The id that an order at the venue refers to. */
  tokenId?: string;
}

export interface MarketFacts {
  /** The venue's id of the market, unique in its game. */
  id: string;
  type: string;
  player?: string;
  stat?: string;
  team?: 'home' | 'away';
}

/** The venue's own word on an outcome. */
export interface Settled {
  game: GameFacts;
  market: MarketFacts;
  outcome: OutcomeFacts;
  word: Word;
}

/** The current offer of an outcome. */
export interface Quote {
  /** Decimal odds; null if there is no offer: the row is inactive then. */
  decimal: number | null;
  /** Amount that can be staked at the price, in the venue's currency. */
  size: number | null;
  /** The id for an order at this price, if it is not always the same. */
  tokenId?: string | undefined;
  /** The levels of the order book; none by default. */
  depth?: Depth | null;
}

const NOTHING: Quote = { decimal: null, size: null };

export class Outcome {
  readonly facts: OutcomeFacts;
  readonly market: VenueMarket;
  decimal: number | null = null;
  size: number | null = null;
  depth: Depth | null = null;
  tokenId: string | undefined;
  /** Its last price, which its row keeps while there is no offer. */
  last: number | null = null;

  constructor(facts: OutcomeFacts, market: VenueMarket) {
    this.facts = facts;
    this.market = market;
    this.tokenId = facts.tokenId;
  }

  set({ decimal, size, tokenId = this.tokenId, depth = null }: Quote): void {
    const isPriced = this.decimal === decimal && this.size === size && this.tokenId === tokenId;
    if (isPriced && sameLadder(this.depth, depth)) return;
    this.depth = depth;
    this.decimal = decimal;
    this.size = size;
    this.tokenId = tokenId;
    if (decimal !== null) this.last = decimal;
    this.market.touch();
  }
}

export class VenueMarket {
  readonly facts: MarketFacts;
  readonly game: VenueGame;
  readonly outcomes: readonly Outcome[];
  /** Whether it is not the main line of its type; the publisher decides. */
  alternate = false;
  volume24h: number | null = null;
  openInterest: number | null = null;
  /** The venue's commission here; null if it is the usual one. */
  commission: Commission | null = null;
  /** When the venue last showed its prices (Unix ms); null if it sends every change: then they are current. */
  seenMs: number | null = null;

  constructor(facts: MarketFacts, outcomes: readonly OutcomeFacts[], game: VenueGame) {
    this.facts = facts;
    this.game = game;
    this.outcomes = outcomes.map((each) => new Outcome(each, this));
  }

  /** Marks it as changed, to be sent. */
  touch(): void {
    this.game.touch(this);
  }

  /** Nothing of it is on offer, or its state is unknown. */
  clear(): void {
    for (const outcome of this.outcomes) outcome.set(NOTHING);
  }

  setCommission(commission: Commission | null): void {
    if (sameCommission(this.commission, commission)) return;
    this.commission = commission;
    this.touch();
  }

  /** The venue's figures on trading in the market, in its currency; null if not stated. */
  setTrade(volume24h: number | null, openInterest: number | null): void {
    if (this.volume24h === volume24h && this.openInterest === openInterest) return;
    this.volume24h = volume24h;
    this.openInterest = openInterest;
    this.touch();
  }
}

export class VenueGame {
  facts: GameFacts;
  readonly markets = new Map<string, VenueMarket>();
  /** Markets that changed since they were last sent. */
  readonly changed = new Set<VenueMarket>();
  /** The game must be sent whole: markets were added or removed, or its own fields changed. */
  whole = true;
  readonly #games: VenueGames;

  constructor(facts: GameFacts, games: VenueGames) {
    this.facts = facts;
    this.#games = games;
  }

  /** Adds a market, or returns the one of that id. */
  market(facts: MarketFacts, outcomes: readonly OutcomeFacts[]): VenueMarket {
    const known = this.markets.get(facts.id);
    if (known !== undefined) return known;
    const market = new VenueMarket(facts, outcomes, this);
    this.markets.set(facts.id, market);
    this.restructured();
    return market;
  }

  removeMarket(id: string): void {
    const market = this.markets.get(id);
    if (market === undefined) return;
    this.markets.delete(id);
    this.changed.delete(market);
    this.restructured();
  }

  restructured(): void {
    this.whole = true;
    this.#games.touched(this);
  }

  touch(market: VenueMarket): void {
    if (this.markets.get(market.facts.id) !== market) return;
    this.changed.add(market);
    this.#games.touched(this);
  }
}

/** Levels of an order book that are kept of a side where none are configured. */
const DEPTH_LEVELS = 5;

export class VenueGames {
  /** Levels kept of each side of an outcome's order book; 0 for none. */
  depth = DEPTH_LEVELS;
  readonly #byId = new Map<string, VenueGame>();
  /** Games with changes to send, oldest change first. */
  readonly changed = new Set<VenueGame>();
  /** Games that are no longer listed and whose rows must still be removed. */
  readonly removed = new Map<string, GameFacts>();
  /** Words that must still be sent. */
  settled: Settled[] = [];
  /** Called when the first change to send arrives. */
  onChange: () => void = () => {};

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): VenueGame | undefined {
    return this.#byId.get(id);
  }

  values(): IterableIterator<VenueGame> {
    return this.#byId.values();
  }

  /** Adds the game, or updates it. */
  put(facts: GameFacts): VenueGame {
    const known = this.#byId.get(facts.id);
    if (known === undefined) {
      const game = new VenueGame(facts, this);
      this.#byId.set(facts.id, game);
      this.removed.delete(facts.id);
      this.touched(game);
      return game;
    }
    if (!sameFields(known.facts, facts, CHANGING)) {
      known.facts = facts;
      known.restructured();
    }
    return known;
  }

  remove(id: string): void {
    const game = this.#byId.get(id);
    if (game === undefined) return;
    this.#byId.delete(id);
    this.changed.delete(game);
    this.removed.set(id, game.facts);
    this.onChange();
  }

  /** The venue has settled a market, whether it is still listed or not; an outcome without a word has none. */
  settle({ facts: market, game: { facts: game }, outcomes }: VenueMarket, words: readonly (Word | undefined)[]): void {
    for (const [i, { facts: outcome }] of outcomes.entries()) {
      const word = words[i];
      if (word !== undefined) this.settled.push({ game, market, outcome, word });
    }
    this.onChange();
  }

  touched(game: VenueGame): void {
    if (this.#byId.get(game.facts.id) !== game) return;
    this.changed.add(game);
    this.onChange();
  }
}

/** The fields of a game that may change. */
const CHANGING = ['league', 'home', 'away', 'startMs', 'isLive', 'status'] as const;
