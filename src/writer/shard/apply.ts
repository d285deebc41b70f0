// Applies normal messages to a shard's state: matches the event, compares every quote, removes what is missing from the
// scope. Only memory changes here; shard.ts turns what was marked dirty into a delta and commits it.

import { isEnd } from '../../base/model/game-end.js';
import { eventId } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import type {
  BatchReceipt,
  NormalEvent,
  NormalMarket,
  NormalMessage,
  NormalQuote,
} from '../../base/model/normal-message.js';
import { markRow, RowChange } from '../../base/model/row.js';
import { type BookQuotes, type EventState, newEventState, newQuotes } from '../../base/model/state.js';
import { DAY_MS } from '../../base/model/time.js';
import { hasShownDraw } from '../../detection/draws.js';
import { addRejection } from '../../intake/ingest/fields.js';
import { PERSON_SPORTS } from '../../rules/catalogue/person-name.js';
import { mayHaveSuffix, namesakesIn } from '../../rules/catalogue/player-name.js';
import { restType } from '../../rules/markets/derive.js';
import { SCORE } from '../../rules/markets/rules.js';
import { type ApplyState, applyMarket, removeRow, separateNamesakes, suspendUnlisted } from './apply-market.js';
import { Assignment } from './assign.js';
import { isInPlay, isNewStart, notLiveUntilMs, sameGameState } from './liveness.js';
import { isSwapped, RELISTED_MS } from './match.js';
import type { ApplyContext, ShardState } from './shard-state.js';
import { nameOutcomes, swapGameState, swapMarket } from './swap-sides.js';

const BOOKS_MAX = LIMITS.books.max;
const EVENTS_MAX = LIMITS.events.max;
const POLLS_MAX = LIMITS.leaguePolls.max;
const POLLS_US = 2 * DAY_MS * 1000;

/** A message while it is applied, and what it has stated so far. */
interface Poll {
  readonly message: NormalMessage;
  readonly context: ApplyContext;
  readonly receipt: BatchReceipt;
  readonly serial: number;
  readonly assignment: Assignment;
  /** The book's quotes of every event that the message is about. */
  readonly stated: Set<BookQuotes>;
  /** Those among them whose markets it lists. */
  readonly listed: BookQuotes[];
  /** Those among them whose lists could be read in part alone. */
  readonly partial: Set<BookQuotes>;
  /** The book's quotes of events that its sightings turned out not to be of. */
  readonly left: Set<BookQuotes>;
  /** The newest poll of the book's whole league: that of the last sighting. */
  readonly leaguePoll: { league: string | null; us: number };
}

export function applyMessage(stated: NormalMessage, context: ApplyContext): BatchReceipt {
  const { state, catalogue } = context;
  const receipt: BatchReceipt = { accepted: 0, changed: 0, removed: 0, stale: 0, rejected: [] };
  const message = joinedByRoster(spelledAsKnown(stated, context), context, receipt);
  const serial = ++state.serial;
  if (!state.books.hasRoom(message.book)) {
    addRejection(receipt.rejected, 'book', `more than ${BOOKS_MAX} books with games`);
    return receipt;
  }
  if (message.scope === 'league' && !hasRoomForPoll(message, context)) {
    addRejection(receipt.rejected, 'league', `more than ${POLLS_MAX} leagues of books that were listed whole`);
    return receipt;
  }
  const poll: Poll = {
    message,
    context,
    receipt,
    serial,
    assignment: new Assignment(message, state.events, catalogue),
    stated: new Set(),
    listed: [],
    partial: new Set(),
    left: new Set(),
    leaguePoll: { league: null, us: 0 },
  };
  for (const place of poll.assignment.order ?? message.events.keys()) applySighting(place, poll);
  if (message.scope !== 'none') removeMissing(poll);
  return receipt;
}

/** Persons have the names that their games have here. */
function spelledAsKnown(message: NormalMessage, { state, catalogue }: ApplyContext): NormalMessage {
  if (!message.events.some(({ sport }) => PERSON_SPORTS.has(sport))) return message;
  return { ...message, events: message.events.map((event) => state.events.spelled(event, catalogue, message.book)) };
}

