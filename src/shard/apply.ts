// Applies normal messages to a shard's book: match the event, diff every quote, remove what the scope says is gone.
// Only memory changes here; shard.ts turns what was marked dirty into a delta and commits it.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { IngestReceipt, NormalEvent, NormalMessage } from '../ingest/normal.js';
import type { Interner } from '../store/interner.js';
import { applyMarket, refuse, type Scene, suspendUnlisted } from './apply-market.js';
import type { HeldNumbers } from './held-row.js';
import { eventId } from './identity.js';
import type { EventIndex } from './match.js';
import type { BookQuotes, EventState } from './state.js';
import { applyStatements, withdrawStatements } from './statements.js';

export interface ShardState {
  events: EventIndex;
  /** Newest league-wide poll of a book, Unix µs, by `league|book`. */
  leaguePolls: Map<string, number>;
  /** Book names by their number in this shard's store; append-only. */
  bookNames: string[];
  rowCount: number;
  /** Of all its rows, by their numbers. */
  numbers: HeldNumbers;
  /** Of texts that the rows of many books and events share. */
  texts: Interner;
  /** Rises with every message: rows and quotes remember the last one that showed them. */
  serial: number;
  nextEventNo: number;
  allocateRowNo(): number;
  /** Marked by this batch. */
  dirtyEvents: Set<EventState>;
  dirtyBooks: Set<BookQuotes>;
  dirtyLeaguePolls: Set<string>;
}

export interface ApplyContext {
  catalogue: Catalogue;
  state: ShardState;
  /** Position of the running batch (Unix µs). */
  position: number;
}

const BOOKS_MAX = 4_000;

export function applyMessage(message: NormalMessage, context: ApplyContext): IngestReceipt {
  const { state } = context;
  const receipt: IngestReceipt = { accepted: 0, changed: 0, removed: 0, stale: 0, rejected: [] };
  const serial = ++state.serial;
  const covered: BookQuotes[] = [];
  if (!state.bookNames.includes(message.book) && state.bookNames.length >= BOOKS_MAX) {
    refuse(receipt, 'book', `more than ${BOOKS_MAX} books`);
    return receipt;
  }
  const claims = new Map<EventState, number>();
  const stated = new Set<BookQuotes>();
  const polledMs = Math.floor(message.polledUs / 1000);
  let league: string | null = null;
  let leaguePolledUs = 0;
  for (const sighting of message.events) {
    if (sighting.league !== league) {
      league = sighting.league;
      leaguePolledUs = state.leaguePolls.get(`${league}|${message.book}`) ?? 0;
    }
    const known = findEvent(sighting, message, claims, context);
    if (known === undefined && sighting.eventId !== null) {
      refuse(receipt, sighting.path, 'unknown event');
      continue;
    }
    // Older than what is stored for this book and event, or for the book's whole league: changes nothing.
    if (message.polledUs < Math.max(leaguePolledUs, known?.books.get(message.book)?.polledUs ?? 0)) {
      receipt.stale++;
      continue;
    }
    const event = known ?? createEvent(sighting, context);
    if (sighting.eventId === null) claims.set(event, sighting.startMs);
    const quotes = quotesOf(event, message.book, state);
    applyStatements(sighting, quotes, message, context);
    stated.add(quotes);
    if (!sighting.quoted) continue;
    if (quotes.mark !== serial) {
      quotes.mark = serial;
      covered.push(quotes);
    }
    const scene: Scene = { quotes, seenMs: polledMs, path: sighting.path, serial, context, receipt, place: 0 };
    for (const market of sighting.markets) applyMarket(market, scene);
    // What they suspend is what no other market of the message names.
    for (const market of sighting.markets)
      if (!market.active && market.quotes.length === 0) suspendUnlisted(scene, market);
    if (sighting.suspended && (sighting.markets.length === 0 || message.scope === 'none')) suspendUnlisted(scene, null);
    if (quotes.order.length > scene.place && sighting.markets.length > 0) quotes.order.length = scene.place;
  }
  if (message.scope !== 'none') for (const quotes of covered) receipt.removed += removeUnseen(quotes, serial, context);
  if (message.scope === 'league') receipt.removed += removeUnlisted(message, serial, stated, context);
  return receipt;
}

