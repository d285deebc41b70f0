// Applies normal messages to a shard's state: matches the event, compares every quote, removes what is missing from the
// scope. Only memory changes here; shard.ts turns what was marked dirty into a delta and commits it.

import { LIMITS } from '../model/limits.js';
import type { BatchReceipt, NormalEvent, NormalMessage } from '../model/normal-message.js';
import type { BookQuotes, EventState } from '../model/state.js';
import { newQuotes } from '../model/state.js';
import type { ApplyContext, ShardState } from './apply-context.js';
import { type ApplyState, applyMarket, refuse, suspendUnlisted } from './apply-market.js';
import { Assignment } from './assign.js';
import { createEvent } from './create-event.js';
import { RELISTED_MS } from './same-game.js';
import { applyStatements, withdrawStatements } from './statements.js';

const BOOKS_MAX = LIMITS.books.max;

export function applyMessage(message: NormalMessage, context: ApplyContext): BatchReceipt {
  const { state } = context;
  const receipt: BatchReceipt = { accepted: 0, changed: 0, removed: 0, stale: 0, rejected: [] };
  const serial = ++state.serial;
  const covered: BookQuotes[] = [];
  if (!state.bookNames.includes(message.book) && state.bookNames.length >= BOOKS_MAX) {
    refuse(receipt, 'book', `more than ${BOOKS_MAX} books`);
    return receipt;
  }
  const places = new Assignment(message, state.events, context.catalogue);
  const left = new Set<BookQuotes>();
  const stated = new Set<BookQuotes>();
  const polledMs = Math.floor(message.polledUs / 1000);
  let league: string | null = null;
  let leaguePolledUs = 0;
  for (const place of places.order ?? message.events.keys()) {
    const sighting = message.events[place]!;
    if (sighting.league !== league) {
      league = sighting.league;
      leaguePolledUs = state.leaguePolls.get(`${league}|${message.book}`) ?? 0;
    }
    const byTeams = sighting.eventId === null;
    const known = byTeams && !sighting.quoted ? stateOnly(sighting, message, context) : places.of(place);
    if (known === undefined && (!byTeams || places.isExcess(place))) {
      refuse(receipt, sighting.path, byTeams ? 'too many games of these teams' : 'unknown event');
      continue;
    }
    // Older than what is stored for this book and event, or for the book's whole league: changes nothing.
    if (message.polledUs < Math.max(leaguePolledUs, known?.books.get(message.book)?.polledUs ?? 0)) {
      receipt.stale++;
      continue;
    }
    const event = known ?? createEvent(sighting, context);
    if (known === undefined) places.made(place, event);
    const quotes = quotesOf(event, message.book, state);
    const before = applyStatements(sighting, quotes, message, context);
    if (before !== undefined) left.add(before);
    for (const other of places.gamesOf(place)) noteLeft(other, quotes, left);
    stated.add(quotes);
    if (!sighting.quoted) continue;
    if (quotes.mark !== serial) {
      quotes.mark = serial;
      covered.push(quotes);
    }
    const applyState: ApplyState = {
      quotes,
      seenMs: polledMs,
      path: sighting.path,
      serial,
      context,
      receipt,
      place: 0,
    };
    for (const market of sighting.markets) applyMarket(market, applyState);
    // They suspend what no other market of the message names.
    for (const market of sighting.markets)
      if (!market.active && market.quotes.length === 0) suspendUnlisted(applyState, market);
    if (sighting.suspended && (sighting.markets.length === 0 || message.scope === 'none'))
      suspendUnlisted(applyState, null);
    if (quotes.order.length > applyState.place && sighting.markets.length > 0) quotes.order.length = applyState.place;
  }
  const poll = { message, serial, stated, context };
  if (message.scope !== 'none') for (const quotes of covered) receipt.removed += removeUnseen(quotes, serial, context);
  if (message.scope !== 'none')
    for (const quotes of left)
      if (!stated.has(quotes) && quotes.polledUs <= message.polledUs) receipt.removed += takeDown(quotes, poll);
  if (message.scope === 'league') receipt.removed += removeUnlisted(poll);
  return receipt;
}

function stateOnly(sighting: NormalEvent, message: NormalMessage, context: ApplyContext): EventState | undefined {
  const { startMs, externalId } = sighting;
  const polledMs = message.polledUs / 1000;
  return context.state.events.nearest(
    { book: message.book, startMs, externalId, polledMs, alone: true },
    sighting,
    context.catalogue,
  );
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
    let bookNo = state.bookNames.indexOf(book);
    if (bookNo < 0) bookNo = state.bookNames.push(book) - 1;
    quotes = newQuotes(event, book, bookNo);
    event.books.set(book, quotes);
  }
  return quotes;
}

function removeUnseen(quotes: BookQuotes, serial: number, context: ApplyContext): number {
  let removed = 0;
  for (const [key, row] of quotes.rows) {
    if (row.lastSeenSerial === serial) continue;
    quotes.rows.delete(key);
    quotes.removed ??= new Map();
    quotes.removed.set(key, row);
    context.state.rowCount--;
    removed++;
  }
  if (removed > 0) context.state.dirtyBooks.add(quotes);
  return removed;
}

/** A message being applied, and what it stated. */
interface Poll {
  message: NormalMessage;
  serial: number;
  stated: ReadonlySet<BookQuotes>;
  context: ApplyContext;
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

/** Removes the book from every event of the league that it does not list. */
function removeUnlisted(poll: Poll): number {
  const { message, serial, context } = poll;
  const { state } = context;
  const key = `${message.league}|${message.book}`;
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
