// The games that a venue lists now, their markets, and the price of each outcome. Adapters update it as messages
// arrive; the publisher reads what changed. It holds the state, not the messages, so its size is bounded by the
// listing.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { type Commission, sameCommission } from '../../../base/model/commission.js';
import type { Depth } from '../../../base/model/depth.js';
import { present } from '../../../base/model/present.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import { sameFields } from '../../../base/model/same-fields.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestEvent, IngestMarket, IngestSelection } from '../../ingest/message.js';
import { sameLadder } from './ladder.js';
import { type GameFacts, type MarketFacts, type OutcomeFacts, refOf, type Settled } from './market-ids.js';
import type { OutgoingGame, OutgoingGames } from './publisher.js';

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
  /** The price is the last one traded, and nothing is on offer; false by default. */
  indicative?: boolean;
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
  /** That one was traded, not offered. */
  indicative = false;

  constructor(facts: OutcomeFacts, market: VenueMarket) {
    this.facts = facts;
    this.market = market;
    this.tokenId = facts.tokenId;
  }

  set({ decimal, size, tokenId = this.tokenId, depth = null, indicative = false }: Quote): void {
    const isSame = this.decimal === decimal && (decimal === null || this.indicative === indicative);
    const isPriced = isSame && this.size === size && this.tokenId === tokenId;
    if (isPriced && sameLadder(this.depth, depth)) return;
    this.depth = depth;
    this.decimal = decimal;
    this.size = size;
    this.tokenId = tokenId;
    if (decimal !== null) {
      this.last = decimal;
      this.indicative = indicative;
    }
    this.market.touch();
  }

  /** Undefined if it was never priced. */
  get stated(): IngestSelection | undefined {
    const { selection, selectionType, line, externalId, marketId, deepLink } = this.facts;
    const { market, decimal, last, size, tokenId, depth } = this;
    if (last === null) return undefined;
    return present({
      selection,
      selection_type: selectionType,
      line,
      odds_decimal: decimal ?? last,
      is_active: decimal === null ? false : undefined,
      indicative: this.indicative || undefined,
      is_alternate_line: market.alternate || undefined,
      external_id: externalId,
      market_id: marketId,
      deep_link: deepLink,
      exchange_token_id: tokenId,
      size,
      depth,
      volume_24h: market.volume24h,
      open_interest: market.openInterest,
    });
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

  /** Undefined if nothing of it was ever priced: it has no rows then. */
  get stated(): IngestMarket | undefined {
    const { type, player, stat, team } = this.facts;
    const selections = this.outcomes.flatMap((outcome) => outcome.stated ?? []);
    if (selections.length === 0) return undefined;
    return present({
      market_type: type,
      player_name: player,
      stat_category: stat,
      team,
      commission: this.commission,
      last_seen_at: this.seenMs === null ? null : formatMs(this.seenMs),
      selections,
    });
  }
}

export class VenueGame implements OutgoingGame {
  facts: GameFacts;
  readonly markets = new Map<string, VenueMarket>();
  /** Markets that changed since they were last sent. */
  readonly changed = new Set<VenueMarket>();
  whole = true;
  readonly #games: VenueGames;

  constructor(facts: GameFacts, games: VenueGames) {
    this.facts = facts;
    this.#games = games;
  }

  get key(): string {
    return this.facts.id;
  }

  event(): IngestEvent {
    const { whole, markets, changed } = this;
    if (whole) chooseMainLines(markets.values(), this.#games.typeAt);
    const stated = [...(whole ? markets.values() : changed)];
    return { ...refOf(this.facts), markets: stated.flatMap((market) => market.stated ?? []) };
  }

  sent(): void {
    this.changed.clear();
    this.whole = false;
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

/** The type that a strike at a line is of in the table. */
type TypeAt = (type: string, line: number) => string;

export class VenueGames implements OutgoingGames<VenueGame> {
  /** Levels kept of each side of an outcome's order book; 0 for none. */
  depth: number;
  readonly #byId = new Map<string, VenueGame>();
  readonly changed = new Set<VenueGame>();
  readonly removed = new Map<string, VenueGame>();
  readonly settled: Settled[] = [];
  onChange: () => void = () => {};

  readonly typeAt: TypeAt;

  constructor(depth = DEPTH_LEVELS, typeAt: TypeAt = (type) => type) {
    this.depth = depth;
    this.typeAt = typeAt;
  }

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
    this.removed.set(id, game);
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

  suspend(): void {
    for (const game of this.values()) for (const market of game.markets.values()) market.clear();
  }

  touched(game: VenueGame): void {
    if (this.#byId.get(game.facts.id) !== game) return;
    this.changed.add(game);
    this.onChange();
  }
}

/** The fields of a game that may change. */
const CHANGING = ['league', 'home', 'away', 'startMs', 'startEstimated', 'isLive', 'status'] as const;

/** Those of a game's markets that the table can hold: of two with one question the one that is known, else the first. */
export function withoutRepeats<Market>(
  markets: readonly Market[],
  questionOf: (market: Market) => { type: string; outcomes: readonly OutcomeFacts[] },
  isKnown: (market: Market) => boolean,
): Market[] {
  const taken = new Set<string>();
  const kept: Market[] = [];
  for (const market of [...markets.filter(isKnown), ...markets.filter((one) => !isKnown(one))]) {
    const { type, outcomes } = questionOf(market);
    const keys = outcomes.map(({ selection, selectionType, line = '' }) =>
      [type, selectionType === 'contract' ? selection : selectionType, line].join('|'),
    );
    if (keys.some((key) => taken.has(key))) continue;
    for (const key of keys) taken.add(key);
    kept.push(market);
  }
  return kept;
}

// Chooses the main line among a game's markets of one type: venues list many spreads and totals and mark none as main.

interface LinedMarket {
  readonly facts: MarketFacts;
  readonly outcomes: readonly { facts: { line?: number }; decimal: number | null }[];
  alternate: boolean;
}

/**
 * The main line changes only if another line is closer to even by this much, so that two similar lines do not
 * alternate.
 */
const NEARER_BY = 0.04;

/** Marks all but one market with a line of each type (and player and team) as alternates. */
function chooseMainLines(markets: Iterable<LinedMarket>, typeAt: TypeAt): void {
  const groups = new Map<string, LinedMarket[]>();
  for (const market of markets) {
    const line = market.outcomes[0]?.facts.line;
    if (line === undefined) continue;
    const { type, player = '', team = '' } = market.facts;
    const key = `${typeAt(type, line)}|${player}|${team}`;
    getOrInsert(groups, key, () => []).push(market);
  }
  for (const group of groups.values()) {
    const main = mainOf(group);
    for (const market of group) market.alternate = market !== main;
  }
}

function mainOf(group: readonly LinedMarket[]): LinedMarket {
  const standing = group.filter(({ alternate }) => !alternate);
  const current = standing.length === 1 ? standing[0] : undefined;
  let best = current ?? group[0]!;
  let bestDistance = distanceFromEven(best) - (current === undefined ? 0 : NEARER_BY);
  for (const market of group) {
    const distance = distanceFromEven(market);
    if (distance < bestDistance) {
      best = market;
      bestDistance = distance;
    }
  }
  return best;
}

/** Distance of the dearer outcome from one half; a market without both prices always ranks behind one with them. */
function distanceFromEven({ outcomes }: LinedMarket): number {
  let worst = 0;
  for (const { decimal } of outcomes) {
    if (decimal === null) return 1;
    worst = Math.max(worst, Math.abs(1 / decimal - 0.5));
  }
  return worst;
}
