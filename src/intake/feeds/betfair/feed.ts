// The Betfair Exchange as a feed: one session, regular reads of the catalogue, stream connections over which the
// catalogue's markets are spread, and a publisher of their prices.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { compareText } from '../../../base/model/compare.js';
import { HOUR_MS } from '../../../base/model/time.js';
import { type VenueGame, VenueGames } from '../kit/games.js';
import { Lookups, Missed } from '../kit/lookups.js';
import { SourceFeed } from '../kit/source-feed.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import { waitUntil } from '../wait.js';
import { ApiRefusal, CatalogueApi } from './catalogue-api.js';
import { gameOf, Listing, type NamedGame, type NamedMarket } from './listing.js';
import { DOCUMENTED } from './messages.js';
import { type NameLookup, Names, SPORT_OF_EVENT_TYPE } from './names.js';
import { type Login, Session } from './session.js';
import { dialStream, StreamPart, type StreamTarget } from './stream-part.js';

export interface BetfairLookup extends NameLookup, FeeLookup {
  /** The sport of a league. */
  readonly leagues: readonly { id: string; sport: string }[];
}

export interface BetfairFeedOptions extends Login {
  /** The catalogue's sports to follow. */
  sports: readonly string[];
  lookup: BetfairLookup;
  stream: StreamTarget;
  /** The complete JSON-RPC address. */
  apiUrl: string;
  /** Uniform in [0, 1): jitter. */
  random: () => number;
  /** Levels kept of each side of a runner's ladder. */
  depth?: number;
  /** Interval of lists of the catalogue; 30 s by default. */
  discoverEveryMs?: number;
}

const BOOK = 'betfair';
const REQUESTS_PER_SECOND = 5;
/** Games that began up to this long ago may still be in play; those that begin later than this are not followed yet. */
const BEGUN_MS = 12 * HOUR_MS;
const AHEAD_MS = 14 * 24 * HOUR_MS;
/** Markets per subscription, and connections per application key: Betfair's default limits. */
const MARKETS_PER_CONNECTION = 200;
const CONNECTIONS_PER_KEY = 10;
/** The first list is sent without markets whose image has not arrived by then. */
const FIRST_IMAGES_MS = 5_000;

export class BetfairFeed extends SourceFeed<VenueGame, VenueGames> {
  readonly #options: BetfairFeedOptions;
  readonly #names: Names;
  readonly #listing: Listing;
  readonly #parts: StreamPart[] = [];
  /** The connection of each market. */
  readonly #partOf = new Map<string, StreamPart>();
  readonly #missed = new Missed();
  #perConnection = MARKETS_PER_CONNECTION;
  #session!: Session;
  #lookups!: Lookups;
  #warnedFull = false;
  #warnedRate = false;

  constructor(options: BetfairFeedOptions) {
    const { sports, lookup, random, depth } = options;
    const leagues = lookup.leagues.filter(({ sport }) => sports.includes(sport)).map(({ id }) => id);
    super(`betfair-stream:sports=${sports.join(',')}`, {
      ...{ book: BOOK, leagues, documented: DOCUMENTED, random },
      games: new VenueGames(depth),
    });
    this.#options = options;
    this.#names = new Names(lookup);
    this.#listing = new Listing(this.games, this.#names, lookup);
  }

