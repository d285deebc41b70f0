// The events of a shard by everything that may identify them for a book: our id, the book's own, the two teams.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { EventRef } from '../../base/model/normal-message.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { HOUR_MS } from '../../base/model/time.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { mayBeSame, PERSON_SPORTS, type PersonWords, personWords } from '../../rules/catalogue/person-name.js';
import { type JoinedName, rosterMatch } from '../../rules/catalogue/roster.js';

// Whether a sighting is of a stored game, and how far apart their starts are: pure, without the index and without state
// of the current message.

/** A book that moves a start by less than this still means the same event. */
export const SAME_EVENT_MS = 18 * HOUR_MS;
/** A book's first sighting of an event must be within this, or it is another game. */
const JOIN_MS = 4 * HOUR_MS;
/** The second game of a day of baseball may begin three hours after the first. */
const JOIN_BASEBALL_MS = 2.5 * HOUR_MS;
/** A game that has begun is not moved to another day: beyond this it is the next game of the series. */
const BEGUN_MOVE_MS = 6 * HOUR_MS;
/** A book that lists a game again under another id keeps its start within this tolerance. */
export const RELISTED_MS = 0.5 * HOUR_MS;
/** Two ids of one id space mean two games if their starts differ by more than this, without any other sign. */
const OTHER_ID_MS = 3 * HOUR_MS;

/** The parts of a sighting that identify the game; its teams equal those of the events it is compared with. */
export interface Sighting {
  book: string;
  startMs: number;
  externalId: string | null;
  /** Unix ms of the poll. */
  polledMs: number;
  /**
   * The only game of these teams in its message: the book's earlier statement is then better evidence than the distance
   * of games.
   */
  alone: boolean;
}

/**
 * The distance in time between sighting and event (ms), or Infinity if it is another game.
 * @param games all events of these teams
 * @param partners books that share ids with the sighting's book
 */
export function distanceMs(
  event: EventState,
  sighting: Sighting,
  games: readonly EventState[],
  partners: () => ReadonlySet<string>,
): number {
  const { startMs, externalId } = sighting;
  const fromSettledMs = Math.abs(event.startMs - startMs);
  const isMoved = event.startMs <= sighting.polledMs && startMs - event.startMs > BEGUN_MOVE_MS;
  const fromResumedMs = isMoved ? fromResumptionMs(event, sighting) : Number.POSITIVE_INFINITY;
  if (isMoved && fromResumedMs > RELISTED_MS) return Number.POSITIVE_INFINITY;
  const own = statementOf(event, sighting.book);
  if (own === undefined) {
    if (Math.min(fromSettledMs, fromResumedMs) > joinMs(event)) return Number.POSITIVE_INFINITY;
    if (fromSettledMs > RELISTED_MS && externalId !== null && partnerSaysOther(event, externalId, partners()))
      return Number.POSITIVE_INFINITY;
    return Math.min(fromSettledMs, fromResumedMs);
  }
  const byOwn = fromSettledMs >= SAME_EVENT_MS || (sighting.alone && !isDoubtful(event, own, games));
  const distance = Math.min(fromResumedMs, byOwn ? distanceFromOwnMs(event, own, startMs) : fromSettledMs);
  if (distance >= SAME_EVENT_MS) return Number.POSITIVE_INFINITY;
  if (externalId === null) return distance;
  if (own.externalId !== null)
    return own.externalId !== externalId && distance > RELISTED_MS ? Number.POSITIVE_INFINITY : distance;
  return distance > OTHER_ID_MS && hasOtherSharedId(event, externalId) ? Number.POSITIVE_INFINITY : distance;
}

/**
 * From the start at which another book, which identifies the game by its own id, lets a game go on that had begun: a
 * suspended one is resumed the next day. Infinity if none does.
 */
