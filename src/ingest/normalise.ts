// Turns what a caller pushed into normal messages, part by part: an invalid part is rejected with its path and reason,
// valid parts are accepted. Pure: team names are matched later, in the shard that owns the league.

import type { Catalogue } from '../catalogue/catalogue.js';
import { BoundedMap } from '../memory/bounded-map.js';
import type { Clock } from '../model/clock.js';
import { LIMITS } from '../model/limits.js';
import {
  EVENT_STATUSES,
  type EventRef,
  type EventStatus,
  type ExchangeDetails,
  type NormalEvent,
  type NormalMarket,
  type NormalMessage,
  type NormalQuote,
  type Rejection,
} from '../model/normal-message.js';
import { parseAmerican, parseDecimal, priceFromAmerican, priceFromDecimal } from '../model/price.js';
import { parseTimeMs, parseTimeUs } from '../model/time.js';
import { readCommission } from './commission.js';
import { normaliseFutures, normaliseSplits } from './extras.js';
import { AHEAD_MAX_MS, isText, NO_AMERICAN, Reader, readGameState, TOO_FAR_AHEAD } from './fields.js';
import { NOT_JSON } from './read-body.js';

const MARKET_TYPE = /^[a-z0-9_]{1,64}$/;
const SELECTION_TYPE = /^[a-z0-9_]{1,32}$/;
const BOOK_ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const SPREADS = new Set(['point_spread', 'spread', 'puck_line', 'run_line', 'set_handicap']);
const LINE_MAX = LIMITS.line.max;
const MONEY_MAX = LIMITS.money.max;

export interface NormaliseContext {
  catalogue: Catalogue;
  /** The engine's clock: live the system's, in a backtest the recording's. */
  clock: Clock;
  /** League and sport of an event that the engine knows, for messages that refer to events by id. */
  leagueOfEvent(eventId: string): { league: string; sport: string } | undefined;
  /** Set if the caller passes the same objects again and never changes them, as a backtest does. */
  memory?: NormalisedMarkets;
}

/** Results for objects that were passed before. */
export interface NormalisedMarkets {
  /** Events without a rejection, by input object. */
  readonly events: Known<NormalEvent>;
  /** Quotes without a rejection, by input list of selections. */
  readonly quotes: Known<KnownQuotes>;
}

interface Known<Value> {
  get(key: object): Value | undefined;
  set(key: object, value: Value): void;
}

export interface KnownQuotes {
  marketType: string;
  /** Whether prices may be omitted. */
  suspended: boolean;
  quotes: NormalQuote[];
}

/**
 * One message, or undefined if nothing of it is valid; every rejection is added to `rejected`. A message dated in the
 * future is refused whole and the result says nothing: it would block every later poll of its book.
 */
export function normalise(
  raw: unknown,
  at: string,
  context: NormaliseContext,
  rejected: Rejection[],
): NormalMessage | undefined {
  const nowUs = Math.round(context.clock.now() * 1000);
  const read = new Reader(at, rejected, Math.floor(nowUs / 1000));
  if (!read.isMap(raw)) return read.reject('', raw === NOT_JSON ? 'not JSON' : 'not an object');
  const bookName = raw['book'];
  if (typeof bookName !== 'string') return read.reject('book', 'missing or not a string');
  const book = context.catalogue.book(bookName)?.id ?? bookName.trim().toLowerCase();
  if (!BOOK_ID.test(book)) return read.reject('book', 'not a book id ([a-z0-9_-], at most 40 characters)');
  const statedUs = parseTimeUs(raw['polled_at']);
  if (statedUs === undefined) return read.reject('polled_at', 'missing or not an RFC 3339 time');
  const polledUs = Math.min(statedUs, nowUs);
  if (statedUs > nowUs + AHEAD_MAX_MS * 1000) {
    read.reject('polled_at', TOO_FAR_AHEAD);
    return { book, polledUs, scope: 'none', league: null, events: [], splits: [], futures: [] };
  }
  const scope = raw['scope'] ?? 'none';
  if (scope !== 'event' && scope !== 'league' && scope !== 'none')
    return read.reject('scope', 'not one of event, league, none');
  let league: string | null = null;
  if (scope === 'league') {
    const found = readLeague(raw['league'], context);
    if (found === undefined) return read.reject('league', 'needed for scope league, and a league id');
    league = found.league;
  }
  const message: NormalMessage = { book, polledUs, scope, league, events: [], splits: [], futures: [] };
  for (const [i, event] of read.list(raw['events'], 'events').entries()) {
    const normal = normaliseEvent(event, `events[${i}]`, read, context);
    if (normal === undefined) continue;
    if (league !== null && normal.league !== league) read.reject(`events[${i}].league`, `not the message's league`);
    else message.events.push(normal);
  }
  for (const [i, state] of read.list(raw['game_states'], 'game_states').entries()) {
    const normal = normaliseState(state, `game_states[${i}]`, read, context);
    if (normal !== undefined) message.events.push(normal);
  }
  for (const [i, splits] of read.list(raw['splits'], 'splits').entries()) {
    const normal = normaliseSplits(splits, `splits[${i}]`, read, polledUs, (map, path) =>
      readEventRef(map, path, read, context),
    );
    if (normal !== undefined) message.splits.push(normal);
  }
  for (const [i, future] of read.list(raw['futures'], 'futures').entries()) {
    const normal = normaliseFutures(future, `futures[${i}]`, read, (name) => readLeague(name, context));
    if (normal !== undefined) message.futures.push(normal);
  }
  return message;
}