  protected override async follow(signal: AbortSignal): Promise<void> {
    const { context } = this;
    this.#names.known.unlisted = (league, name) => context.report?.unlisted?.(league, name, BOOK);
    this.#session = new Session({ ...this.#options, ...this.access, signal });
    const isWhole = (): boolean => this.#parts.every((part) => part.isWhole);
    this.#lookups = new Lookups({
      venue: BOOK,
      everyMs: this.#options.discoverEveryMs ?? 30_000,
      ...this.access,
      look: async () => {
        this.#follow(await this.#catalogue());
        this.#checkRate();
      },
      first: async () => {
        await waitUntil(isWhole, FIRST_IMAGES_MS, signal);
        this.publisher.ready();
      },
    });
    await Promise.all([this.#session.run(), this.#lookups.run(signal)]);
  }

  /** Markets of games in known leagues, nearest start first. Throws if they could not be listed. */
  async #catalogue(): Promise<[NamedMarket, NamedGame][]> {
    const { appKey, apiUrl, sports } = this.#options;
    const token = await this.#session.token();
    if (token === undefined) throw new Error('stopped');
    const headers = () => ({ 'X-Application': appKey, 'X-Authentication': token });
    const api = new CatalogueApi(this.rest({ baseUrl: apiUrl, perSecond: REQUESTS_PER_SECOND, headers }));
    const nowMs = this.context.clock.now();
    const found = new Map<string, [NamedMarket, NamedGame]>();
    try {
      for (const [eventTypeId, sport] of Object.entries(SPORT_OF_EVENT_TYPE)) {
        if (!sports.includes(sport)) continue;
        const wants = (competition: string): boolean => this.#names.league(competition, sport) !== undefined;
        const query = { eventTypeId, wants, fromMs: nowMs - BEGUN_MS, toMs: nowMs + AHEAD_MS };
        for (const market of await api.markets(query)) {
          const game = gameOf(market, this.#names);
          if (game?.sport === sport) found.set(market.id, [market, game]);
        }
      }
    } catch (error) {
      if (error instanceof ApiRefusal && /SESSION/.test(error.code)) this.#session.refused(token);
      throw error;
    }
    return [...found.values()].sort(([a], [b]) => a.startMs - b.startMs || compareText(a.eventId, b.eventId));
  }

  /** Warns if a market's rate is higher than the operator's own setting. */
  #checkRate(): void {
    const { baseRatePercent } = this.#listing;
    const rate = this.#options.lookup.commissionOf(BOOK)?.rate ?? 0;
    if (this.#warnedRate || !this.#options.lookup.isCommissionSet(BOOK) || baseRatePercent <= rate * 100 + 1e-9) return;
    this.#warnedRate = true;
    const fields = { base_rate_percent: baseRatePercent, commission_percent: rate * 100 };
    this.context.log.warn(
      fields,
      'betfair: a market takes more of winnings than --commission says, unless the account has a discount',
    );
  }

  /** Spreads the markets over the connections, nearest start first; each connection keeps the markets it has. */
  #follow(markets: readonly [NamedMarket, NamedGame][]): void {
    const wanted = new Map<StreamPart, string[]>(this.#parts.map((part) => [part, []]));
    const before = new Map(this.#partOf);
    this.#partOf.clear();
    const listed = new Set(markets.map(([{ id }]) => id));
    for (const [id, part] of before) {
      if (listed.has(id)) this.#missed.listed(id);
      else if (!this.#missed.isGone(id) && wanted.get(part)!.length < this.#perConnection) {
        wanted.get(part)!.push(id);
        this.#partOf.set(id, part);
      }
    }
    // Markets that already have a connection come first, so that a new one moves none of them.
    const ordered = [...markets.filter(([{ id }]) => before.has(id)), ...markets.filter(([{ id }]) => !before.has(id))];
    for (const [market, game] of ordered) {
      const part = this.#roomFor(before.get(market.id), wanted);
      if (part === undefined) break;
      const ids = getOrInsert(wanted, part, () => []);
      ids.push(market.id);
      this.#partOf.set(market.id, part);
      this.#listing.name(market, game);
    }
    for (const id of before.keys()) if (!this.#partOf.has(id)) this.#listing.forget(id);
    for (const [part, ids] of wanted) if (!sameIds(part.marketIds, ids)) part.follow(ids);
    const left = markets.filter(([{ id }]) => !this.#partOf.has(id)).length;
    if (left > 0 && !this.#warnedFull)
      this.context.log.warn({ left_out: left }, 'betfair: more markets than the stream takes');
    this.#warnedFull = left > 0;
  }

  #roomFor(before: StreamPart | undefined, wanted: ReadonlyMap<StreamPart, string[]>): StreamPart | undefined {
    const hasRoom = (part: StreamPart): boolean => (wanted.get(part)?.length ?? 0) < this.#perConnection;
    if (before !== undefined && hasRoom(before)) return before;
    return this.#parts.find(hasRoom) ?? (this.#parts.length < CONNECTIONS_PER_KEY ? this.#newPart() : undefined);
  }

  #newPart(): StreamPart {
    const { stream, appKey } = this.#options;
    const part = new StreamPart({
      name: `stream ${this.#parts.length + 1}`,
      dial: dialStream(stream),
      ...this.access,
      appKey,
      session: this.#session,
      listing: this.#listing,
      documented: this.documented,
      levels: Math.max(1, this.games.depth),
      onTooMany: (count) => this.#halve(count),
    });
    this.#parts.push(part);
    this.running.push(part.run(this.stopping.signal));
    return part;
  }

  /** Betfair allows this account fewer markets than `count`: they are spread anew, over more connections. */
  #halve(count: number): void {
    const fewer = Math.max(1, Math.floor(count / 2));
    // A refusal from before the last spread is ignored.
    if (fewer >= this.#perConnection) return;
    this.#perConnection = fewer;
    this.#lookups.soon();
  }
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  const ids = new Set(a);
  return b.every((id) => ids.has(id));
}
