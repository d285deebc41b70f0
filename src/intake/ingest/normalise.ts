// Turns what a caller pushed into normal messages, part by part: an invalid part is rejected with its path and reason,
// valid parts are accepted. Pure: team names are matched later, in the shard that owns the league.

import { BoundedMap } from '../../base/memory/bounded-map.js';
import type { Clock } from '../../base/model/clock.js';
import { isId } from '../../base/model/ids.js';
import { isMap } from '../../base/model/json-map.js';
import { LIMITS } from '../../base/model/limits.js';
import {
  type AwaitedGame,
  EVENT_STATUSES,
  type EventRef,
  type EventStatus,
  type NormalEvent,
  type NormalMarket,
  type NormalMessage,
  type NormalQuote,
  type Rejection,
} from '../../base/model/normal-message.js';
import { parseTimeMs, parseTimeUs } from '../../base/model/time.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { GameOf } from '../../rules/catalogue/named-sides.js';
import { isPrivateBook, privateBook } from '../../rules/catalogue/private-book.js';
import { isHalfOrNone } from '../../rules/markets/derive.js';
import { UNKNOWN_SPORT } from '../../rules/markets/lines.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { normaliseFutures, normaliseSplits } from './extras.js';
import { AHEAD_MAX_MS, addRejection, isText, Reader, readGameState, TOO_FAR_AHEAD } from './fields.js';
import { type NormalisedMarkets, normaliseMarket } from './market.js';
import { normaliseResult, normaliseSettlement } from './results.js';
import { UnknownNames, type UnmatchedNotes } from './unknown-names.js';

/** Stands for a line that is not JSON: normalise() rejects it with its position, and the other lines are accepted. */
export const NOT_JSON = 'a line that is not JSON';

export interface NormaliseContext extends RefContext {
  /** A game that bets wait for, if it is the one referred to; none by default. */
  awaited?(ref: EventRef): AwaitedGame | undefined;
  /** The engine's clock: live the system's, in a backtest the recording's. */
  clock: Clock;
  /** Set by a caller that passes the same objects again and again, as a backtest does. */
  memory?: NormalisedMarkets;
  /** Whether messages of a simulated market are taken; by default they are. */
  takesSimulated?(): boolean;
  /** Who pushes the messages: null if whoever sees any of it sees all; no account's by default. */
  account?: string | null;
  /** Where names that the catalogue does not know are noted. */
  unmatched?: UnmatchedNotes;
}

/** A message without any of them is misspelled; with scope league it would remove all the book has there. */
const ODDS_PARTS = ['events', 'splits', 'futures', 'game_states'] as const;
/** What became of games: such a message may come from a source that is no book. */
const RESULT_PARTS = ['results', 'settlements'] as const;
const PARTS = [...ODDS_PARTS, ...RESULT_PARTS] as const;
const MANUAL = 'manual';
/** Events, and markets of one, between two pauses. */
const STEP_EVENTS = 50;
const STEP_MARKETS = 100;
const NOT_AMONG_REAL = 'odds of a simulated market, and this server has real ones';

/**
 * One message, or undefined if nothing of it is valid; every rejection is added to `rejected`. Of a message dated in the
 * future nothing is accepted, and the result is empty: it would block every later poll of its book.
 * @param at prefix of the rejections' paths: empty for a single message, `[3].` for the fourth of many
 */
export function normalise(
  raw: unknown,
  at: string,
  context: NormaliseContext,
  rejected: Rejection[],
): NormalMessage | undefined {
  return withoutPauses(normaliseSteps(raw, at, context, rejected));
}

