// The feed of a venue whose games are looked up regularly and whose order books come another way: what it lists and
// prices goes to the sink, and what is listed no longer is asked for until it is settled.

import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import { DAY_MS } from '../../../base/model/time.js';
import type { FeedContext } from '../feed.js';
import { wait, waitUntil } from '../wait.js';
import type { Documented } from './documented-fields.js';
import { VenueGame, VenueGames, VenueMarket } from './games.js';
import { Lookups, Missed } from './lookups.js';
import type { GameFacts, MarketFacts, OutcomeFacts } from './market-ids.js';
import { SourceFeed } from './source-feed.js';
import { type TeamAliases, type TeamLookup, VenueTeams } from './teams.js';
import type { FeeLookup } from './venue-fees.js';

export interface VenueFeedOptions {
  catalogue: TeamLookup &
    FeeLookup & {
      league(id: string): { sport: string } | undefined;
      typeAt(type: string, book: string, line: number): string;
    };
  /** Uniform in [0, 1). */
  random: () => number;
  /** Levels kept of each side of an order book. */
  depth?: number;
  /** Interval of questions about a market that is listed no longer. */
  settleEveryMs?: number;
  /** Interval of lookups of games. */
  discoverEveryMs?: number;
}

/** What is said of a venue, whichever games it lists. */
export interface Venue {
  /** The catalogue's id of the book. */
  book: string;
  /** The leagues that are looked up. */
  leagues: readonly string[];
  /** Interval of lookups of games, unless the options have another. */
  discoverEveryMs: number;
  /** Documented fields of its listing. */
  listing: Readonly<Record<string, Documented>>;
  /** Spellings of teams that only this venue uses. */
  teams?: TeamAliases;
}

/** More games than any calendar has. */
const GAMES_MAX = LIMITS.venueGames.max;
/** First books that have not arrived by then are not waited for. */
const FIRST_BOOKS_MS = 3_000;

export abstract class VenueFeed<Listed extends { readonly id: string }> extends SourceFeed<VenueGame, VenueGames> {
  protected readonly teams: VenueTeams;
  readonly #missed = new Missed();
  protected lookups!: Lookups;
  protected settlements!: Settlements;
  readonly #venue: Venue;
  readonly #options: VenueFeedOptions;

  /** @param parameters as they were given to the feed; empty if none were */
  constructor(venue: Venue, options: VenueFeedOptions, parameters: string) {
    const { book, leagues, listing: documented } = venue;
    const { random, depth, catalogue } = options;
    super(parameters === '' ? book : `${book}:${parameters}`, {
      ...{ book, leagues, documented, random },
      games: new VenueGames(depth, (type, line) => catalogue.typeAt(type, book, line)),
    });
    this.#venue = venue;
    this.#options = options;
    this.teams = new VenueTeams(catalogue, venue.teams);
  }

  /** Makes what the lookups and the books need; `this.context` is set. */
  protected abstract begin(): void;

  /** Updates the list of games. Throws if a part of it could not be fetched. */
  protected abstract look(): Promise<void>;

  /** A listed game, new or as before. */
  protected abstract put(game: Listed): void;

  /** It was not listed; `gone`: nor the time before, and it is removed after this call. */
  protected abstract missed(game: VenueGame, gone: boolean): void;

  /** Asks how a market that is listed no longer was settled. Throws if there is no answer. */
  protected abstract settled(market: VenueMarket): Promise<Words>;

  /** Whether every book that is listed has arrived. */
  protected abstract booksAreWhole(): boolean;

  protected override async follow(signal: AbortSignal): Promise<void> {
    const { games, context } = this;
    const { book } = this.#venue;
    const { settleEveryMs, discoverEveryMs = this.#venue.discoverEveryMs } = this.#options;
    this.teams.unlisted = (league, name) => context.report?.unlisted?.(league, name, book);
    this.settlements = new Settlements({
      ...{ venue: book, games, context, ask: (market) => this.settled(market) },
      ...present({ everyMs: settleEveryMs }),
    });
    this.lookups = new Lookups({
      venue: book,
      everyMs: discoverEveryMs,
      ...this.access,
      look: () => this.look(),
      first: async () => {
        await waitUntil(() => this.booksAreWhole(), FIRST_BOOKS_MS, signal);
        this.publisher.ready();
      },
    });
    this.begin();
    await Promise.all([this.lookups.run(signal), this.settlements.run(signal)]);
  }

  /** Applies a list of the games for which `includes` is true; by default all games. Missing once a game is closed. */
  protected list(list: readonly Listed[], includes: (facts: GameFacts) => boolean = () => true): void {
    const listed = new Set<string>();
    for (const one of list) {
      if (this.games.size >= GAMES_MAX && this.games.get(one.id) === undefined) continue;
      listed.add(one.id);
      this.#missed.listed(one.id);
      this.put(one);
    }
    for (const game of [...this.games.values()]) {
      const { id } = game.facts;
      if (!includes(game.facts) || listed.has(id)) continue;
      const gone = this.#missed.isGone(id);
      this.missed(game, gone);
      if (gone) this.games.remove(id);
    }
  }

  protected sportOf(league: string): string {
    return this.#options.catalogue.league(league)?.sport ?? 'other';
  }
}

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

interface SettlementsOptions {
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

/** Markets that a venue lists no longer: asked for one by one until the venue says how they were settled, over restarts. */
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
