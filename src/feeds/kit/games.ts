// What a venue lists now: games, their markets, and what can be had of each outcome. Adapters write into it as messages
// come; the publisher reads what changed. It holds the state, not the messages, so it is bounded by what is listed.

import type { IngestEvent } from '../../ingest/message.js';
import { type Commission, sameCommission } from '../../model/commission.js';
import { sameFields } from '../../model/same-fields.js';

export interface GameFacts {
  /** The venue's id of the game. */
  id: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  /** Only where the venue says it; not said, the start decides. */
  isLive?: boolean;
  status?: NonNullable<IngestEvent['status']>;
}

export interface OutcomeFacts {
  selection: string;
  /** home, away, draw, over, under; others are kept as they are. */
  selectionType: string;
  line?: number;
  externalId?: string;
  deepLink?: string;
  /** What an order at the venue names. */
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

/** What can be had of an outcome now. */
export interface Quote {
  /** Decimal odds; null where nothing can be had: the row is inactive then. */
  decimal: number | null;
  /** Money that can be staked at the price, in the venue's currency. */
  size: number | null;
  /** What an order at this price names, where that is not always the same. */
  tokenId?: string | undefined;
}

const NOTHING: Quote = { decimal: null, size: null };

export class Outcome {
  readonly facts: OutcomeFacts;
  readonly market: VenueMarket;
  decimal: number | null = null;
  size: number | null = null;
  tokenId: string | undefined;
  /** The price it had last: what its row keeps while nothing can be had. */
  last: number | null = null;

  constructor(facts: OutcomeFacts, market: VenueMarket) {
    this.facts = facts;
    this.market = market;
    this.tokenId = facts.tokenId;
  }

  set({ decimal, size, tokenId = this.tokenId }: Quote): void {
    if (this.decimal === decimal && this.size === size && this.tokenId === tokenId) return;
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
  /** Beside the main line of its type; the publisher decides. */
  alternate = false;
  volume24h: number | null = null;
  openInterest: number | null = null;
  /** What the venue takes of a bet here; null where that is what it takes elsewhere. */
  commission: Commission | null = null;
  /** When the venue showed its prices last (Unix ms); null where it tells of every change: then they are of now. */
  seenMs: number | null = null;

  constructor(facts: MarketFacts, outcomes: readonly OutcomeFacts[], game: VenueGame) {
    this.facts = facts;
    this.game = game;
    this.outcomes = outcomes.map((each) => new Outcome(each, this));
  }

  /** Something of it changed and is to be sent. */
  touch(): void {
    this.game.touch(this);
  }

  /** Nothing of it can be had, or nobody knows. */
  clear(): void {
    for (const outcome of this.outcomes) outcome.set(NOTHING);
  }

  setCommission(commission: Commission | null): void {
    if (sameCommission(this.commission, commission)) return;
    this.commission = commission;
    this.touch();
  }

  /** What the venue tells of the market's trade, in its currency; null where it does not. */
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
  /** Markets that changed since they were sent last. */
  readonly changed = new Set<VenueMarket>();
  /** The game is to be sent whole: markets came or went, or its facts changed. */
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

export class VenueGames {
  readonly #byId = new Map<string, VenueGame>();
  /** Games with something to send, in the order in which it happened. */
  readonly changed = new Set<VenueGame>();
  /** Games that are listed no more and whose rows are still to be taken down. */
  readonly removed = new Map<string, GameFacts>();
  /** Called when there is something to send where there was nothing. */
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

  /** Adds the game, or brings what is known of it up to date. */
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

  touched(game: VenueGame): void {
    if (this.#byId.get(game.facts.id) !== game) return;
    this.changed.add(game);
    this.onChange();
  }
}

/** What of a game may change. */
const CHANGING = ['league', 'home', 'away', 'startMs', 'isLive', 'status'] as const;