function readLeague(name: unknown, context: NormaliseContext): { league: string; sport: string } | undefined {
  if (typeof name !== 'string') return undefined;
  const known = context.catalogue.leagueOf(name);
  if (known !== undefined) return { league: known.id, sport: known.sport };
  const id = name.trim().toLowerCase();
  // A league outside the catalogue is accepted as it is, under the sport "other".
  return BOOK_ID.test(id) ? { league: id, sport: 'other' } : undefined;
}

function readEventRef(
  map: Record<string, unknown>,
  path: string,
  read: Reader,
  context: NormaliseContext,
): EventRef | undefined {
  const eventId = map['event_id'];
  if (eventId !== undefined && eventId !== null) {
    const known = typeof eventId === 'string' ? context.leagueOfEvent(eventId) : undefined;
    if (known === undefined) return read.reject(`${path}.event_id`, 'unknown event');
    // Copies only these two: `events` may return a whole event of the table.
    const { league, sport } = known;
    return { league, sport, eventId: eventId as string, home: '', away: '', startMs: 0 };
  }
  const known = knownRefs.get(map['home_team'] as string);
  if (known !== undefined && isSameRef(known, map, context.catalogue)) return known.ref;
  const league = readLeague(map['league'], context);
  if (league === undefined) return read.reject(`${path}.league`, 'missing or not a league id');
  const home = map['home_team'];
  const away = map['away_team'];
  if (!isText(home)) return read.reject(`${path}.home_team`, 'missing, empty or not a readable name');
  if (!isText(away)) return read.reject(`${path}.away_team`, 'missing, empty or not a readable name');
  if (sameTeam(context.catalogue, league.league, home, away))
    return read.reject(`${path}.away_team`, 'the same team as home_team');
  const startMs = parseTimeMs(map['start_time']);
  if (startMs === undefined) return read.reject(`${path}.start_time`, 'missing or not an RFC 3339 time');
  const ref: EventRef = { ...league, eventId: null, home: home.trim(), away: away.trim(), startMs };
  knownRefs.set(home, { catalogue: context.catalogue, league: map['league'], away, startTime: map['start_time'], ref });
  return ref;
}

/** The last game read of each home team, as written: every book names the same games, poll after poll. */
const knownRefs = new BoundedMap<string, KnownRef>(LIMITS.knownEvents.max);

interface KnownRef {
  catalogue: Catalogue;
  league: unknown;
  away: string;
  startTime: unknown;
  ref: EventRef;
}

function isSameRef(known: KnownRef, map: Record<string, unknown>, catalogue: Catalogue): boolean {
  return (
    known.startTime === map['start_time'] &&
    known.away === map['away_team'] &&
    known.league === map['league'] &&
    known.catalogue === catalogue
  );
}

function sameTeam(catalogue: Catalogue, league: string, home: string, away: string): boolean {
  return catalogue.resolveTeam(league, home.trim()).token === catalogue.resolveTeam(league, away.trim()).token;
}

