// Applies normal messages to a shard's book: match the event, diff every quote, remove what the scope says is gone.
// Only memory changes here; shard.ts turns what was marked dirty into a delta and commits it.
import type { Catalogue } from '../catalogue/catalogue.js';
import { canonicalPlayerName } from '../catalogue/player-name.js';
import type { IngestReceipt, NormalEvent, NormalMarket, NormalMessage, NormalQuote } from '../ingest/normal.js';
import { eventId, oddsId, rowKey } from './identity.js';
import type { EventIndex } from './match.js';
import { type BookQuotes, DIRT, type EventState, type Row } from './state.js';

export interface ShardState {
  events: EventIndex;
  /** Newest league-wide poll of a book, Unix µs, by `league|book`. */
  leaguePolls: Map<string, number>;
  /** Book names by their number in this shard's store; append-only. */
  bookNames: string[];
  rowCount: number;
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
    receipt.rejected.push({ path: 'book', reason: `more than ${BOOKS_MAX} books` });
    return receipt;
  }
  const claims = new Map<EventState, number>();
  for (const sighting of message.events) {
    const event = findOrCreateEvent(sighting, message, claims, context);
    if (event === undefined) {
      receipt.rejected.push({ path: sighting.path, reason: 'unknown event' });
      continue;
    }
    const quotes = quotesOf(event, message.book, state);
    const leaguePolledUs = state.leaguePolls.get(`${event.league}|${message.book}`) ?? 0;
    // Older than what is stored for this book and event (or for its whole league): changes nothing.
    if (message.polledUs < quotes.polledUs || (quotes.polledUs === 0 && message.polledUs < leaguePolledUs)) {
      receipt.stale++;
      continue;
    }
    applyStatements(sighting, quotes, message, context);
    if (!sighting.quoted) continue;
    if (quotes.mark !== serial) {
      quotes.mark = serial;
      covered.push(quotes);
    }
    for (const market of sighting.markets)
      applyMarket(market, quotes, message, sighting.path, serial, context, receipt);
  }
  if (message.scope !== 'none') for (const quotes of covered) receipt.removed += removeUnseen(quotes, serial, context);
  if (message.scope === 'league') receipt.removed += removeUnlisted(message, serial, context);
  return receipt;
}