function fromResumptionMs(event: EventState, { book, startMs }: Sighting): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const quotes of event.books.values()) {
    if (quotes.book === book || quotes.startMs === null || quotes.externalId === null) continue;
    if (quotes.startMs - event.startMs > BEGUN_MOVE_MS) nearest = Math.min(nearest, Math.abs(quotes.startMs - startMs));
  }
  return nearest;
}

/** Whether a start is still that of the event, for a book that identifies it by its own id. */
function isNear(event: EventState, book: string, startMs: number): boolean {
  const own = event.books.get(book);
  const distance = own === undefined ? Math.abs(event.startMs - startMs) : distanceFromOwnMs(event, own, startMs);
  return distance < SAME_EVENT_MS;
}

/** Whether a book of the event gives it this id, and the sighting's own book gives it no other. */
export function hasId(event: EventState, { book, externalId, startMs }: Sighting): boolean {
  if (externalId === null || !isNear(event, book, startMs)) return false;
  const own = event.books.get(book)?.externalId ?? null;
  if (own !== null) return own === externalId;
  for (const quotes of event.books.values()) if (quotes.externalId === externalId) return true;
  return false;
}

function sameTeams(event: EventState, homeToken: string, awayToken: string): boolean {
  return (
    (event.homeToken === homeToken && event.awayToken === awayToken) ||
    (event.homeToken === awayToken && event.awayToken === homeToken)
  );
}

/** From the event's start or from the book's own last statement, whichever is nearer: either may have moved. */
function distanceFromOwnMs(event: EventState, own: BookQuotes, startMs: number): number {
  const fromSettledMs = Math.abs(event.startMs - startMs);
  return own.startMs === null ? fromSettledMs : Math.min(fromSettledMs, Math.abs(own.startMs - startMs));
}

/** The book's statements of the event; undefined if it made none, or withdrew it while others continue. */
function statementOf(event: EventState, book: string): BookQuotes | undefined {
  const own = event.books.get(book);
  if (own === undefined || own.startMs !== null) return own;
  for (const quotes of event.books.values()) if (quotes.startMs !== null) return undefined;
  return own;
}

/** How far from the event's start that of a first sighting may be. */
export function joinMs(event: Pick<EventState, 'sport'>): number {
  return event.sport === 'baseball' ? JOIN_BASEBALL_MS : JOIN_MS;
}

/**
 * A start that the book stated, or moved far from the event's, when no other game of the teams was known, and that now
 * turns out to be nearer to another game's: the book meant that one.
 */
function isDoubtful(event: EventState, own: BookQuotes, games: readonly EventState[]): boolean {
  const { startMs, book } = own;
  if (startMs === null) return false;
  const nearerMs = Math.abs(startMs - event.startMs) - RELISTED_MS;
  return games.some((other) => {
    const fromOtherMs = Math.abs(other.startMs - startMs);
    return other !== event && fromOtherMs < nearerMs && fromOtherMs <= joinMs(other) && !statementOf(other, book);
  });
}

function partnerSaysOther(event: EventState, externalId: string, partners: ReadonlySet<string>): boolean {
  for (const quotes of event.books.values())
    if (quotes.externalId !== null && quotes.externalId !== externalId && partners.has(quotes.book)) return true;
  return false;
}

/** An id that several books share comes from one id space (an aggregator's): another id there is another game. */
function hasOtherSharedId(event: EventState, externalId: string): boolean {
  let shared = 0;
  let first: string | null = null;
  for (const quotes of event.books.values()) {
    if (quotes.externalId === null) continue;
    if (quotes.externalId === externalId) return false;
    if (first === null) first = quotes.externalId;
    else if (quotes.externalId === first) shared++;
  }
  return shared > 0;
}

/** Maximum number of a book's events searched for books that share ids with it. */
const PARTNERS_FROM = 200;

/** Identifies a game if its id does not. */
type Teams = Pick<EventRef, 'league' | 'home' | 'away'>;