/** Teams have the names that their games have here, where who plays tells that it is the same game. */
function joinedByRoster(
  message: NormalMessage,
  { state, catalogue }: ApplyContext,
  receipt: BatchReceipt,
): NormalMessage {
  if (!catalogue.joinsByRoster) return message;
  const { events: index } = state;
  const keyOf = (event: Pick<NormalEvent, 'league' | 'home' | 'away'>): string => index.teamsKeyOf(event, catalogue);
  let changed = false;
  const events = message.events.map((sighting) => {
    const { ref, event, joined } = index.rostered(sighting, catalogue, message.book);
    // A book that has both in one list means two games.
    if (event === undefined || joined === undefined || message.events.some((each) => keyOf(each) === keyOf(event)))
      return sighting;
    receipt.joined ??= [];
    receipt.joined.push({ ...joined, book: message.book });
    changed = true;
    return ref;
  });
  return changed ? { ...message, events } : message;
}

function applySighting(place: number, poll: Poll): void {
  const { message, context, receipt, assignment, left } = poll;
  const sighting = message.events[place]!;
  const byTeams = sighting.eventId === null;
  // One that has a game state alone is not assigned.
  const known =
    byTeams && !sighting.quoted
      ? context.state.events.referred(sighting, message.book, message.polledUs, context.catalogue)
      : assignment.of(place);
  if (known === undefined && removesAlone(sighting)) {
    // It may be of one of the games that wait.
    if (assignment.fresh(place)?.begun === false) receipt.rest?.push(place);
    return;
  }
  if (known === undefined && (!byTeams || assignment.isExcess(place))) {
    addRejection(receipt.rejected, sighting.path, byTeams ? 'too many games of these teams' : 'unknown event');
    return;
  }
  if (isStale(sighting.league, known, poll)) {
    receipt.stale++;
    return;
  }
  const fresh = known === undefined ? assignment.fresh(place) : undefined;
  // All games of the same teams are assigned together. One that has a game state alone is not assigned.
  if (known === undefined && context.room <= 0 && (fresh?.begun === false || !sighting.quoted)) {
    receipt.rest ??= [];
    receipt.rest.push(place);
    return;
  }
  const event = known ?? createEvent(sighting, context, receipt);
  if (event === undefined) return;
  if (known === undefined) assignment.made(place, event);
  if (fresh !== undefined) fresh.begun = true;
  const quotes = quotesOf(event, message.book, context.state);
  const before = applyStatements(sighting, quotes, message, context);
  if (before !== undefined) left.add(before);
  for (const other of assignment.gamesOf(place)) noteLeft(other, quotes, left);
  poll.stated.add(quotes);
  if (sighting.quoted) applyQuotes(sighting, quotes, poll);
}

/** Of a game that is not known there is nothing to take back. */
function removesAlone({ markets }: NormalEvent): boolean {
  return markets.length > 0 && markets.every(({ quotes }) => quotes.length > 0 && quotes.every(isRemoval));
}

/** The event of a game that is mentioned for the first time, with its permanent id; undefined if it is refused. */
function createEvent(sighting: NormalEvent, context: ApplyContext, receipt: BatchReceipt): EventState | undefined {
  const { state, catalogue, position } = context;
  const { league } = sighting;
  const home = catalogue.resolveTeam(league, sighting.home);
  const away = catalogue.resolveTeam(league, sighting.away);
  const refusal =
    state.events.size < EVENTS_MAX
      ? state.names.gameRefusal({ league, homeToken: home.token, awayToken: away.token })
      : `more than ${EVENTS_MAX} games`;
  if (refusal !== undefined) {
    addRejection(receipt.rejected, sighting.path, refusal);
    return undefined;
  }
  context.room--;
  const date = catalogue.localDate(league, sighting.startMs);
  const idOf = (a: string, b: string, game: number): string => eventId(league, a, b, date, game);
  // Whichever team is at home, further games of these teams on this day are numbered in the order of their first
  // appearance.
  let game = 1;
  while (state.events.has(idOf(home.token, away.token, game)) || state.events.has(idOf(away.token, home.token, game)))
    game++;
  const fields = {
    no: state.nextEventNo++,
    id: idOf(home.token, away.token, game),
    league,
    sport: sighting.sport,
    homeToken: home.token,
    awayToken: away.token,
    home: home.name,
    away: away.name,
    startMs: sighting.startMs,
  };
  const event = newEventState(fields, position);
  event.dirty = true;
  state.events.add(event);
  state.names.countGame(event, 1);
  state.dirtyEvents.add(event);
  return event;
}

