// Finding the event a book speaks of (contract section 3): by the book's own id, else by teams and nearest start.
// Home and away may be swapped; starts drift; two games of the same teams on one day stay two.
import type { EventState } from './state.js';

const HOUR_MS = 3_600_000;
/** A book that moves a start by less than this still speaks of the same event. */
export const SAME_EVENT_MS = 18 * HOUR_MS;
/** A game that has begun is not moved to another day: past this it is the next game of the series. */
const BEGUN_MOVE_MS = 6 * HOUR_MS;
/** A book that lists one game anew under another id keeps its start, give or take this. */
const RELISTED_MS = 0.5 * HOUR_MS;
/** Without any other sign, two ids of one id space name two games when their starts differ by more than this. */
const OTHER_GAME_MS = 3 * HOUR_MS;

export interface Sighting {
  book: string;
  league: string;
  homeToken: string;
  awayToken: string;
  startMs: number;
  externalId: string | null;
  /** Unix ms of the poll. */
  polledMs: number;
  /** True where the running message has already spoken of this event with another start: then it is another game. */
  claimed(event: EventState): boolean;
}

export class EventIndex {
  readonly #byId = new Map<string, EventState>();
  readonly #byTeams = new Map<string, EventState[]>();
  readonly #byLeague = new Map<string, Set<EventState>>();
  /** By league and book, then by the book's id. */
  readonly #byExternal = new Map<string, Map<string, EventState>>();
  #externals: ReadonlyMap<string, EventState> | undefined;
  #externalsLeague = '';
  #externalsBook = '';

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

  get size(): number {
    return this.#byId.size;
  }

  add(event: EventState): void {
    this.#byId.set(event.id, event);
    const league = this.#byLeague.get(event.league);
    if (league === undefined) this.#byLeague.set(event.league, new Set([event]));
    else league.add(event);
    const key = teamsKey(event.league, event.homeToken, event.awayToken);
    const games = this.#byTeams.get(key);
    if (games === undefined) this.#byTeams.set(key, [event]);
    else games.push(event);
    for (const quotes of event.books.values())
      if (quotes.externalId !== null) this.linkExternal(event, quotes.book, quotes.externalId);
  }

  /** A book's id names one event: answers the one it named before, if another. */
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
    this.#byLeague.get(event.league)?.delete(event);
    const key = teamsKey(event.league, event.homeToken, event.awayToken);
    const left = this.#byTeams.get(key)?.filter((other) => other !== event) ?? [];
    if (left.length > 0) this.#byTeams.set(key, left);
    else this.#byTeams.delete(key);
    for (const quotes of event.books.values())
      if (quotes.externalId !== null) this.unlinkExternal(event, quotes.book, quotes.externalId);
  }

  /** The event a sighting belongs to, or undefined where it is a new one. */
  find(sighting: Sighting): EventState | undefined {
    const { league, homeToken, awayToken, externalId, book, startMs } = sighting;
    if (externalId !== null) {
      const event = this.#externalsOf(league, book)?.get(externalId);
      if (event !== undefined && sameTeams(event, homeToken, awayToken) && near(event, startMs)) return event;
    }
    let best: EventState | undefined;
    for (const event of this.#byTeams.get(teamsKey(league, homeToken, awayToken)) ?? []) {
      if (!near(event, startMs) || sighting.claimed(event) || isOtherGame(event, sighting)) continue;
      if (best === undefined || Math.abs(event.startMs - startMs) < Math.abs(best.startMs - startMs)) best = event;
    }
    return best;
  }

  /** A message asks for one book's events of one league, mostly. */
  #externalsOf(league: string, book: string): ReadonlyMap<string, EventState> | undefined {
    if (this.#externals === undefined || this.#externalsLeague !== league || this.#externalsBook !== book) {
      this.#externals = this.#byExternal.get(externalsKey(league, book));
      this.#externalsLeague = league;
      this.#externalsBook = book;
    }
    return this.#externals;
  }
}

function near(event: EventState, startMs: number): boolean {
  return Math.abs(event.startMs - startMs) < SAME_EVENT_MS;
}

function sameTeams(event: EventState, homeToken: string, awayToken: string): boolean {
  return (
    (event.homeToken === homeToken && event.awayToken === awayToken) ||
    (event.homeToken === awayToken && event.awayToken === homeToken)
  );
}

/** Signs that a game of the same teams within 18 hours is nevertheless not the one sighted. */
function isOtherGame(event: EventState, sighting: Sighting): boolean {
  const apartMs = Math.abs(event.startMs - sighting.startMs);
  if (event.startMs <= sighting.polledMs && sighting.startMs - event.startMs > BEGUN_MOVE_MS) return true;
  if (sighting.externalId === null) return false;
  const own = event.books.get(sighting.book)?.externalId ?? null;
  if (own !== null) return own !== sighting.externalId && apartMs > RELISTED_MS;
  // An id that several books share comes from one id space (an aggregator's): another id there is another game.
  let shared = 0;
  let first: string | null = null;
  for (const quotes of event.books.values()) {
    if (quotes.externalId === null) continue;
    if (quotes.externalId === sighting.externalId) return false;
    if (first === null) first = quotes.externalId;
    else if (quotes.externalId === first) shared++;
  }
  return shared > 0 && apartMs > OTHER_GAME_MS;
}

function teamsKey(league: string, homeToken: string, awayToken: string): string {
  return homeToken < awayToken ? `${league}|${homeToken}|${awayToken}` : `${league}|${awayToken}|${homeToken}`;
}

function externalsKey(league: string, book: string): string {
  return `${league}|${book}`;
}
