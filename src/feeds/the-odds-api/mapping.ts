// A The Odds API v4 answer to ingest messages, pure: one message per book and league, for what the answer is complete for.
import type { IngestEvent, IngestMarket, IngestMessage } from '../../ingest/message.js';
import { readInstant } from './instant.js';
import { bookOfKey, derivedLeague, marketPlan, sportOfKey } from './market-types.js';
import { isPrice, linkOf, readMarkets } from './outcomes.js';
import {
  type LeagueLookup,
  type MappedPoll,
  type OddsFormat,
  type OddsPoll,
  objectsOf,
  type RawBookmaker,
  type RawEvent,
  type RawMarket,
  type RawOutcome,
  type Skipped,
  textOf,
} from './payload.js';

const BOOK_KEY = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const SPORT_KEY = /^[a-z0-9][a-z0-9_]{0,79}$/;
/** Outrights of these are bets on a person. */
const PLAYER_SPORTS = new Set(['golf', 'tennis', 'boxing', 'mma']);

/** What one answer says, book by book. */
interface Draft {
  polledAt: string;
  oddsFormat: OddsFormat;
  skipped: Skipped[];
  /** League -> book -> its events of the league. */
  games: Map<string, Map<string, IngestEvent[]>>;
  /** Book -> its outright markets. */
  futures: Map<string, object[]>;
}

/**
 * Maps one answer. Every quote carries its market's `last_update`, else the book's, else (by leaving it out) the poll's
 * time. Parts that cannot be read are left out one by one and listed in `skipped`; nothing throws. Outrights become
 * futures in messages of their own with scope `none`, for they say nothing about the games of their league.
 */
export function mapPoll(poll: OddsPoll, leagues: LeagueLookup): MappedPoll {
  const draft: Draft = {
    polledAt: poll.polledAt,
    oddsFormat: poll.oddsFormat ?? 'american',
    skipped: [],
    games: new Map(),
    futures: new Map(),
  };
  const ids = new Set<string>();
  for (const [event, path] of objectsOf<RawEvent>(poll.events, '', draft.skipped)) {
    const id = textOf(event.id);
    if (id !== undefined && ids.has(id)) {
      draft.skipped.push({ path, reason: 'the same event twice' });
      continue;
    }
    if (id !== undefined) ids.add(id);
    readEvent(event, id, path, draft, leagues);
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

/** A game is one with two teams; an event without them can only hold outrights. */
interface Game {
  entry: Omit<IngestEvent, 'markets'>;
  league: string;
  sport: string;
  home: string;
  away: string;
}

function readEvent(event: RawEvent, id: string | undefined, path: string, draft: Draft, leagues: LeagueLookup): void {
  const sportKey = textOf(event.sport_key)?.toLowerCase();
  if (sportKey === undefined || !SPORT_KEY.test(sportKey)) {
    draft.skipped.push({ path: `${path}.sport_key`, reason: 'missing or not a sport key' });
    return;
  }
  const known = leagues.leagueOf(sportKey);
  const league = known?.id ?? derivedLeague(sportKey);
  const sport = known?.sport ?? sportOfKey(sportKey);
  const home = textOf(event.home_team);
  const away = textOf(event.away_team);
  const start = readInstant(event.commence_time);
  let game: Game | string;
  if (home === undefined || away === undefined) game = 'a team is missing';
  else if (home.toLowerCase() === away.toLowerCase()) game = 'home and away are one team';
  else if (start === undefined) game = 'commence_time is not a time';
  else {
    const entry = { league, home_team: home, away_team: away, start_time: start.iso };
    game = { entry: id === undefined ? entry : { ...entry, external_id: id }, league, sport, home, away };
  }
  const bookmakers = objectsOf<RawBookmaker>(event.bookmakers, `${path}.bookmakers`, draft.skipped);
  const outrightOnly = isOutrightOnly(event.bookmakers);
  if (typeof game === 'string' && !outrightOnly) {
    draft.skipped.push({ path, reason: game });
    return;
  }
  for (const [bookmaker, at] of bookmakers) {
    const key = textOf(bookmaker.key)?.toLowerCase();
    if (key === undefined || !BOOK_KEY.test(key)) {
      draft.skipped.push({ path: `${at}.key`, reason: 'missing or not a book' });
      continue;
    }
    const book = bookOfKey(key);
    if (typeof game === 'string') readOutrights(event, bookmaker, book, { league, sport, sportKey }, at, draft);
    else readBook(game, bookmaker, book, at, draft);
  }
}

function readBook(game: Game, bookmaker: RawBookmaker, book: string, path: string, draft: Draft): void {
  const bookSeen = readInstant(bookmaker.last_update);
  const bookLink = linkOf(bookmaker.link);
  const markets: IngestMarket[] = [];
  for (const [market, at] of objectsOf<RawMarket>(bookmaker.markets, `${path}.markets`, draft.skipped)) {
    const key = textOf(market.key)?.toLowerCase() ?? '';
    const plan = marketPlan(key, game.sport);
    if (plan === undefined || plan.shape === 'outright') {
      draft.skipped.push({ path: `${at}.key`, reason: 'not a market of a game' });
      continue;
    }
    const scene = {
      home: game.home,
      away: game.away,
      oddsFormat: draft.oddsFormat,
      seenAt: (readInstant(market.last_update) ?? bookSeen)?.iso,
      link: linkOf(market.link) ?? bookLink,
    };
    markets.push(...readMarkets(plan, market.outcomes, scene, at, draft.skipped));
  }
  const events = eventsOf(draft, game.league, book);
  // Two keys may be one book (williamhill_us and caesars): its event is still one.
  const last = events.at(-1);
  if (last !== undefined && isSameGame(last, game)) addMarkets(last, markets, path, draft.skipped);
  else events.push({ ...game.entry, markets });
}

function eventsOf(draft: Draft, league: string, book: string): IngestEvent[] {
  const books = draft.games.get(league) ?? new Map<string, IngestEvent[]>();
  draft.games.set(league, books);
  const events = books.get(book) ?? [];
  books.set(book, events);
  return events;
}

function isSameGame(event: IngestEvent, game: Game): boolean {
  const { external_id, home_team, away_team, start_time } = game.entry;
  return (
    event.external_id === external_id &&
    event.home_team === home_team &&
    event.away_team === away_team &&
    event.start_time === start_time
  );
}

function addMarkets(event: IngestEvent, markets: IngestMarket[], path: string, skipped: Skipped[]): void {
  const key = (market: IngestMarket): string =>
    `${market.market_type}\n${market.player_name ?? ''}\n${market.team ?? ''}\n${isAlternate(market)}`;
  const present = new Set(event.markets.map(key));
  const added = markets.filter((market) => !present.has(key(market)));
  event.markets.push(...added);
  if (added.length < markets.length) skipped.push({ path, reason: 'the same book twice: its repeated markets' });
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
  of: { league: string; sport: string; sportKey: string },
  path: string,
  draft: Draft,
): void {
  for (const [market, at] of objectsOf<RawMarket>(bookmaker.markets, `${path}.markets`, draft.skipped)) {
    // A price to lay is not one to back, and futures have no market type that would say so.
    if (market.key !== 'outrights') continue;
    const selections: object[] = [];
    for (const [outcome, outcomePath] of objectsOf<RawOutcome>(market.outcomes, `${at}.outcomes`, draft.skipped)) {
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
    const futures = draft.futures.get(book);
    if (futures === undefined) draft.futures.set(book, [future]);
    else futures.push(future);
  }
}
