// Applies normal messages to a shard's book: match the event, diff every quote, remove what the scope says is gone.
// Only memory changes here; shard.ts turns what was marked dirty into a delta and commits it.
import type { Catalogue } from '../catalogue/catalogue.js';
import { canonicalPlayerName } from '../catalogue/player-name.js';
import type { IngestReceipt, NormalEvent, NormalMarket, NormalMessage, NormalQuote } from '../ingest/normal.js';
import type { Interner } from '../store/interner.js';
import { noteDraw } from './draws.js';
import { type HeldNumbers, HeldRow } from './held-row.js';
import { eventId, hasKey, type OddsKey, oddsId, rowKey } from './identity.js';
import type { EventIndex } from './match.js';
import { type BookQuotes, DIRT, type EventState, markRow, type Row } from './state.js';
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
const REJECTIONS_MAX = 1_000;

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
    if (quotes.order.length > scene.place) quotes.order.length = scene.place;
  }
  if (message.scope !== 'none') for (const quotes of covered) receipt.removed += removeUnseen(quotes, serial, context);
  if (message.scope === 'league') receipt.removed += removeUnlisted(message, serial, stated, context);
  return receipt;
}

/** One message must not be answered with megabytes: what goes beyond the bound is dropped. */
function refuse(receipt: IngestReceipt, path: string, reason: string): void {
  if (receipt.rejected.length < REJECTIONS_MAX) receipt.rejected.push({ path, reason });
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

/** One sighting's quotes being applied. */
interface Scene {
  readonly quotes: BookQuotes;
  /** Of markets that do not say when they were seen (Unix ms). */
  readonly seenMs: number;
  readonly path: string;
  readonly serial: number;
  readonly context: ApplyContext;
  readonly receipt: IngestReceipt;
  /** Place of the next quote in `quotes.order`. */
  place: number;
}

function applyMarket(market: NormalMarket, scene: Scene): void {
  const { quotes, serial, receipt } = scene;
  const seenMs = market.seenMs ?? scene.seenMs;
  const player = market.player === null ? null : canonicalPlayerName(market.player);
  const { swapped, order } = quotes;
  const team = swapped ? turned(market.team) : market.team;
  for (const quote of market.quotes) {
    const selectionType = swapped ? turned(quote[1]) : quote[1];
    const likely = order[scene.place];
    const key: OddsKey = {
      market: market.type,
      player: market.player,
      stat: market.stat,
      team,
      selectionType,
      selection: quote[0],
      alternate: quote[5],
      line: quote[2],
    };
    let row = likely !== undefined && hasKey(likely, key) ? quotes.rows.get(likely.key) : undefined;
    if (row === undefined || row !== likely) {
      key.player = player;
      const text = rowKey(key);
      row = quotes.rows.get(text);
      if (row === undefined) {
        order[scene.place++] = addRow(text, market, team, selectionType, quote, seenMs, scene);
        receipt.accepted++;
        receipt.changed++;
        continue;
      }
    }
    order[scene.place++] = row;
    if (row.mark === serial) {
      const line = quote[2] === null ? '' : ` ${quote[2]}`;
      refuse(
        receipt,
        scene.path,
        `${market.type} ${selectionType}${line}: the same selection twice (other lines need is_alternate_line)`,
      );
    } else {
      receipt.accepted++;
      row.mark = serial;
      row.seenMs = seenMs;
      if (updateRow(row, market, quote, scene.context.position)) receipt.changed++;
    }
  }
}

function turned<Type extends string | null>(type: Type): Type | 'home' | 'away' {
  return type === 'home' ? 'away' : type === 'away' ? 'home' : type;
}

function updateRow(row: Row, market: NormalMarket, quote: NormalQuote, position: number): boolean {
  let changed = false;
  if (row.decimal !== quote[4] || row.american !== quote[3] || row.line !== quote[2]) {
    row.line = quote[2];
    row.american = quote[3];
    row.decimal = quote[4];
    row.changedUs = position;
    markRow(row, DIRT.updated, position);
    changed = true;
  }
  if (
    row.deepLink !== quote[6] ||
    row.externalId !== quote[7] ||
    row.maxBet !== market.maxBet ||
    row.publicBetPct !== quote[8]
  ) {
    row.deepLink = quote[6];
    // Deep links are made of it.
    row.externalId = quote[7];
    row.maxBet = market.maxBet;
    row.publicBetPct = quote[8];
    markRow(row, DIRT.restated, position);
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
  seenMs: number,
  { quotes, serial, context }: Scene,
): Row {
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
    return back;
  }
  const { texts } = state;
  const row = new HeldRow(state.numbers, {
    no: state.allocateRowNo(),
    id: oddsId(quotes.book, event.id, key),
    key: texts.intern(key),
    market: texts.intern(market.type),
    selection: texts.intern(selectionName(selectionType, quote[0], event, market)),
    selectionType: texts.intern(selectionType),
    player: market.player === null ? null : texts.intern(market.player),
    stat: market.stat === null ? null : texts.intern(market.stat),
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
  quotes.rows.set(row.key, row);
  state.rowCount++;
  if (selectionType === 'draw' && noteDraw(event, quotes.book, row.market)) {
    event.dirty = true;
    state.dirtyEvents.add(event);
  }
  return row;
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