function normaliseEvent(raw: unknown, path: string, read: Reader, context: NormaliseContext): NormalEvent | undefined {
  if (!read.isMap(raw)) return read.reject(path, 'not an object');
  const { memory } = context;
  const at = read.at + path;
  const known = memory?.events.get(raw);
  if (known !== undefined) return known.path === at ? known : { ...known, path: at };
  const { refusals } = read;
  const ref = readEventRef(raw, path, read, context);
  if (ref === undefined) return undefined;
  const suspended = read.flag(raw['suspended'], `${path}.suspended`, false);
  if (suspended === undefined) return undefined;
  const markets: NormalMarket[] = [];
  const list = read.list(raw['markets'], `${path}.markets`);
  for (let i = 0; i < list.length; i++) {
    const normal = normaliseMarket(list[i], `${path}.markets[${i}]`, read, memory, suspended);
    if (normal !== undefined) markets.push(normal);
  }
  const { league, sport, eventId, home, away, startMs } = ref;
  const event: NormalEvent = {
    league,
    sport,
    eventId,
    home,
    away,
    startMs,
    externalId: raw['external_id'] == null ? null : read.optionalId(raw['external_id'], `${path}.external_id`),
    live: raw['is_live'] == null ? null : read.optionalBoolean(raw['is_live'], `${path}.is_live`),
    status: raw['status'] == null ? null : readStatus(raw['status'], `${path}.status`, read),
    state: raw['game_state'] == null ? null : readGameState(raw['game_state'], `${path}.game_state`, read),
    quoted: true,
    suspended,
    markets,
    path: at,
  };
  // What an event id refers to is the engine's decision, each time anew.
  if (memory !== undefined && read.refusals === refusals && ref.eventId === null) memory.events.set(raw, event);
  return event;
}

function normaliseState(raw: unknown, path: string, read: Reader, context: NormaliseContext): NormalEvent | undefined {
  if (!read.isMap(raw)) return read.reject(path, 'not an object');
  const ref = readEventRef(raw, path, read, context);
  if (ref === undefined) return undefined;
  const live = read.optionalBoolean(raw['is_live'], `${path}.is_live`);
  const status = readStatus(raw['status'], `${path}.status`, read);
  const state = readGameState(raw, path, read);
  const nothing = { externalId: null, quoted: false, suspended: false, markets: [] };
  return { ...ref, ...nothing, live, status, state, path: read.at + path };
}

function readStatus(value: unknown, path: string, read: Reader): EventStatus | null {
  if (value === undefined || value === null) return null;
  if (EVENT_STATUSES.includes(value as EventStatus)) return value as EventStatus;
  read.reject(path, `not one of ${EVENT_STATUSES.join(', ')}`);
  return null;
}

function normaliseMarket(
  raw: unknown,
  path: string,
  read: Reader,
  memory: NormalisedMarkets | undefined,
  eventSuspended: boolean,
): NormalMarket | undefined {
  if (!read.isMap(raw)) return read.reject(path, 'not an object');
  const type = raw['market_type'];
  if (typeof type !== 'string' || !MARKET_TYPE.test(type)) return read.reject(`${path}.market_type`, 'not [a-z0-9_]+');
  const name = raw['player_name'];
  const player = name == null ? null : read.optionalText(name, `${path}.player_name`);
  if (type.startsWith('player_') && player === null) return read.reject(`${path}.player_name`, `needed for ${type}`);
  const team = raw['team'] === 'home' || raw['team'] === 'away' ? raw['team'] : null;
  if (type === 'team_total' && team === null) return read.reject(`${path}.team`, 'team_total needs "home" or "away"');
  const seenMs = read.optionalPast(raw['last_seen_at'], `${path}.last_seen_at`);
  if (seenMs === undefined) return undefined;
  const isActive = read.flag(raw['is_active'], `${path}.is_active`, true);
  if (isActive === undefined) return undefined;
  const active = isActive && !eventSuspended;
  const selections = raw['selections'];
  if (!Array.isArray(selections)) return read.reject(`${path}.selections`, 'missing or not a list');
  const commission = readCommission(raw['commission'], `${path}.commission`, read);
  // Without a known commission the price after it is unknown, so the market is rejected.
  if (commission === undefined) return undefined;
  // The memo of quotes does not include commissions.
  const known = commission === null ? memory : undefined;
  const quotes = normaliseQuotes(selections, type, path, read, known, !active);
  if (commission !== null)
    for (const quote of quotes) {
      const [size, volume24h, openInterest, tokenId] = quote[10] ?? SAYS_NOTHING;
      quote[10] = [size, volume24h, openInterest, tokenId, commission];
    }
  return {
    type,
    player,
    stat: raw['stat_category'] == null ? null : read.optionalText(raw['stat_category'], `${path}.stat_category`),
    team: type === 'team_total' ? team : null,
    maxBet: raw['max_bet'] == null ? null : read.optionalNumber(raw['max_bet'], `${path}.max_bet`, 0, 1e9),
    seenMs,
    active,
    quotes,
  };
}

