// The feed of a venue whose games are looked up regularly and whose order books come another way: what it lists and
// prices goes to the sink, and what is listed no longer is asked for until it is settled.

import { LIMITS } from '../../../base/model/limits.js';
import { present } from '../../../base/model/present.js';
import { waitUntil } from '../wait.js';
import type { Documented } from './documented-fields.js';
import { type VenueGame, VenueGames, type VenueMarket } from './games.js';
import { Lookups, Missed } from './lookups.js';
import type { GameFacts } from './market-ids.js';
import { Settlements, type Words } from './settlements.js';
import { SourceFeed } from './source-feed.js';
import { type TeamAliases, type TeamLookup, VenueTeams } from './teams.js';
import type { FeeLookup } from './venue-fees.js';

export interface VenueFeedOptions {
  catalogue: TeamLookup & FeeLookup & { league(id: string): { sport: string } | undefined };
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
    const { random, depth } = options;
    super(parameters === '' ? book : `${book}:${parameters}`, {
      ...{ book, leagues, documented, random },
      games: new VenueGames(depth),
    });
    this.#venue = venue;
    this.#options = options;
    this.teams = new VenueTeams(options.catalogue, venue.teams);
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