function findOrCreateEvent(
  sighting: NormalEvent,
  message: NormalMessage,
  claims: Map<EventState, number>,
  context: ApplyContext,
): EventState | undefined {
  const { state, catalogue } = context;
  if (sighting.eventId !== null) return state.events.get(sighting.eventId);
  const home = catalogue.resolveTeam(sighting.league, sighting.home);
  const away = catalogue.resolveTeam(sighting.league, sighting.away);
  const found = state.events.find({
    book: message.book,
    league: sighting.league,
    homeToken: home.token,
    awayToken: away.token,
    startMs: sighting.startMs,
    externalId: sighting.externalId,
    polledMs: message.polledUs / 1000,
    claimed: (event) => (claims.get(event) ?? sighting.startMs) !== sighting.startMs,
  });
  if (found !== undefined) {
    claims.set(found, sighting.startMs);
    return found;
  }
  const date = catalogue.localDate(sighting.league, sighting.startMs);
  let game = 1;
  let id = eventId(sighting.league, home.token, away.token, date, game);
  // Swapped or not, further games of these teams on this day are numbered in the order they are first seen.
  while (state.events.has(id)) id = eventId(sighting.league, home.token, away.token, date, ++game);
  const event: EventState = {
    no: state.nextEventNo++,
    id,
    league: sighting.league,
    sport: sighting.sport,
    homeToken: home.token,
    awayToken: away.token,
    home: home.name,
    away: away.name,
    startMs: sighting.startMs,
    status: 'upcoming',
    live: false,
    state: null,
    bornUs: context.position,
    books: new Map(),
    deadlineMs: Number.POSITIVE_INFINITY,
    dirty: true,
    dropping: false,
  };
  state.events.add(event);
  state.dirtyEvents.add(event);
  claims.set(event, sighting.startMs);
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

/** What the book says of the event itself. */
function applyStatements(
  sighting: NormalEvent,
  quotes: BookQuotes,
  message: NormalMessage,
  context: ApplyContext,
): void {
  const { event } = quotes;
  const { state, catalogue } = context;
  quotes.polledUs = message.polledUs;
  quotes.appliedUs = context.position;
  if (sighting.eventId === null) {
    quotes.swapped =
      event.homeToken !== event.awayToken &&
      catalogue.resolveTeam(sighting.league, sighting.home).token === event.awayToken;
    if (quotes.startMs !== sighting.startMs) {
      quotes.startMs = sighting.startMs;
      event.dirty = true;
    }
  }
  if (sighting.quoted || sighting.live !== null || sighting.status !== null) {
    if (quotes.live !== sighting.live || quotes.status !== sighting.status) event.dirty = true;
    quotes.live = sighting.live;
    quotes.status = sighting.status;
    quotes.statedMs = message.polledUs / 1000;
  }
  if (sighting.state !== null) {
    quotes.state = quotes.swapped ? swapState(sighting.state) : sighting.state;
    event.dirty = true;
  }
  if (sighting.externalId !== null && sighting.externalId !== quotes.externalId) {
    quotes.externalId = sighting.externalId;
    state.events.linkExternal(event, quotes.book, sighting.externalId);
    event.dirty = true;
    // Deep links are made of it.
    for (const row of quotes.rows.values()) mark(row, DIRT.restated, context.position);
  }
  // A live claim's age decides over the start time, so a game that is not yet settled is looked at again.
  if (!event.live && sighting.live === false) event.dirty ||= message.polledUs / 1000 >= event.startMs;
  if (event.dirty) state.dirtyEvents.add(event);
  state.dirtyBooks.add(quotes);
}

function swapState(state: NonNullable<NormalEvent['state']>): NonNullable<NormalEvent['state']> {
  const { home_score, away_score, fouls_home, fouls_away, ...rest } = state;
  const turn = (side: string | null | undefined) => (side === 'home' ? 'away' : side === 'away' ? 'home' : side);
  const swapped: typeof state = { ...rest };
  if (away_score !== undefined) swapped.home_score = away_score;
  if (home_score !== undefined) swapped.away_score = home_score;
  if (fouls_away !== undefined) swapped.fouls_home = fouls_away;
  if (fouls_home !== undefined) swapped.fouls_away = fouls_home;
  if (rest.possession !== undefined) swapped.possession = turn(rest.possession) ?? null;
  return swapped;
}

function applyMarket(
  market: NormalMarket,
  quotes: BookQuotes,
  message: NormalMessage,
  path: string,
  serial: number,
  context: ApplyContext,
  receipt: IngestReceipt,
): void {
  const seenMs = market.seenMs ?? Math.floor(message.polledUs / 1000);
  const player = market.player === null ? null : canonicalPlayerName(market.player);
  let team = market.team;
  if (team !== null && quotes.swapped) team = team === 'home' ? 'away' : 'home';
  for (const quote of market.quotes) {
    let selectionType = quote[1];
    if (quotes.swapped)
      selectionType = selectionType === 'home' ? 'away' : selectionType === 'away' ? 'home' : selectionType;
    const key = rowKey({
      market: market.type,
      player,
      stat: market.stat,
      team,
      selectionType,
      selection: quote[0],
      alternate: quote[5],
      line: quote[2],
    });
    const row = quotes.rows.get(key);
    if (row === undefined) {
      addRow(key, market, team, selectionType, quote, quotes, seenMs, serial, context);
      receipt.accepted++;
      receipt.changed++;
    } else if (row.mark === serial) {
      const line = quote[2] === null ? '' : ` ${quote[2]}`;
      receipt.rejected.push({
        path,
        reason: `${market.type} ${selectionType}${line}: the same selection twice (other lines need is_alternate_line)`,
      });
    } else {
      receipt.accepted++;
      row.mark = serial;
      row.seenMs = seenMs;
      if (updateRow(row, market, quote, context.position)) receipt.changed++;
    }
  }
}

function mark(row: Row, dirt: number, position: number): void {
  if (row.dirt < dirt) row.dirt = dirt;
  row.movedUs = position;
}

function updateRow(row: Row, market: NormalMarket, quote: NormalQuote, position: number): boolean {
  let changed = false;
  if (row.decimal !== quote[4] || row.american !== quote[3] || row.line !== quote[2]) {
    row.line = quote[2];
    row.american = quote[3];
    row.decimal = quote[4];
    row.changedUs = position;
    mark(row, DIRT.updated, position);
    changed = true;
  }
  if (row.deepLink !== quote[6] || row.maxBet !== market.maxBet || row.publicBetPct !== quote[8]) {
    row.deepLink = quote[6];
    row.maxBet = market.maxBet;
    row.publicBetPct = quote[8];
    mark(row, DIRT.restated, position);
    changed = true;
  }
  return changed;
}

function addRow(
  key: string,
  market: NormalMarket,
  team: 'home' | 'away' | null,
  selectionType: string,
  quote: NormalQuote,
  quotes: BookQuotes,
  seenMs: number,
  serial: number,
  context: ApplyContext,
): void {
  const { position, state } = context;
  const { event } = quotes;
  const back = quotes.removed?.get(key);
  if (back !== undefined) {
    quotes.removed!.delete(key);
    quotes.reordered = true;
    quotes.rows.set(key, back);
    back.mark = serial;
    back.seenMs = seenMs;
    updateRow(back, market, quote, position);
    state.rowCount++;
    return;
  }
  quotes.rows.set(key, {
    no: state.allocateRowNo(),
    id: oddsId(quotes.book, event.id, key),
    key,
    market: market.type,
    selection: selectionName(selectionType, quote[0], event, market),
    selectionType,
    player: market.player,
    stat: market.stat,
    team,
    alternate: quote[5],
    line: quote[2],
    american: quote[3],
    decimal: quote[4],
    seenMs,
    changedUs: position,
    bornUs: position,
    movedUs: position,
    deepLink: quote[6],
    externalId: quote[7],
    maxBet: market.maxBet,
    publicBetPct: quote[8],
    mark: serial,
    dirt: DIRT.added,
  });
  state.rowCount++;
}

/** Home and away carry the event's own team names, whatever the book calls them. */
function selectionName(type: string, name: string, event: EventState, market: NormalMarket): string {
  if (market.player === null) {
    if (type === 'home') return event.home;
    if (type === 'away') return event.away;
    if (type === 'draw') return 'Draw';
  }
  if (type === 'over') return 'Over';
  if (type === 'under') return 'Under';
  return name;
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
function removeUnlisted(message: NormalMessage, serial: number, context: ApplyContext): number {
  const { state } = context;
  const poll = `${message.league}|${message.book}`;
  let removed = 0;
  for (const event of state.events.ofLeague(message.league ?? '')) {
    const quotes = event.books.get(message.book);
    if (quotes === undefined || quotes.mark === serial || quotes.polledUs > message.polledUs) continue;
    quotes.polledUs = message.polledUs;
    quotes.appliedUs = context.position;
    removed += removeUnseen(quotes, serial, context);
    if (withdrawStatements(quotes)) {
      event.dirty = true;
      state.dirtyEvents.add(event);
    }
    state.dirtyBooks.add(quotes);
  }
  if (message.polledUs > (state.leaguePolls.get(poll) ?? 0)) {
    state.leaguePolls.set(poll, message.polledUs);
    state.dirtyLeaguePolls.add(poll);
  }
  return removed;
}

/** A book that no longer lists an event no longer says when it starts or that it is live (an end stays said). */
function withdrawStatements(quotes: BookQuotes): boolean {
  const said = quotes.startMs !== null || quotes.live !== null || quotes.status === 'live';
  quotes.startMs = null;
  quotes.live = null;
  if (quotes.status === 'live' || quotes.status === 'upcoming') quotes.status = null;
  return said;
}