function normaliseQuotes(
  selections: readonly unknown[],
  type: string,
  path: string,
  read: Reader,
  memory: NormalisedMarkets | undefined,
  suspended: boolean,
): NormalQuote[] {
  const known = memory?.quotes.get(selections);
  if (known !== undefined && known.marketType === type && known.suspended === suspended) return known.quotes;
  const { refusals } = read;
  const quotes: NormalQuote[] = [];
  for (let i = 0; i < selections.length; i++) {
    const quote = normaliseQuote(selections[i], type, read, path, i, suspended);
    if (quote !== undefined) quotes.push(quote);
  }
  if (memory !== undefined && read.refusals === refusals)
    memory.quotes.set(selections, { marketType: type, suspended, quotes });
  return quotes;
}

function normaliseQuote(
  raw: unknown,
  marketType: string,
  read: Reader,
  marketPath: string,
  index: number,
  suspended: boolean,
): NormalQuote | undefined {
  const refuse = (field: string, reason: string): undefined =>
    read.reject(`${marketPath}.selections[${index}]${field}`, reason);
  if (!read.isMap(raw)) return refuse('', 'not an object');
  const type = raw['selection_type'];
  if (typeof type !== 'string' || !SELECTION_TYPE.test(type))
    return refuse('.selection_type', 'missing or not [a-z0-9_]+');
  const name = raw['selection'];
  if (!isText(name)) return refuse('.selection', 'missing, empty or not a readable name');
  let line: number | null = null;
  const rawLine = raw['line'];
  if (rawLine !== undefined && rawLine !== null && marketType !== 'moneyline') {
    const value = typeof rawLine === 'string' && rawLine.trim() !== '' ? Number(rawLine) : rawLine;
    if (typeof value !== 'number' || !(Math.abs(value) <= LINE_MAX))
      return refuse('.line', `not a number from -${LINE_MAX} to ${LINE_MAX}`);
    line = value === 0 ? 0 : value;
  }
  if (line === null && (type === 'over' || type === 'under' || SPREADS.has(marketType)))
    return refuse('.line', `${marketType} needs a line`);
  const at = `${marketPath}.selections[${index}]`;
  const active = read.flag(raw['is_active'], `${at}.is_active`, true);
  if (active === undefined) return undefined;
  const alternate = read.flag(raw['is_alternate_line'], `${at}.is_alternate_line`, false);
  // As a main line it would take the place of the book's real one.
  if (alternate === undefined) return undefined;
  const price = readPrice(raw, suspended || !active, refuse);
  if (price === undefined) return undefined;
  return [
    name.trim(),
    type,
    line,
    price.american,
    price.decimal,
    alternate,
    raw['deep_link'] == null ? null : read.optionalUrl(raw['deep_link'], `${at}.deep_link`),
    raw['external_id'] == null ? null : read.optionalId(raw['external_id'], `${at}.external_id`),
    raw['public_bet_pct'] == null ? null : read.optionalNumber(raw['public_bet_pct'], `${at}.public_bet_pct`, 0, 1),
    active,
    readExchange(raw, at, read),
  ];
}

const SAYS_NOTHING = [null, null, null, null] as const;

/** Null if none is stated, as for nearly every row. */
function readExchange(raw: Record<string, unknown>, at: string, read: Reader): ExchangeDetails | null {
  const { size, volume_24h, open_interest, exchange_token_id } = raw;
  if (size == null && volume_24h == null && open_interest == null && exchange_token_id == null) return null;
  return [
    read.optionalNumber(size, `${at}.size`, 0, MONEY_MAX),
    read.optionalNumber(volume_24h, `${at}.volume_24h`, 0, MONEY_MAX),
    read.optionalNumber(open_interest, `${at}.open_interest`, 0, MONEY_MAX),
    read.optionalId(exchange_token_id, `${at}.exchange_token_id`),
  ];
}

const NO_PRICE = { american: null, decimal: null };

/** A suspended selection may come without its price. */
function readPrice(
  raw: Record<string, unknown>,
  suspended: boolean,
  refuse: (field: string, reason: string) => undefined,
): { american: number | null; decimal: number | null } | undefined {
  const rawAmerican = raw['odds_american'];
  if (rawAmerican !== undefined && rawAmerican !== null) {
    const american = parseAmerican(rawAmerican);
    if (american !== undefined) return priceFromAmerican(american)!;
    return refuse('.odds_american', NO_AMERICAN);
  }
  const rawDecimal = raw['odds_decimal'];
  if (suspended && (rawDecimal === undefined || rawDecimal === null)) return NO_PRICE;
  const decimal = parseDecimal(rawDecimal);
  if (decimal !== undefined) return priceFromDecimal(decimal)!;
  return refuse('.odds_decimal', 'no price: needs odds_american, or odds_decimal above 1');
}