/** Older than what is stored of this book and event, or of the book's whole league: changes nothing. */
function isStale(league: string, event: EventState | undefined, { message, context, leaguePoll }: Poll): boolean {
  if (leaguePoll.league !== league) {
    leaguePoll.league = league;
    leaguePoll.us = context.state.leaguePolls.get(`${league}|${message.book}`) ?? 0;
  }
  return message.polledUs < Math.max(leaguePoll.us, event?.books.get(message.book)?.polledUs ?? 0);
}

function applyQuotes(
  sighting: NormalEvent,
  quotes: BookQuotes,
  { message, context, receipt, serial, listed, partial }: Poll,
): void {
  if (quotes.mark !== serial) {
    quotes.mark = serial;
    listed.push(quotes);
  }
  if (sighting.partial === true) partial.add(quotes);
  const seenMs = Math.floor(message.polledUs / 1000);
  const applied: ApplyState = { quotes, seenMs, path: sighting.path, serial, context, receipt, place: 0 };
  const { types } = context.catalogue;
  const { event } = quotes;
  const stated = sighting.markets.map((market) =>
    nameOutcomes(quotes.swapped ? swapMarket(market, types) : market, types, event),
  );
  const markets = asMeant(stated, applied);
  noteNamesakes(quotes, markets, context);
  for (const market of markets) applyMarket(market, applied);
  // After all others: they suspend what no other market of the message names.
  for (const market of markets) if (!market.active && market.quotes.length === 0) suspendUnlisted(applied, market);
  if (sighting.suspended && (sighting.markets.length === 0 || message.scope === 'none')) suspendUnlisted(applied, null);
  if (quotes.order.length > applied.place && sighting.markets.length > 0) quotes.order.length = applied.place;
}

/**
 * If the book's earlier statement of this game is at another event that is nearer to this one: it never belonged to
 * that event.
 */
function noteLeft(other: EventState, { book, event, startMs }: BookQuotes, left: Set<BookQuotes>): void {
  const own = other.books.get(book);
  if (other === event || own === undefined || own.startMs === null || startMs === null) return;
  const nearer = Math.abs(own.startMs - event.startMs) < Math.abs(own.startMs - other.startMs);
  if (nearer && Math.abs(own.startMs - startMs) <= RELISTED_MS) left.add(own);
}

function quotesOf(event: EventState, book: string, state: ShardState): BookQuotes {
  let quotes = event.books.get(book);
  if (quotes === undefined) {
    const bookNo = state.books.numberOf(book);
    state.books.addGame(bookNo);
    quotes = newQuotes(event, book, bookNo);
    event.books.set(book, quotes);
  }
  return quotes;
}

/** Removes what is within the message's scope and not in it. */
function removeMissing(poll: Poll): void {
  const { message, context, receipt, serial, stated, listed, partial, left } = poll;
  for (const quotes of listed) if (!partial.has(quotes)) receipt.removed += removeUnseen(quotes, serial, context);
  for (const quotes of left)
    if (!stated.has(quotes) && quotes.polledUs <= message.polledUs) receipt.removed += takeDown(quotes, poll);
  if (message.scope === 'league') receipt.removed += removeUnlisted(poll);
}

/** Returns the number of rows. */
function removeUnseen(quotes: BookQuotes, serial: number, context: ApplyContext): number {
  let removed = 0;
  for (const row of quotes.rows.values()) {
    if (row.lastSeenSerial === serial) continue;
    removeRow(row, quotes, context);
    removed++;
  }
  return removed;
}

