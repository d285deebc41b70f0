// The events of a shard by everything that may identify them for a book: our id, the book's own, the two teams.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { EventRef } from '../../base/model/normal-message.js';
import type { EventState } from '../../base/model/state.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { mayBeSame, PERSON_SPORTS, type PersonWords, personWords } from '../../rules/catalogue/person-name.js';
import { type JoinedName, rosterMatch } from '../../rules/catalogue/roster.js';
import { distanceMs, isNear, joinMs, type Sighting, sameTeams } from './same-game.js';

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
   * What names a game between two persons, with their names as an event has them: that of the one event whose start is
   * near and whose names may be other spellings of theirs. As it is if there is none, or if there are two.
   */
  spelled<Ref extends EventRef>(ref: Ref, catalogue: Catalogue): Ref {
    const { eventId, sport, league, home, away, startMs } = ref;
    if (eventId !== null || !PERSON_SPORTS.has(sport) || this.#byTeams.has(this.teamsKeyOf(ref, catalogue))) return ref;
    const [first, second] = [personWords(home), personWords(away)];
    if (first === null || second === null) return ref;
    let found: EventState | undefined;
    let isSwapped = false;
    for (const event of this.#ofWords(league, first)) {
      if (Math.abs(event.startMs - startMs) > joinMs(event)) continue;
      const [eventHome, eventAway] = [personWords(event.home), personWords(event.away)];
      if (eventHome === null || eventAway === null) continue;
      const straight = mayBeSame(first, eventHome) && mayBeSame(second, eventAway);
      if (!straight && !(mayBeSame(first, eventAway) && mayBeSame(second, eventHome))) continue;
      if (found !== undefined) return ref;
      found = event;
      isSwapped = !straight;
    }
    if (found === undefined) return ref;
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