function findEvent(
  sighting: NormalEvent,
  message: NormalMessage,
  claims: ReadonlyMap<EventState, number>,
  { state, catalogue }: ApplyContext,
): EventState | undefined {
  if (sighting.eventId !== null) return state.events.get(sighting.eventId);
  return state.events.find({
    book: message.book,
    league: sighting.league,
    homeToken: catalogue.resolveTeam(sighting.league, sighting.home).token,
    awayToken: catalogue.resolveTeam(sighting.league, sighting.away).token,
    startMs: sighting.startMs,
    externalId: sighting.externalId,
    polledMs: message.polledUs / 1000,
    claimed: (event) => (claims.get(event) ?? sighting.startMs) !== sighting.startMs,
  });
}

function createEvent(sighting: NormalEvent, { state, catalogue, position }: ApplyContext): EventState {
  const { league } = sighting;
  const home = catalogue.resolveTeam(league, sighting.home);
  const away = catalogue.resolveTeam(league, sighting.away);
  const date = catalogue.localDate(league, sighting.startMs);
  const idOf = (a: string, b: string, game: number): string => eventId(league, a, b, date, game);
  // Whoever is at home, further games of these teams on this day are numbered in the order they are first seen.
  let game = 1;
  while (state.events.has(idOf(home.token, away.token, game)) || state.events.has(idOf(away.token, home.token, game)))
    game++;
  const event: EventState = {
    no: state.nextEventNo++,
    id: idOf(home.token, away.token, game),
    league,
    sport: sighting.sport,
    homeToken: home.token,
    awayToken: away.token,
    home: home.name,
    away: away.name,
    startMs: sighting.startMs,
    status: 'upcoming',
    live: false,
    state: null,
    bornUs: position,
    books: new Map(),
    deadlineMs: Number.POSITIVE_INFINITY,
    dirty: true,
    dropping: false,
  };
  state.events.add(event);
  state.dirtyEvents.add(event);
  return event;
}

function quotesOf(event: EventState, book: string, state: ShardState): BookQuotes {
  let quotes = event.books.get(book);
  if (quotes === undefined) {
    let bookNo = state.bookNames.indexOf(book);
    if (bookNo < 0) bookNo = state.bookNames.push(book) - 1;
    quotes = newQuotes(event, book, bookNo);
    event.books.set(book, quotes);
  }
  return quotes;
}

export function newQuotes(event: EventState, book: string, bookNo: number): BookQuotes {
  return {
    book,
    bookNo,
    event,
    polledUs: 0,
    appliedUs: 0,
    rows: new Map(),
    order: [],
    externalId: null,
    startMs: null,
    live: null,
    status: null,
    statedMs: 0,
    swapped: false,
    state: null,
    mark: 0,
    removed: null,
    reordered: false,
  };
}

function removeUnseen(quotes: BookQuotes, serial: number, context: ApplyContext): number {
  let removed = 0;
  for (const [key, row] of quotes.rows) {
    if (row.mark === serial) continue;
    quotes.rows.delete(key);
    quotes.removed ??= new Map();
    quotes.removed.set(key, row);
    context.state.rowCount--;
    removed++;
  }
  if (removed > 0) context.state.dirtyBooks.add(quotes);
  return removed;
}

/** Every event of the league that the book does not list is gone for it. */
function removeUnlisted(
  message: NormalMessage,
  serial: number,
  stated: ReadonlySet<BookQuotes>,
  context: ApplyContext,
): number {
  const { state } = context;
  const poll = `${message.league}|${message.book}`;
  let removed = 0;
  for (const event of state.events.ofLeague(message.league ?? '')) {
    const quotes = event.books.get(message.book);
    if (quotes === undefined || quotes.mark === serial || quotes.polledUs > message.polledUs) continue;
    const withdrawn = !stated.has(quotes) && withdrawStatements(quotes);
    if (withdrawn) state.dirtyEvents.add(event);
    // Gone before: to say so again at every poll would keep a game that is over from ever being forgotten.
    if (!withdrawn && quotes.rows.size === 0) continue;
    quotes.polledUs = message.polledUs;
    quotes.appliedUs = context.position;
    removed += removeUnseen(quotes, serial, context);
    state.dirtyBooks.add(quotes);
  }
  if (message.polledUs > (state.leaguePolls.get(poll) ?? 0)) {
    state.leaguePolls.set(poll, message.polledUs);
    state.dirtyLeaguePolls.add(poll);
  }
  return removed;
}