export class EventIndex {
  readonly #byId = new Map<string, EventState>();
  readonly #byTeams = new Map<string, EventState[]>();
  /** By league and team or, of games between persons, word of a name. */
  readonly #byWord = new Map<string, Set<EventState>>();
  readonly #byLeague = new Map<string, Set<EventState>>();
  /** By league and book, then by the book's id. */
  readonly #byExternal = new Map<string, Map<string, EventState>>();
  /** By event and book: the teams' tokens as the book has them, where they are others than the event's. */
  readonly #joined = new WeakMap<EventState, Map<string, string>>();
  #externals: ReadonlyMap<string, EventState> | undefined;
  #externalsLeague = '';
  #externalsBook = '';

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): EventState | undefined {
    return this.#byId.get(id);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  values(): IterableIterator<EventState> {
    return this.#byId.values();
  }

  ofLeague(league: string): Iterable<EventState> {
    return this.#byLeague.get(league) ?? [];
  }

  add(event: EventState): void {
    this.#byId.set(event.id, event);
    getOrInsert(this.#byLeague, event.league, () => new Set<EventState>()).add(event);
    const key = teamsKey(event.league, event.homeToken, event.awayToken);
    getOrInsert(this.#byTeams, key, (): EventState[] => []).push(event);
    for (const word of wordsOf(event)) getOrInsert(this.#byWord, word, () => new Set<EventState>()).add(event);
    for (const quotes of event.books.values())
      if (quotes.externalId !== null) this.linkExternal(event, quotes.book, quotes.externalId);
  }

  /** A book's id belongs to one event: returns the one it belonged to before, if another. */
  linkExternal(event: EventState, book: string, externalId: string): EventState | undefined {
    const key = externalsKey(event.league, book);
    let externals = this.#byExternal.get(key);
    if (externals === undefined) {
      externals = new Map();
      this.#byExternal.set(key, externals);
      this.#externals = undefined;
    }
    const before = externals.get(externalId);
    externals.set(externalId, event);
    return before === event ? undefined : before;
  }

  unlinkExternal(event: EventState, book: string, externalId: string): void {
    const key = externalsKey(event.league, book);
    const externals = this.#byExternal.get(key);
    if (externals === undefined || externals.get(externalId) !== event) return;
    externals.delete(externalId);
    if (externals.size > 0) return;
    this.#byExternal.delete(key);
    this.#externals = undefined;
  }

  remove(event: EventState): void {
    this.#byId.delete(event.id);
    const ofLeague = this.#byLeague.get(event.league);
    ofLeague?.delete(event);
    if (ofLeague?.size === 0) this.#byLeague.delete(event.league);
    const key = teamsKey(event.league, event.homeToken, event.awayToken);
    const left = this.#byTeams.get(key)?.filter((other) => other !== event) ?? [];
    if (left.length > 0) this.#byTeams.set(key, left);
    else this.#byTeams.delete(key);
    for (const word of wordsOf(event)) {
      const of = this.#byWord.get(word);
      of?.delete(event);
      if (of?.size === 0) this.#byWord.delete(word);
    }
    for (const quotes of event.books.values())
      if (quotes.externalId !== null) this.unlinkExternal(event, quotes.book, quotes.externalId);
  }

  /** The event with the book's own id, provided teams and start agree. */
  named(
    book: string,
    { league, home, away, externalId, startMs }: Teams & Pick<Sighting, 'externalId' | 'startMs'>,
    catalogue: Catalogue,
  ): EventState | undefined {
    if (externalId === null) return undefined;
    const event = this.#externalsOf(league, book)?.get(externalId);
    if (event === undefined || !isNear(event, book, startMs)) return undefined;
    const homeToken = catalogue.resolveTeam(league, home).token;
    return sameTeams(event, homeToken, catalogue.resolveTeam(league, away).token) ? event : undefined;
  }

  /**
   * What names a game with its teams as the event has them that is joined to it by who plays. A book that lists the event by its
   * own name, or by yet another one, means another game.
   * @param source of what names it, undefined if that is no book's list of games
   */
  rostered<Ref extends EventRef>(
    ref: Ref,
    catalogue: Catalogue,
    source?: string,
  ): { ref: Ref; event?: EventState; joined?: JoinedName } {
    const { eventId, league, startMs } = ref;
    if (eventId !== null) return { ref };
    const same = this.ofTeams(this.teamsKeyOf(ref, catalogue));
    if (same.some((event) => Math.abs(event.startMs - startMs) <= joinMs(event))) return { ref };
    const found = rosterMatch(catalogue, league, ref, (token) => this.#byWord.get(`${league}|${token}`) ?? []);
    if (found === undefined) return { ref };
    const { game: event, swapped, joined } = found;
    if (source !== undefined && !this.#mayJoin(event, source, slugsOf(ref, catalogue))) return { ref };
    const named = swapped ? { home: event.away, away: event.home } : { home: event.home, away: event.away };
    return { ref: { ...ref, ...named }, event, joined };
  }

  #mayJoin(event: EventState, book: string, names: string): boolean {
    const joined = getOrInsert(this.#joined, event, () => new Map<string, string>());
    const before = joined.get(book);
    // Of a book whose quotes were loaded nothing is known of the name that it has for the game.
    if (before === undefined && (event.books.get(book)?.mark ?? 0) !== 0) return false;
    if (before === undefined) joined.set(book, names);
    return (before ?? names) === names;
  }

  /**
   * What names a game between two persons, with their names as the events of one pair have them whose start is near and
   * whose names may be other spellings of theirs. As it is if there is none, or if there are two pairs.
   * @param source of what names it, undefined if that is no book's list of games: it may have moved its game further
   */
  spelled<Ref extends EventRef>(ref: Ref, catalogue: Catalogue, source?: string): Ref {
    const { eventId, sport, startMs } = ref;
    if (eventId !== null || !PERSON_SPORTS.has(sport)) return ref;
    const isThen = (event: EventState): boolean => Math.abs(event.startMs - startMs) <= joinMs(event);
    // Of an earlier game of the two the book may have the name alone.
    const same = this.ofTeams(this.teamsKeyOf(ref, catalogue));
    if (same.some(isThen)) return ref;
    const named = this.#spelledAs(ref, isThen);
    if (named !== undefined || same.length > 0 || source === undefined) return named ?? ref;
    return this.#spelledAs(ref, (event) => event.books.has(source) && isNear(event, source, startMs)) ?? ref;
  }

  #spelledAs<Ref extends EventRef>(ref: Ref, isThen: (event: EventState) => boolean): Ref | undefined {
    const { league, home, away } = ref;
    const [first, second] = [personWords(home), personWords(away)];
    if (first === null || second === null) return undefined;
    let found: EventState | undefined;
    let isSwapped = false;
    for (const event of this.#ofWords(league, first)) {
      if (!isThen(event)) continue;
      const [eventHome, eventAway] = [personWords(event.home), personWords(event.away)];
      if (eventHome === null || eventAway === null) continue;
      const straight = mayBeSame(first, eventHome) && mayBeSame(second, eventAway);
      if (!straight && !(mayBeSame(first, eventAway) && mayBeSame(second, eventHome))) continue;
      // Which of a pair's games it is, is told by their starts.
      if (found !== undefined && !sameTeams(found, event.homeToken, event.awayToken)) return undefined;
      found ??= event;
      if (found === event) isSwapped = !straight;
    }
    if (found === undefined) return undefined;
    return isSwapped ? { ...ref, home: found.away, away: found.home } : { ...ref, home: found.home, away: found.away };
  }

  /** What names a game beside a book's list of games, with its sides as the event has them. */
  known<Ref extends EventRef>(ref: Ref, catalogue: Catalogue): Ref {
    const spelled = this.spelled(ref, catalogue);
    return catalogue.joinsByRoster ? this.rostered(spelled, catalogue).ref : spelled;
  }

  /** Events of the league that share a word with a person's name. */
  #ofWords(league: string, { full }: PersonWords): Set<EventState> {
    const events = new Set<EventState>();
    for (const word of full) for (const event of this.#byWord.get(`${league}|${word}`) ?? []) events.add(event);
    return events;
  }

  /** All events of two teams, whichever is at home. */
  ofTeams(key: string): readonly EventState[] {
    return this.#byTeams.get(key) ?? [];
  }

  teamsKeyOf({ league, home, away }: Teams, catalogue: Catalogue): string {
    return teamsKey(league, catalogue.resolveTeam(league, home).token, catalogue.resolveTeam(league, away).token);
  }

  /** For data beside a book's list of games: the event with our id or, without one, the nearest of its teams. */
  referred(
    ref: EventRef & { externalId?: string | null },
    book: string,
    polledUs: number,
    catalogue: Catalogue,
  ): EventState | undefined {
    const { eventId, league, startMs, externalId = null } = ref;
    if (eventId !== null) return this.get(eventId);
    const sighting = { book, startMs, externalId, polledMs: polledUs / 1000, alone: true };
    const games = this.ofTeams(this.teamsKeyOf(ref, catalogue));
    const partners = (): ReadonlySet<string> => this.partnersOf(book, league);
    let best: EventState | undefined;
    let bestMs = Number.POSITIVE_INFINITY;
    for (const event of games) {
      const distance = distanceMs(event, sighting, games, partners);
      if (distance >= bestMs) continue;
      best = event;
      bestMs = distance;
    }
    return best;
  }

  /**
   * Books that give an event of the league the same id as this one: their ids are from one id space, an aggregator's.
   */
  partnersOf(book: string, league: string): ReadonlySet<string> {
    const partners = new Set<string>();
    let left = PARTNERS_FROM;
    for (const [externalId, event] of this.#externalsOf(league, book) ?? []) {
      if (left-- === 0) break;
      for (const quotes of event.books.values())
        if (quotes.externalId === externalId && quotes.book !== book) partners.add(quotes.book);
    }
    return partners;
  }

  /** Most messages are about one book's events of one league. */
  #externalsOf(league: string, book: string): ReadonlyMap<string, EventState> | undefined {
    if (this.#externals === undefined || this.#externalsLeague !== league || this.#externalsBook !== book) {
      this.#externals = this.#byExternal.get(externalsKey(league, book));
      this.#externalsLeague = league;
      this.#externalsBook = book;
    }
    return this.#externals;
  }
}

/** Whether what names the event has home and away the other way round; a reference by our id means our sides. */
export function isSwapped(
  event: EventState,
  { eventId, league, home }: Pick<EventRef, 'eventId' | 'league' | 'home'>,
  catalogue: Catalogue,
): boolean {
  return eventId === null && catalogue.resolveTeam(league, home).token === event.awayToken;
}

function slugsOf({ league, home, away }: Teams, catalogue: Catalogue): string {
  return `${catalogue.resolveTeam(league, home).token}|${catalogue.resolveTeam(league, away).token}`;
}

/** Keys by which a game is found by one of its teams, or a game between persons by the words of their names. */
function wordsOf({ sport, league, home, away, homeToken, awayToken }: EventState): Set<string> {
  if (!PERSON_SPORTS.has(sport)) return new Set([`${league}|${homeToken}`, `${league}|${awayToken}`]);
  const names = [personWords(home), personWords(away)];
  return new Set(names.flatMap((words) => words?.full.map((word) => `${league}|${word}`) ?? []));
}

function teamsKey(league: string, homeToken: string, awayToken: string): string {
  return homeToken < awayToken ? `${league}|${homeToken}|${awayToken}` : `${league}|${awayToken}|${homeToken}`;
}

function externalsKey(league: string, book: string): string {
  return `${league}|${book}`;
}