function withoutPauses<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same with a pause after each few parts of a message. */
export function* normaliseSteps(
  raw: unknown,
  at: string,
  context: NormaliseContext,
  rejected: Rejection[],
): Generator<void, NormalMessage | undefined> {
  const nowUs = Math.round(context.clock.now() * 1000);
  const read = new Reader(at, rejected, Math.floor(nowUs / 1000));
  if (!isMap(raw)) return read.reject('', raw === NOT_JSON ? 'not JSON' : 'not an object');
  const simulated = read.flag(raw['simulated'], 'simulated', false);
  if (simulated === undefined) return undefined;
  if (simulated && context.takesSimulated?.() === false) return read.reject('simulated', NOT_AMONG_REAL);
  const resultsOnly = listsNone(raw, ODDS_PARTS) && !lacks(raw, RESULT_PARTS);
  const source = raw['source'] ?? raw['sportsbook'] ?? raw['book'] ?? MANUAL;
  const bookName = raw['book'] ?? (resultsOnly ? (raw['sportsbook'] ?? MANUAL) : undefined);
  if (typeof bookName !== 'string') return read.reject('book', 'missing or not a string');
  const book = context.catalogue.bookId(bookName);
  if (!isId(book)) return read.reject('book', 'not a book id ([a-z0-9_-], at most 40 characters)');
  const model = readModel(raw, book, read, context);
  if (model === undefined) return undefined;
  const statedUs = raw['polled_at'] === undefined && resultsOnly ? nowUs : parseTimeUs(raw['polled_at']);
  if (statedUs === undefined) return read.reject('polled_at', 'missing or not an RFC 3339 time');
  const polledUs = Math.min(statedUs, nowUs);
  if (statedUs > nowUs + AHEAD_MAX_MS * 1000) {
    read.reject('polled_at', TOO_FAR_AHEAD);
    return { book: model ?? book, polledUs, scope: 'none', league: null, events: [], splits: [], futures: [] };
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
  if (lacks(raw, PARTS)) return read.reject('', `nothing to read: needs one of ${PARTS.join(', ')}`);
  const message: NormalMessage = {
    book: model ?? book,
    ...(model === null ? {} : { model: true }),
    polledUs,
    scope,
    league,
    events: [],
    splits: [],
    futures: [],
  };
  yield* addParts(message, raw, read, context);
  if (!lacks(raw, RESULT_PARTS)) addResults(message, raw, source, read, context);
  return PARTS.some((part) => read.isReadableList(raw[part])) ? message : undefined;
}

/** A model's id; null of a book, undefined, with a rejection noted, if it can be neither. */
function readModel(
  raw: Record<string, unknown>,
  book: string,
  read: Reader,
  { catalogue, account }: NormaliseContext,
): string | null | undefined {
  const kind = raw['kind'] ?? 'book';
  if (kind !== 'book' && kind !== 'model') return read.reject('kind', 'not one of book, model');
  const isPrivate = read.flag(raw['private'], 'private', false);
  if (isPrivate === undefined) return undefined;
  if (kind === 'book') return isPrivate ? read.reject('private', 'only a book of kind model can be private') : null;
  if (catalogue.book(book) !== undefined)
    return read.reject('kind', `${book} is a sportsbook of the catalogue: a model needs a name of its own`);
  if (!lacks(raw, RESULT_PARTS) || !lacks(raw, ['splits', 'futures']))
    return read.reject('', 'a model has prices of games alone');
  if (!isPrivate || account === null) return book;
  return account === undefined
    ? read.reject('private', "needs an account: a feed's books are everybody's")
    : privateBook(book, account);
}

function lacks(raw: Record<string, unknown>, parts: readonly string[]): boolean {
  return parts.every((part) => raw[part] === undefined || raw[part] === null);
}

function listsNone(raw: Record<string, unknown>, parts: readonly string[]): boolean {
  return parts.every((part) => lacks(raw, [part]) || (Array.isArray(raw[part]) && raw[part].length === 0));
}

/** @param source a name that may be no book's */
function addResults(
  message: NormalMessage,
  raw: Record<string, unknown>,
  source: unknown,
  read: Reader,
  context: NormaliseContext,
): void {
  // Results come when games have left the table: their league is in their id, and the shard knows the rest.
  const leagueOfEvent = (eventId: string) => context.leagueOfEvent(eventId) ?? leagueInId(eventId, context);
  const known = { catalogue: context.catalogue, leagueOfEvent };
  const readRef = (map: Record<string, unknown>, path: string) => {
    const ref = readEventRef(map, path, read, known);
    const awaited = ref && context.awaited?.(ref);
    return awaited === undefined ? ref : { ...ref!, awaited };
  };
  const id = typeof source === 'string' ? context.catalogue.bookId(source) : '';
  if (isId(id)) {
    const results = read.list(raw['results'], 'results');
    const atMs = Math.floor(message.polledUs / 1000);
    message.results = results.flatMap((one, i) => {
      return normaliseResult(one, `results[${i}]`, read, id, atMs, readRef) ?? [];
    });
  } else read.reject('source', 'not the id of a source ([a-z0-9_-], at most 40 characters)');
  const settlements = read.list(raw['settlements'], 'settlements');
  if (raw['book'] === undefined && raw['sportsbook'] === undefined && settlements.length > 0) {
    read.reject('settlements', "needs the book: a settlement is a venue's word on its own market");
    return;
  }
  message.settlements = settlements.flatMap((one, i) => {
    return normaliseSettlement(one, `settlements[${i}]`, read, message.book, context.catalogue, readRef) ?? [];
  });
}

/** Adds the valid parts of a message whose head is valid. */
function* addParts(
  message: NormalMessage,
  raw: Record<string, unknown>,
  read: Reader,
  context: NormaliseContext,
): Generator<void, void> {
  const { league, polledUs, book, model = false } = message;
  const events = read.list(raw['events'], 'events');
  let whole = Array.isArray(raw['events']);
  for (const [i, event] of events.entries()) {
    if ((i + 1) % STEP_EVENTS === 0) yield;
    whole &&= isMap(event);
    const normal = yield* normaliseEvent(event, `events[${i}]`, { book, model }, read, context);
    if (normal === undefined) continue;
    if (league !== null && normal.league !== league) read.reject(`events[${i}].league`, `not the message's league`);
    else message.events.push(normal);
  }
  // Which of the league's events it lists is not known.
  if (league !== null && (!whole || (message.events.length === 0 && events.length > 0))) {
    message.scope = 'event';
    message.league = null;
  }
  const states = tellsOfGames(book) ? read.list(raw['game_states'], 'game_states') : [];
  for (const [i, state] of states.entries()) {
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
}

function* normaliseEvent(
  raw: unknown,
  path: string,
  { book, model }: { book: string; model: boolean },
  read: Reader,
  context: NormaliseContext,
): Generator<void, NormalEvent | undefined> {
  if (!isMap(raw)) return read.unreadable(path, 'not an object');
  const { memory, catalogue } = context;
  const at = read.at + path;
  const known = memory?.events.get(raw);
  if (known !== undefined) return known.path === at ? known : { ...known, path: at };
  const { refusals, unread } = read;
  const ref = readEventRef(raw, path, read, context);
  if (ref === undefined) return undefined;
  const suspended = read.flag(raw['suspended'], `${path}.suspended`, false);
  if (suspended === undefined) return undefined;
  const startEstimated = read.flag(raw['start_estimated'], `${path}.start_estimated`, false);
  if (startEstimated === undefined) return undefined;
  const markets: NormalMarket[] = [];
  const contracts = catalogue.sellsContracts(book);
  const list = read.list(raw['markets'], `${path}.markets`);
  const game = ref.eventId === null ? ref : gameOf(ref.eventId, context);
  const around = { catalogue, sport: ref.sport, game, suspended, model, memory };
  for (let i = 0; i < list.length; i++) {
    if ((i + 1) % STEP_MARKETS === 0) yield;
    const normal = normaliseMarket(list[i], `${path}.markets[${i}]`, read, around);
    if (normal === undefined) continue;
    if (contracts) markets.push(...splitStrikes(normal, book, catalogue.types));
    else markets.push(normal);
  }
  const whole = Array.isArray(raw['markets']) && read.unread === unread && (markets.length > 0 || list.length === 0);
  const { league, sport, eventId, home, away, startMs } = ref;
  const tells = tellsOfGames(book);
  const idField = raw['external_id'] == null ? 'external_event_id' : 'external_id';
  const event: NormalEvent = {
    league,
    sport,
    eventId,
    home,
    away,
    startMs,
    startEstimated,
    externalId: raw[idField] == null ? null : read.optionalId(raw[idField], `${path}.${idField}`),
    live: !tells || raw['is_live'] == null ? null : read.optionalBoolean(raw['is_live'], `${path}.is_live`),
    status: !tells || raw['status'] == null ? null : readStatus(raw['status'], `${path}.status`, read),
    state: !tells || raw['game_state'] == null ? null : readGameState(raw['game_state'], `${path}.game_state`, read),
    quoted: true,
    suspended,
    markets,
    path: at,
  };
  if (!whole) event.partial = true;
  // The engine decides each time what an event id refers to.
  if (memory !== undefined && read.refusals === refusals && ref.eventId === null) memory.events.set(raw, event);
  return event;
}

/** What nobody else may see is no word on a game that all see. */
function tellsOfGames(book: string): boolean {
  return !isPrivateBook(book);
}

/** Its teams, as it has home and away. */
function gameOf(eventId: string, context: NormaliseContext): GameOf | null {
  const known = context.leagueOfEvent(eventId);
  return known?.home === undefined || known.away === undefined ? null : (known as GameOf);
}

function normaliseState(raw: unknown, path: string, read: Reader, context: NormaliseContext): NormalEvent | undefined {
  if (!isMap(raw)) return read.reject(path, 'not an object');
  const ref = readEventRef(raw, path, read, context);
  if (ref === undefined) return undefined;
  const live = read.optionalBoolean(raw['is_live'], `${path}.is_live`);
  const status = readStatus(raw['status'], `${path}.status`, read);
  const state = readGameState(raw, path, read);
  const nothing = { startEstimated: false, externalId: null, quoted: false, suspended: false, markets: [] };
  return { live, status, state, path: read.at + path, ...nothing, ...ref };
}

function readStatus(value: unknown, path: string, read: Reader): EventStatus | null {
  if (value === undefined || value === null) return null;
  if (EVENT_STATUSES.includes(value as EventStatus)) return value as EventStatus;
  read.reject(path, `not one of ${EVENT_STATUSES.join(', ')}`);
  return null;
}

// A contract venue pays in full or not at all: at a whole or quarter line its contracts settle otherwise than a book's
// bets, which push there. Such strikes are of a market type of their own, and never pair with a book's line.

/** The market as stated if every line is a half, else what is at halves and the rest, each if there is any. */
function splitStrikes(market: NormalMarket, book: string, types: MarketTypes): readonly NormalMarket[] {
  if (types.usual(market.type).line === 'none') return [market];
  const own = (quotes: NormalQuote[]): NormalMarket => ({ ...market, type: types.contract(market.type, book), quotes });
  // A closed market without selections closes its strikes too.
  if (market.quotes.length === 0) return [market, own([])];
  const halves = market.quotes.filter(({ 2: line }) => isHalfOrNone(line));
  // A main line that is removed without its number may be a strike.
  const strikes = market.quotes.filter(
    ({ 2: line, 12: mark }) => !isHalfOrNone(line) || (line === null && mark === 'removed'),
  );
  if (strikes.length === 0) return [market];
  return halves.length === 0 ? [own(strikes)] : [{ ...market, quotes: halves }, own(strikes)];
}

// The messages of one call, normalised one by one, with pauses where they are large.

interface NormalMessages {
  messages: NormalMessage[];
  rejected: Rejection[];
  /** Messages of which nothing was valid. */
  unread: number;
  unknown: UnknownNames;
}

/** @param strict a message with a name that the catalogue does not know is rejected */
export function normaliseAll(raw: readonly unknown[], context: NormaliseContext, strict: boolean): NormalMessages {
  return withoutPauses(normaliseAllSteps(raw, context, strict));
}

/** The same, with a pause after each few parts. */
export function* normaliseAllSteps(
  raw: readonly unknown[],
  context: NormaliseContext,
  strict: boolean,
): Generator<void, NormalMessages> {
  const rejected: Rejection[] = [];
  const messages: NormalMessage[] = [];
  const unknown = new UnknownNames(context.catalogue, context.unmatched);
  for (const [i, message] of raw.entries()) {
    const at = raw.length === 1 ? '' : `[${i}].`;
    if (i > 0) yield;
    const normal = yield* normaliseSteps(message, at, context, rejected);
    const name = normal === undefined ? undefined : yield* unknown.note(normal);
    if (normal === undefined) continue;
    if (!strict || name === undefined) messages.push(normal);
    else addRejection(rejected, at.slice(0, -1), `${name} (strict)`);
  }
  return { messages, rejected, unread: raw.length - messages.length, unknown };
}

// Which event a part of a message refers to: one by its id, or the game of two teams at a time. Whether that game is
// already stored is decided later, in the shard that owns its league.

interface RefContext {
  catalogue: Catalogue;
  /** League, sport and, where known, teams of an event that the engine knows, for messages that refer to events by id. */
  leagueOfEvent(eventId: string): { league: string; sport: string; home?: string; away?: string } | undefined;
}

interface KnownRef {
  catalogue: Catalogue;
  league: unknown;
  away: string;
  startTime: unknown;
  ref: EventRef;
}

/** The last game read of each home team, as written: every book names the same games, poll after poll. */
const knownRefs = new BoundedMap<string, KnownRef>(LIMITS.knownEvents.max);

/** The event that a part of a message refers to; undefined, with a rejection noted, if it names none. */
function readEventRef(
  map: Record<string, unknown>,
  path: string,
  read: Reader,
  context: RefContext,
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
  const ref: EventRef = { eventId: null, home: home.trim(), away: away.trim(), startMs, ...league };
  knownRefs.set(home, { catalogue: context.catalogue, league: map['league'], away, startTime: map['start_time'], ref });
  return ref;
}

/** The league's id and sport; undefined if the name cannot be a league's. */
function readLeague(name: unknown, context: RefContext): { league: string; sport: string } | undefined {
  if (typeof name !== 'string') return undefined;
  const known = context.catalogue.leagueOf(name);
  if (known !== undefined) return { league: known.id, sport: known.sport };
  const id = name.trim().toLowerCase();
  // A league outside the catalogue is accepted as it is, under the sport "other".
  return isId(id) ? { league: id, sport: UNKNOWN_SPORT } : undefined;
}

/** The known league that an event's id begins with. */
function leagueInId(
  eventId: string,
  { catalogue }: Pick<RefContext, 'catalogue'>,
): { league: string; sport: string } | undefined {
  const known = catalogue.league(eventId.slice(0, eventId.indexOf('_')));
  return known && { league: known.id, sport: known.sport };
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
