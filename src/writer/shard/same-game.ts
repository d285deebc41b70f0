// Whether a book's sighting is of a stored game, and how far apart their starts are. Pure: no index, no state of the
// current message.
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { HOUR_MS } from '../../base/model/time.js';

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
export function isNear(event: EventState, book: string, startMs: number): boolean {
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

export function sameTeams(event: EventState, homeToken: string, awayToken: string): boolean {
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
