// Maps polls and remembers which books each league had: a book that is missing from a complete answer gets an empty
// message, as nothing else would ever remove its last prices. A run's first answers are compared with the last run's.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { isId } from '../../../base/model/ids.js';
import { LIMITS } from '../../../base/model/limits.js';
import { sameFields } from '../../../base/model/same-fields.js';
import type { IngestEvent, IngestMarket, IngestMessage } from '../../ingest/message.js';
import { readInstant } from './instant.js';
import { bookOfKey, derivedLeague, marketPlan, sportOfKey } from './market-types.js';
import { type Game, type KnownBook, type KnownMarket, PollMemo, sameBookmaker, sameOutcomes } from './memory.js';
import { isPrice, linkOf, type MarketContext, readMarkets } from './outcomes.js';
import {
  idOf,
  type LeagueLookup,
  listOf,
  type MappedPoll,
  type OddsFormat,
  type OddsPoll,
  objectAt,
  type RawBookmaker,
  type RawEvent,
  type RawMarket,
  type RawOutcome,
  type Skipped,
  textOf,
} from './payload.js';

export interface SourcedPoll extends OddsPoll {
  /** The requested sport: an answer without events still clears its leagues. */
  source: string;
  /** It was asked for with the same books and markets as the source's answers before; false by default. */
  repeats?: boolean;
}

/** Books by league. */
export type ListedBooks = Record<string, string[]>;

/** The books whose complete leagues the messages state, in one order. */
export function booksIn(messages: readonly IngestMessage[]): ListedBooks {
  const listed: ListedBooks = {};
  for (const { scope, league, book } of messages)
    if (scope === 'league' && league !== undefined) listed[league] = [...(listed[league] ?? []), book].sort();
  return listed;
}

/** The list of the next games of all sports, which others take the place of. */
export const UPCOMING = 'upcoming';

export class OddsApiMapper {
  readonly #leagues: LeagueLookup;
  /** League -> the books whose games were listed when it was last complete. */
  readonly #books = new Map<string, Set<string>>();
  /** Source -> the leagues its answers have contained. */
  readonly #sources = new Map<string, Set<string>>();

  readonly #memory = new PollMemo();

  constructor(leagues: LeagueLookup) {
    this.#leagues = leagues;
  }

