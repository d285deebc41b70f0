// A recorded stream as ingest messages, through the same cache and listing as the live one: for the feed that plays it and
// for the files of Betfair's historic data.

import { LIMITS } from '../../../base/model/limits.js';
import { formatMs, MINUTE_MS } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { fieldsOf } from '../kit/field-readers.js';
import { VenueGames } from '../kit/games.js';
import { takeChanges } from '../kit/publisher.js';
import type { FeeLookup } from '../kit/venue-fees.js';
import { gameOf, Listing, type NamedGame, type NamedMarket } from './listing.js';
import { type MarketBook, MarketCache, readDefinition } from './market-cache.js';
import { type ChangeMessage, idOf } from './messages.js';
import { type NameLookup, Names, SPORT_OF_EVENT_TYPE, sidesOf } from './names.js';

export interface RecordedStreamOptions {
  /** Names of the recording's markets; without it the names in their definitions are used, if any. */
  catalogue?: readonly NamedMarket[] | undefined;
  lookup: NameLookup & FeeLookup;
  /** Levels kept of each side of a runner's ladder. */
  depth?: number | undefined;
  /** In place of a league of its own for games that only definitions name. */
  league?: string | undefined;
  /** Says again what stands while the stream is alive: a recording of changes has no polls. False by default. */
  restates?: boolean | undefined;
}

export const BOOK = 'betfair';
const MARKETS_MAX = LIMITS.recordedMarkets.max;
/** Prices of a stream that is alive are current: they are said again before they count as old. */
const RESTATED_MS = 4 * MINUTE_MS;

export class RecordedStream {
  readonly listing: Listing;
  /** Changes to markets of which no image had come. */
  early = 0;
  readonly #games: VenueGames;
  readonly #cache = new MarketCache(MARKETS_MAX);
  readonly #names: Names;
  readonly #named: ReadonlyMap<string, NamedMarket>;
  readonly #touched = new Set<MarketBook>();
  readonly #league: string | undefined;
  readonly #restates: boolean;
  /** By game: when all of it was said last. */
  readonly #statedMs = new Map<string, number>();