/** Removes the book from an event that it no longer lists: its rows and its statements. Returns the number of rows. */
function takeDown(quotes: BookQuotes, { message, serial, stated, context }: Poll): number {
  const { state } = context;
  const withdrawn = !stated.has(quotes) && withdrawStatements(quotes);
  if (withdrawn) state.dirtyEvents.add(quotes.event);
  // Removed before: repeating it at every poll would keep a finished game from ever being forgotten.
  if (!withdrawn && quotes.rows.size === 0) return 0;
  quotes.polledUs = message.polledUs;
  quotes.appliedUs = context.position;
  state.dirtyBooks.add(quotes);
  return removeUnseen(quotes, serial, context);
}

/** Where there is none left, lists that are too old to say anything of messages that still come are forgotten. */
function hasRoomForPoll(message: NormalMessage, { state, position }: ApplyContext): boolean {
  const { leaguePolls, dirtyLeaguePolls } = state;
  if (leaguePolls.size < POLLS_MAX || leaguePolls.has(leaguePollKey(message))) return true;
  for (const [key, us] of leaguePolls)
    if (us < position - POLLS_US) {
      leaguePolls.delete(key);
      dirtyLeaguePolls.add(key);
    }
  return leaguePolls.size < POLLS_MAX;
}

function leaguePollKey({ league, book }: NormalMessage): string {
  return `${league}|${book}`;
}

/** Removes the book from every event of the league that it does not list. */
function removeUnlisted(poll: Poll): number {
  const { message, serial, context } = poll;
  const { state } = context;
  const key = leaguePollKey(message);
  let removed = 0;
  for (const event of state.events.ofLeague(message.league ?? '')) {
    const quotes = event.books.get(message.book);
    if (quotes === undefined || quotes.mark === serial || quotes.polledUs > message.polledUs) continue;
    removed += takeDown(quotes, poll);
  }
  if (message.polledUs > (state.leaguePolls.get(key) ?? 0)) {
    state.leaguePolls.set(key, message.polledUs);
    state.dirtyLeaguePolls.add(key);
  }
  return removed;
}

// Two men of one name: `Ken Griffey` and `Ken Griffey Jr.` are one player to books that write a name differently, and
// two once a book of the event lists both in one market. Stored with the event, so that it outlives the message.

/** To be called before the markets of one book's statement are applied. */
function noteNamesakes(quotes: BookQuotes, markets: readonly NormalMarket[], context: ApplyContext): void {
  const { event } = quotes;
  // Data of 0.3.0 may have rows of the one by the key of the other.
  if (event.namesakes !== undefined) separateNamesakes(quotes, context);
  if (!markets.some(({ player }) => player !== null && mayHaveSuffix(player))) return;
  const byType = new Map<string, Set<string>>();
  for (const { type, player, stat } of markets) {
    if (player === null) continue;
    const key = `${type}|${stat ?? ''}`;
    byType.set(key, (byType.get(key) ?? new Set()).add(player));
  }
  const { state } = context;
  const known = new Set(event.namesakes);
  const before = known.size;
  for (const names of byType.values()) for (const name of namesakesIn(names)) known.add(name);
  if (known.size === before) return;
  event.namesakes = [...known];
  event.dirty = true;
  state.dirtyEvents.add(event);
  // In an order that a restart does not change, as the rows get numbers.
  const books = [...event.books.values()].sort((a, b) => a.bookNo - b.bookNo);
  for (const quotes of books) separateNamesakes(quotes, context);
}

// Handicaps made in play at books that count only what follows the bet: a market type of their own, so that they are
// never compared with handicaps of the whole match.