  /** The poll's messages; for a complete one also an empty message for every book that disappeared from its leagues. */
  map(poll: SourcedPoll): MappedPoll {
    this.#memory.begin(poll.source);
    const mapped = mapPoll(poll, this.#leagues, this.#memory);
    // An invalid list of events says nothing, least of all that everything is gone.
    if (!Array.isArray(poll.events)) return mapped;
    if (!poll.complete) {
      if (poll.repeats === true) mapped.messages.push(...this.#left(poll));
      return mapped;
    }
    const listed = booksIn(mapped.messages);
    const covered = setOf(this.#sources, poll.source);
    for (const league of Object.keys(listed)) covered.add(league);
    for (const league of covered) {
      const now = new Set(listed[league]);
      for (const book of this.#books.get(league) ?? []) {
        if (!now.has(book)) {
          mapped.messages.push({ book, polled_at: poll.polledAt, scope: 'league', league, events: [] });
        }
      }
      this.#books.set(league, now);
    }
    return mapped;
  }

  /** Books that a game lost since the last answer; of a game that it lists no longer all, if it lists one sport's. */
  #left({ polledAt: polled_at, source }: SourcedPoll): IngestMessage[] {
    const left: IngestMessage[] = [];
    const names = (keys: readonly unknown[]) => new Set(keys.map((key) => bookOfKey(String(key).trim().toLowerCase())));
    for (const { entry, books, now } of this.#memory.before()) {
      if (now === undefined && source === UPCOMING) continue;
      const present = names(now ?? []);
      for (const book of names(books))
        if (!present.has(book)) left.push({ book, polled_at, scope: 'event', events: [{ ...entry, markets: [] }] });
    }
    return left;
  }

  /** The messages of the source's last answer were not delivered. */
  undelivered(source: string): void {
    this.#memory.forget(source);
  }

  /** The source listed these, in another run or in messages that were not delivered: its next poll clears what it lacks. */
  listed(source: string, books: ListedBooks): void {
    for (const [league, names] of Object.entries(books)) {
      setOf(this.#sources, source).add(league);
      // Other runs may have listed them by their keys.
      for (const name of names) setOf(this.#books, league).add(bookOfKey(name));
    }
  }
}

function setOf(map: Map<string, Set<string>>, key: string): Set<string> {
  return getOrInsert(map, key, () => new Set());
}

/**
 * The format of an answer's prices, for recordings that do not state it: American prices are never between -100 and
 * 100, and decimal ones never negative. A single invalid price does not decide, and most decimal ones of a list of outsiders
 * are above 100. Of an answer without prices it is `otherwise`.
 */
export function detectOddsFormat(events: unknown, otherwise: OddsFormat = 'american'): OddsFormat {
  let small = 0;
  let prices = 0;
  for (const price of pricesIn(events)) {
    // Nearly every American answer has a favourite among its first prices.
    if (price < 0) return 'american';
    prices++;
    if (price < 100) small++;
  }
  if (prices === 0) return otherwise;
  return small * 2 > prices || (small > 1 && small * 10 > prices) ? 'decimal' : 'american';
}

const DEPTH_MAX = LIMITS.priceDepth.max;

function* pricesIn(value: unknown, depth = 0): Iterable<number> {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'price') yield* pricesIn(inner, depth + 1);
    else if (typeof inner === 'number') yield inner;
    else if (typeof inner === 'string' && inner.trim() !== '' && Number.isFinite(Number(inner))) yield Number(inner);
  }
}

// Maps an answer of The Odds API v4 to ingest messages: one per book and league, for the scope in which the answer is
// complete. Pure.

const SPORT_KEY = /^[a-z0-9][a-z0-9_]{0,79}$/;
/** Their outrights are bets on a person. */
const PLAYER_SPORTS = new Set(['golf', 'tennis', 'boxing', 'mma']);

/** The contents of one answer, by book. */
interface Draft {
  polledAt: string;
  oddsFormat: OddsFormat;
  skipped: Skipped[];
  /** League -> book -> its events of the league. */
  games: Map<string, Map<string, IngestEvent[]>>;
  /** Book -> its outright markets. */
  futures: Map<string, object[]>;
  memory: PollMemo;
  leagues: LeagueLookup;
}

/**
 * Maps one answer. Every quote carries its market's `last_update`, else the book's, else none, so that the poll's time
 * applies. Invalid parts are omitted one by one and listed in `skipped`; nothing throws. Outrights become futures in
 * messages of their own with scope `none`, as they say nothing about the games of their league.
 * @param memory the previous answer of the same source
 */
export function mapPoll(poll: OddsPoll, leagues: LeagueLookup, memory?: PollMemo): MappedPoll {
  const draft: Draft = {
    polledAt: poll.polledAt,
    oddsFormat: poll.oddsFormat ?? 'american',
    skipped: [],
    games: new Map(),
    futures: new Map(),
    memory: memory ?? new PollMemo(),
    leagues,
  };
  const ids = new Set<string>();
  const list = listOf(poll.events, '', draft.skipped);
  for (let i = 0; i < list.length; i++) {
    const event = objectAt<RawEvent>(list, i, '', draft.skipped);
    if (event === undefined) continue;
    const id = textOf(event.id);
    if (id !== undefined && ids.has(id)) {
      draft.skipped.push({ path: `[${i}]`, reason: 'the same event twice' });
      continue;
    }
    if (id !== undefined) ids.add(id);
    readEvent(event, id, `[${i}]`, draft);
  }
  return { messages: messagesOf(draft, poll.complete), skipped: draft.skipped };
}

function messagesOf(draft: Draft, complete: boolean): IngestMessage[] {
  const messages: IngestMessage[] = [];
  for (const [league, books] of draft.games) {
    for (const [book, events] of books) {
      messages.push(
        complete
          ? { book, polled_at: draft.polledAt, scope: 'league', league, events }
          : { book, polled_at: draft.polledAt, scope: 'event', events },
      );
    }
  }
  for (const [book, futures] of draft.futures) {
    messages.push({ book, polled_at: draft.polledAt, scope: 'none', futures });
  }
  return messages;
}

function readEvent(event: RawEvent, id: string | undefined, path: string, draft: Draft): void {
  const known = id === undefined ? undefined : draft.memory.event(id, event, draft.oddsFormat);
  const game = known === undefined ? readGame(event, id, draft.leagues) : known.game;
  if ('unread' in game) {
    draft.skipped.push({ path: `${path}.sport_key`, reason: game.unread });
    return;
  }
  if (!('entry' in game) && !isOutrightOnly(event.bookmakers)) {
    draft.skipped.push({ path, reason: game.lacking });
    return;
  }
  const books = new Map<unknown, KnownBook>();
  const list = listOf(event.bookmakers, `${path}.bookmakers`, draft.skipped);
  for (let i = 0; i < list.length; i++) {
    const bookmaker = objectAt<RawBookmaker>(list, i, `${path}.bookmakers`, draft.skipped);
    if (bookmaker === undefined) continue;
    const key = textOf(bookmaker.key)?.toLowerCase();
    const at = `${path}.bookmakers[${i}]`;
    if (key === undefined || !isId(key)) {
      draft.skipped.push({ path: `${at}.key`, reason: 'missing or not a book' });
      continue;
    }
    const book = bookOfKey(key);
    if ('entry' in game) books.set(bookmaker.key, readBook(game, bookmaker, book, at, draft, known?.books));
    else readOutrights(event, bookmaker, book, game, at, draft);
  }
  if (id !== undefined && 'entry' in game && Array.isArray(event.bookmakers))
    draft.memory.keep(id, event, { oddsFormat: draft.oddsFormat, game, books }, known);
}

interface League {
  league: string;
  sport: string;
  sportKey: string;
}

/**
 * The game; only its league if something is missing (it may then contain outrights); or the reason why not even that is
 * valid.
 */
function readGame(
  event: RawEvent,
  id: string | undefined,
  leagues: LeagueLookup,
): Game | (League & { lacking: string }) | { unread: string } {
  const sportKey = textOf(event.sport_key)?.toLowerCase();
  if (sportKey === undefined || !SPORT_KEY.test(sportKey)) return { unread: 'missing or not a sport key' };
  const known = leagues.leagueOf(sportKey);
  const league = known?.id ?? derivedLeague(sportKey);
  if (!isId(league)) return { unread: 'not a sport key' };
  const sport = known?.sport ?? sportOfKey(sportKey);
  const home = textOf(event.home_team);
  const away = textOf(event.away_team);
  const start = readInstant(event.commence_time);
  if (home === undefined || away === undefined) return { league, sport, sportKey, lacking: 'a team is missing' };
  if (home.toLowerCase() === away.toLowerCase())
    return { league, sport, sportKey, lacking: 'home and away are one team' };
  if (start === undefined) return { league, sport, sportKey, lacking: 'commence_time is not a time' };
  const entry = { league, home_team: home, away_team: away, start_time: start.iso };
  return { entry: id === undefined ? entry : { ...entry, external_id: id }, league, sport, home, away };
}

function readBook(
  game: Game,
  bookmaker: RawBookmaker,
  book: string,
  path: string,
  draft: Draft,
  knownBooks: ReadonlyMap<unknown, KnownBook> | undefined,
): KnownBook {
  const { skipped } = draft;
  const events = eventsOf(draft, game.league, book);
  // Two keys may be one book (williamhill_us and caesars): it still has one event.
  const last = events.at(-1);
  const again = last !== undefined && sameFields<Game['entry']>(last, game.entry, ENTRY);
  const known = knownBooks?.get(bookmaker.key);
  if (known !== undefined && known.event !== null && !again && sameBookmaker(known.raw, bookmaker)) {
    events.push(known.event);
    return known;
  }
  const skippedBefore = skipped.length;
  const bookSeen = readInstant(bookmaker.last_update);
  const bookLink = linkOf(bookmaker.link);
  const isExchange = draft.leagues.book?.(book)?.isExchange ?? false;
  const markets: IngestMarket[] = [];
  const read: (KnownMarket | null)[] = [];
  const list = listOf(bookmaker.markets, `${path}.markets`, skipped);
  for (let i = 0; i < list.length; i++) {
    const market = objectAt<RawMarket>(list, i, `${path}.markets`, skipped);
    if (market === undefined) continue;
    const seenAt = (readInstant(market.last_update) ?? bookSeen)?.iso;
    const link = linkOf(market.link) ?? bookLink;
    let one = sameMarket(known?.markets[read.length], market, seenAt, link);
    if (one === undefined) {
      const clean = skipped.length;
      const made = readMarket(game, market, { seenAt, link, isExchange }, `${path}.markets[${i}]`, draft);
      if (skipped.length === clean) one = { raw: market, link, seenAt, made };
      else markets.push(...made);
    }
    if (one !== undefined) markets.push(...one.made);
    read.push(one ?? null);
  }
  if (again) {
    // The present one may be shared with the last answer: it is replaced, not changed.
    events[events.length - 1] = { ...last, markets: joined(last.markets, markets, path, skipped) };
    return { raw: bookmaker, event: null, markets: read };
  }
  const event = { ...game.entry, markets };
  events.push(event);
  return { raw: bookmaker, event: skipped.length === skippedBefore ? event : null, markets: read };
}

/** The market's previous result for the same outcomes, with the new time. */
function sameMarket(
  known: KnownMarket | null | undefined,
  market: RawMarket,
  seenAt: string | undefined,
  link: string | undefined,
): KnownMarket | undefined {
  if (known == null || known.raw.key !== market.key || known.link !== link) return undefined;
  if (known.raw.sid !== market.sid) return undefined;
  if (!sameOutcomes(known.raw.outcomes, market.outcomes)) return undefined;
  if (known.seenAt === seenAt) return known;
  if (known.seenAt === undefined || seenAt === undefined) return undefined;
  const made = known.made.map((one) => ({ ...one, last_seen_at: seenAt }));
  return { raw: market, link, seenAt, made };
}

function readMarket(
  game: Game,
  market: RawMarket,
  told: Pick<MarketContext, 'seenAt' | 'link' | 'isExchange'>,
  path: string,
  draft: Draft,
): IngestMarket[] {
  const plan = marketPlan(textOf(market.key)?.toLowerCase() ?? '', game.sport);
  if (plan === undefined || plan.shape === 'outright') {
    draft.skipped.push({ path: `${path}.key`, reason: 'not a market of a game' });
    return [];
  }
  const id = idOf(market.sid);
  const context = { home: game.home, away: game.away, oddsFormat: draft.oddsFormat, ...told, id };
  return readMarkets(plan, market.outcomes, context, path, draft.skipped);
}

function eventsOf(draft: Draft, league: string, book: string): IngestEvent[] {
  const books = getOrInsert(draft.games, league, () => new Map<string, IngestEvent[]>());
  return getOrInsert(books, book, () => []);
}

const ENTRY = ['external_id', 'home_team', 'away_team', 'start_time'] as const;

/** The markets of both; for those in both, the first book's. */
function joined(
  first: readonly IngestMarket[],
  markets: readonly IngestMarket[],
  path: string,
  skipped: Skipped[],
): IngestMarket[] {
  const key = (market: IngestMarket): string =>
    `${market.market_type}\n${market.player_name ?? ''}\n${market.team ?? ''}\n${isAlternate(market)}`;
  const present = new Set(first.map(key));
  const added = markets.filter((market) => !present.has(key(market)));
  if (added.length < markets.length) skipped.push({ path, reason: 'the same book twice: its repeated markets' });
  return [...first, ...added];
}

function isAlternate(market: IngestMarket): boolean {
  return market.selections.every((selection) => selection.is_alternate_line === true);
}

function isOutrightOnly(bookmakers: unknown): boolean {
  if (!Array.isArray(bookmakers)) return false;
  const markets = bookmakers.flatMap((bookmaker: RawBookmaker | null) =>
    Array.isArray(bookmaker?.markets) ? (bookmaker.markets as (RawMarket | null)[]) : [],
  );
  return markets.length > 0 && markets.every((market) => marketPlan(String(market?.key), '')?.shape === 'outright');
}

function readOutrights(
  event: RawEvent,
  bookmaker: RawBookmaker,
  book: string,
  of: League,
  path: string,
  draft: Draft,
): void {
  const list = listOf(bookmaker.markets, `${path}.markets`, draft.skipped);
  for (let i = 0; i < list.length; i++) {
    const market = objectAt<RawMarket>(list, i, `${path}.markets`, draft.skipped);
    if (market === undefined) continue;
    // A price to lay cannot be backed, and futures have no market type that would distinguish it.
    if (market.key !== 'outrights') continue;
    const selections: object[] = [];
    const at = `${path}.markets[${i}].outcomes`;
    const outcomes = listOf(market.outcomes, at, draft.skipped);
    for (let j = 0; j < outcomes.length; j++) {
      const outcome = objectAt<RawOutcome>(outcomes, j, at, draft.skipped);
      if (outcome === undefined) continue;
      const outcomePath = `${at}[${j}]`;
      const selection = textOf(outcome.name);
      if (selection === undefined) draft.skipped.push({ path: outcomePath, reason: 'no name' });
      else if (!isPrice(outcome.price, draft.oddsFormat))
        draft.skipped.push({ path: outcomePath, reason: 'not a price' });
      else if (draft.oddsFormat === 'american') selections.push({ selection, odds_american: outcome.price });
      else selections.push({ selection, odds_decimal: outcome.price });
    }
    const start = readInstant(event.commence_time);
    const future = {
      league: of.league,
      market: of.sportKey,
      display_name: textOf(event.sport_title) ?? of.sportKey,
      future_type: PLAYER_SPORTS.has(of.sport) ? 'PLAYER' : 'TEAM',
      ...(start === undefined ? {} : { event_start_time: start.iso }),
      selections,
    };
    getOrInsert(draft.futures, book, () => []).push(future);
  }
}