  constructor({ catalogue = [], lookup, depth, league, restates = false }: RecordedStreamOptions) {
    this.#games = new VenueGames(depth);
    this.#names = new Names(lookup);
    this.listing = new Listing(this.#games, this.#names, lookup);
    this.#named = new Map(catalogue.map((market) => [market.id, market]));
    this.#league = league;
    this.#restates = restates;
  }

  /** Returns how many parts of it could not be parsed. */
  apply({ changes, segment, behind }: ChangeMessage): number {
    // A recording may begin in the middle: what comes before a market's image says nothing by itself.
    const known = changes.filter((change) => !this.#cache.isEarly(change));
    this.early += changes.length - known.length;
    const bad = this.#cache.apply(known, this.#touched);
    if (segment === 'SEG_START' || segment === 'SEG') return bad;
    if (behind) {
      // As live: shown again once Betfair's own data is late no more.
      for (const book of this.#cache.markets.values()) {
        this.#touched.add(book);
        this.listing.suspend(book.id);
      }
      return bad;
    }
    for (const book of this.#touched) {
      if (!this.listing.has(book.id)) {
        const [named, game] = this.#identify(book) ?? [];
        if (named !== undefined && game !== undefined) this.listing.name(named, game);
      }
      this.listing.show(book);
    }
    this.#touched.clear();
    return bad;
  }

  /** The messages of a change: before it what a market showed that now closes, and all of a game now and then. */
  messagesOf(message: ChangeMessage, onBad: (parts: number) => void): IngestMessage[] {
    const atMs = message.publishedMs!;
    const polledAt = formatMs(atMs);
    if (!this.#restates) {
      onBad(this.apply(message));
      return this.take(polledAt);
    }
    const messages: IngestMessage[] = [];
    if (this.#suspends(message)) messages.push(...this.#all(message, polledAt, atMs));
    onBad(this.apply(message));
    for (const id of this.#gamesOf(message))
      if (atMs - (this.#statedMs.get(id) ?? Number.NEGATIVE_INFINITY) >= RESTATED_MS) this.#restate(id, atMs);
    messages.push(...this.take(polledAt));
    return messages;
  }

  /** What changed since the last call. */
  take(polledAt: string): IngestMessage[] {
    return takeChanges(this.#games, BOOK, polledAt).messages;
  }

  /** Markets that are left out as nothing names their runners. */
  unnamed(): number {
    const isLeftOut = (id: string): boolean => this.listing.leftOut.has(id) || !this.listing.has(id);
    return [...this.#cache.markets.values()].filter(
      ({ id, definition }) =>
        isLeftOut(id) && !this.#named.has(id) && definition?.runners.every(({ name }) => name === null) !== false,
    ).length;
  }

  /** Whether a market that takes bets takes none from this change on. */
  #suspends({ changes }: ChangeMessage): boolean {
    return changes.some((change) => {
      const { id: rawId, marketDefinition } = fieldsOf(change) ?? {};
      if (marketDefinition === undefined || marketDefinition === null) return false;
      const before = this.#cache.markets.get(idOf(rawId) ?? '')?.definition;
      return before?.status === 'OPEN' && readDefinition(marketDefinition)?.status !== 'OPEN';
    });
  }

  #all(message: ChangeMessage, polledAt: string, atMs: number): IngestMessage[] {
    for (const id of this.#gamesOf(message)) this.#restate(id, atMs);
    return this.take(polledAt);
  }

  #restate(id: string, atMs: number): void {
    const game = this.#games.get(id);
    if (game === undefined) return;
    this.#statedMs.set(id, atMs);
    game.restructured();
  }

  #gamesOf({ changes }: ChangeMessage): Set<string> {
    const ids = new Set<string>();
    for (const change of changes) {
      const { id } = fieldsOf(change) ?? {};
      const eventId = this.#cache.markets.get(idOf(id) ?? '')?.definition?.eventId;
      if (eventId !== undefined && eventId !== null) ids.add(eventId);
    }
    return ids;
  }

  #identify(book: MarketBook): [NamedMarket, NamedGame] | undefined {
    const named = this.#named.get(book.id);
    if (named !== undefined) {
      // A catalogue file of another kind of request has no event types; the stream has them.
      const eventTypeId = named.eventTypeId === '' ? (book.definition?.eventTypeId ?? '') : named.eventTypeId;
      const game = gameOf({ ...named, eventTypeId }, this.#names);
      return game === undefined ? undefined : [named, game];
    }
    return namedByDefinition(book, this.#league);
  }
}

/**
 * Names a market without a catalogue entry by the names in its definition, which historical files have; undefined where
 * it has none. It gets a league of its own, so that it is never matched with a game of another source.
 */
function namedByDefinition(book: MarketBook, own: string | undefined): [NamedMarket, NamedGame] | undefined {
  const { definition } = book;
  if (definition === undefined) return undefined;
  const { eventId, eventTypeId, eventName, startMs } = definition;
  if (definition.runners.every(({ name }) => name === null)) return undefined;
  const runnerNames = new Map(definition.runners.map(({ key, id, name }) => [key, name ?? `Selection ${id}`]));
  const first = [...definition.runners].sort((a, b) => a.sortPriority - b.sortPriority);
  const named = sidesOf(eventName ?? '');
  const home = named?.home ?? runnerNames.get(first[0]?.key ?? '');
  const away = named?.away ?? runnerNames.get(first[1]?.key ?? '');
  if (eventId === null || startMs === null || home === undefined || away === undefined) return undefined;
  const sport = SPORT_OF_EVENT_TYPE[eventTypeId ?? ''] ?? 'other';
  const market = {
    id: book.id,
    eventId,
    eventName: eventName ?? '',
    eventTypeId: eventTypeId ?? '',
    competition: '',
    startMs,
    runnerNames,
  };
  return [market, { sport, league: own ?? `betfair-${eventTypeId ?? 'other'}`, teams: { home, away } }];
}