/** The markets as they are meant: the same list unless the book counts from the score at the bet and the game is in play. */
function asMeant(markets: readonly NormalMarket[], applied: ApplyState): readonly NormalMarket[] {
  const { quotes, seenMs, context } = applied;
  const { event, book, rows } = quotes;
  const { houseRules, types } = context.catalogue;
  if (houseRules.of(book, event.sport, event.league).handicap.score_from !== 'bet') return markets;
  const inPlay = isInPlay(quotes, context.position / 1000);
  const isListed = (type: string): boolean =>
    markets.some((market) => market.type === type && !market.quotes.every(isRemoval)) ||
    [...rows.values()].some((row) => row.market === type && row.seenMs >= seenMs);
  return markets.flatMap((market) => {
    const { family, statistic, sides, lay } = types.of(market.type, event.sport);
    if (family !== 'handicap' || statistic !== SCORE || sides === 'three' || lay) return market;
    // With a draw it is one of three results of the match, its start stated in advance; also while the draw is missing.
    if (hasShownDraw(event, book, market.type)) return market;
    if (market.quotes.some(({ 1: selectionType }) => selectionType === 'draw')) return market;
    const type = restType(market.type);
    if (type === market.type) return market;
    if (!inPlay) {
      // The game has not begun: there is no rest of it.
      if (!isListed(type)) removeRowsOf(type, applied);
      return market;
    }
    // A market that closes is closed as it was before the game, too.
    if (market.quotes.length === 0) return [{ ...market, type }, market];
    const removals = market.quotes.filter(isRemoval);
    if (removals.length < market.quotes.length) removeRowsOf(market.type, applied);
    if (removals.length === 0) return { ...market, type };
    // Of rows from before the game too; of them alone where those in play are listed by their own name, as in exports.
    const before = { ...market, quotes: removals };
    if (!isListed(type)) return [{ ...market, type }, before];
    const prices = market.quotes.filter((quote) => !isRemoval(quote));
    return prices.length === 0 ? before : [{ ...market, type, quotes: prices }, before];
  });
}

/** What a book showed of a market before the game is on offer no more once it states it in play, in any scope. */
function removeRowsOf(type: string, { quotes, context, receipt }: ApplyState): void {
  for (const row of quotes.rows.values()) {
    if (row.market !== type) continue;
    removeRow(row, quotes, context);
    receipt.removed++;
  }
}

function isRemoval({ 12: mark }: NormalQuote): boolean {
  return mark === 'removed';
}

// A book's statements about the event itself, beside its prices: start, liveness, status, score, and its own id of it.
// Only recorded here; shard.ts combines the statements of all books.

/**
 * Records the statements of a sighting that is not older than what is stored. If its id belonged to another event
 * before, returns the book's quotes of that event.
 */
function applyStatements(
  sighting: NormalEvent,
  quotes: BookQuotes,
  message: NormalMessage,
  context: ApplyContext,
): BookQuotes | undefined {
  const { event } = quotes;
  let before: BookQuotes | undefined;
  const { state, catalogue } = context;
  let unsettled = false;
  quotes.polledUs = message.polledUs;
  quotes.appliedUs = context.position;
  const swapped = isSwapped(event, sighting, catalogue);
  quotes.restated ||= quotes.swapped !== swapped;
  quotes.swapped = swapped;
  const keepsEnd = saysNothingOfEnd(sighting, quotes);
  if (!keepsEnd) noteLive(sighting, quotes, context);
  if (sighting.eventId === null) {
    const startMs = sighting.startEstimated ? null : sighting.startMs;
    if (quotes.startMs !== startMs) {
      unsettled = true;
      quotes.restated = true;
      quotes.moved = startMs !== null;
      endPostponements(sighting, quotes, state);
    }
    quotes.startMs = startMs;
  }
  if (sighting.quoted || sighting.live !== null || sighting.status !== null) {
    const status = keepsEnd ? quotes.status : sighting.status;
    if (quotes.live !== sighting.live || quotes.status !== status) {
      unsettled = true;
      quotes.restated = true;
    }
    // Repeated after the game should have begun, "not live" is new information.
    const untilMs = notLiveUntilMs(quotes, event.startMs);
    if (!keepsEnd && sighting.live === false && quotes.statedMs < untilMs && message.polledUs / 1000 >= untilMs)
      unsettled = true;
    quotes.live = sighting.live;
    quotes.status = status;
    // An end that was not said again is as old as the word.
    if (!keepsEnd) quotes.statedMs = message.polledUs / 1000;
  }
  if (sighting.state !== null) {
    const stated = quotes.swapped ? swapGameState(sighting.state) : sighting.state;
    quotes.restated ||= !sameGameState(quotes.state, stated);
    quotes.state = stated;
    unsettled = true;
  }
  if (sighting.externalId !== null && sighting.externalId !== quotes.externalId) {
    if (quotes.externalId !== null) state.events.unlinkExternal(event, quotes.book, quotes.externalId);
    before = state.events.linkExternal(event, quotes.book, sighting.externalId)?.books.get(quotes.book);
    if (before !== undefined) setExternalId(before, null, context);
    setExternalId(quotes, sighting.externalId, context);
  }
  if (unsettled) state.dirtyEvents.add(event);
  state.dirtyBooks.add(quotes);
  return before;
}

/** Whether a book said that the game is over or called off, and says nothing now that takes it back. */
function saysNothingOfEnd(sighting: NormalEvent, quotes: BookQuotes): boolean {
  if (sighting.status !== null || !isEnd(quotes.status)) return false;
  // What was postponed may begin without a new start having been told; what is over does not.
  if (quotes.status === 'postponed' && sighting.live === true) return false;
  // The start that it stated all along is no new one, even if most books state another.
  const { startMs, calledOffMs } = quotes.event;
  return (sighting.startMs === quotes.startMs && startMs === calledOffMs) || !isNewStartAfter(sighting, quotes);
}

/** Whether the start is another one than that at which a book said that the game is over or called off. */
function isNewStartAfter({ eventId, startEstimated, startMs }: NormalEvent, end: BookQuotes): boolean {
  if (eventId !== null || startEstimated) return false;
  const { status, startMs: ownMs, event } = end;
  const calledOffMs = status === 'postponed' ? event.calledOffMs : undefined;
  return isNewStart(startMs, calledOffMs ?? ownMs ?? event.startMs);
}

/** A start that a book did not state before ends what other books postponed, if it is a new one. */
function endPostponements(sighting: NormalEvent, { event, book }: BookQuotes, { dirtyBooks }: ShardState): void {
  for (const other of event.books.values()) {
    if (other.status !== 'postponed' || other.book === book || !isNewStartAfter(sighting, other)) continue;
    other.status = null;
    other.restated = true;
    dirtyBooks.add(other);
  }
}

/**
 * Records when the book first said that the game is live: where its prices close. The book revokes it by saying that
 * the game is not live and starts later than it said before.
 */
function noteLive(sighting: NormalEvent, quotes: BookQuotes, { state, position }: ApplyContext): void {
  const { event, book } = quotes;
  const since = event.liveSince?.[book];
  const live = sighting.live ?? (sighting.status === 'live' ? true : null);
  // A source of results says that it has not begun.
  if (event.told === 'postponed' && event.status === 'postponed') return;
  if (live === true && since === undefined) event.liveSince = { ...event.liveSince, [book]: position };
  else if (
    live === false &&
    since !== undefined &&
    sighting.eventId === null &&
    quotes.startMs !== null &&
    sighting.startMs > quotes.startMs
  ) {
    const { [book]: _takenBack, ...others } = event.liveSince!;
    event.liveSince = others;
  } else return;
  event.dirty = true;
  state.dirtyEvents.add(event);
}

function setExternalId(quotes: BookQuotes, externalId: string | null, { state, position }: ApplyContext): void {
  quotes.externalId = externalId;
  quotes.restated = true;
  quotes.event.dirty = true;
  state.dirtyEvents.add(quotes.event);
  state.dirtyBooks.add(quotes);
  // Deep links depend on it.
  quotes.fixedPartsDirty = true;
  for (const row of quotes.rows.values()) markRow(row, RowChange.restated, position);
  // A row removed by this batch may return within it.
  for (const row of quotes.removed?.values() ?? []) markRow(row, RowChange.restated, position);
}

/** A book that no longer lists an event no longer states its start or liveness (an end remains stated). */
function withdrawStatements(quotes: BookQuotes): boolean {
  const goesOn = quotes.status === 'live' || quotes.status === 'upcoming';
  const stated = quotes.startMs !== null || quotes.live !== null || goesOn;
  quotes.startMs = null;
  quotes.live = null;
  if (goesOn) quotes.status = null;
  quotes.restated ||= stated;
  return stated;
}
