// An event's start, status, liveness and score, settled from what its books state. Pure; time comes in.
import type { GameState } from '../ingest/message.js';
import type { EventStatus } from '../ingest/normal.js';
import { playedPart } from './game-progress.js';
import type { BookQuotes, EventState } from './state.js';

const OVER = new Set<EventStatus>(['ended', 'postponed', 'cancelled']);

/** Settles the event anew at `nowMs`; answers whether anything its rows show (start, status, liveness) is different. */
export function settleEvent(event: EventState, nowMs: number): boolean {
  const startMs = settledStart(event);
  const stated = newestStatus(event);
  let live = false;
  let deadlineMs = Number.POSITIVE_INFINITY;
  if (stated === null || !OVER.has(stated)) {
    const said = saidLive(event, startMs);
    live = said ?? nowMs >= startMs;
    if (said === null && nowMs < startMs) deadlineMs = startMs;
    // A "not live" spoken before the start says nothing of what comes after it.
    if (said === false && nowMs < startMs) deadlineMs = startMs;
  }
  const status: EventStatus = stated !== null && OVER.has(stated) ? stated : live ? 'live' : 'upcoming';
  const different = startMs !== event.startMs || status !== event.status || live !== event.live;
  event.startMs = startMs;
  event.status = status;
  event.live = live;
  event.deadlineMs = deadlineMs;
  return different;
}

/** The start most books state; where several tie, the one that stands, else the one stated last. */
function settledStart(event: EventState): number {
  const votes = new Map<number, number>();
  let most = 0;
  for (const quotes of event.books.values()) {
    if (quotes.startMs === null) continue;
    const count = (votes.get(quotes.startMs) ?? 0) + 1;
    votes.set(quotes.startMs, count);
    if (count > most) most = count;
  }
  if (most === 0 || votes.get(event.startMs) === most) return event.startMs;
  let newest: BookQuotes | null = null;
  for (const quotes of event.books.values())
    if (quotes.startMs !== null && votes.get(quotes.startMs) === most && isNewer(quotes, newest, 'polledUs'))
      newest = quotes;
  return newest?.startMs ?? event.startMs;
}

/** The newest stated status, where one is stated at all. */
function newestStatus(event: EventState): EventStatus | null {
  let newest: BookQuotes | null = null;
  for (const quotes of event.books.values())
    if (quotes.status !== null && isNewer(quotes, newest, 'statedMs')) newest = quotes;
  return newest?.status ?? null;
}

/** Of two books that spoke at one time the one the shard has known longer: the same after every restart. */
function isNewer(quotes: BookQuotes, than: BookQuotes | null, time: 'polledUs' | 'statedMs'): boolean {
  if (than === null || quotes[time] !== than[time]) return than === null || quotes[time] > than[time];
  return quotes.bookNo < than.bookNo;
}

/** True where a book says live, false where one says not (and said so after the start), null where none says. */
function saidLive(event: EventState, startMs: number): boolean | null {
  let said: boolean | null = null;
  for (const quotes of event.books.values()) {
    const live = quotes.live ?? (quotes.status === 'live' ? true : null);
    if (live === true) return true;
    if (live === false && quotes.statedMs >= startMs) said = false;
  }
  return said;
}

interface Told {
  state: GameState;
  quotes: BookQuotes;
  /** Where in the game its period begins; NaN where it names none that tells. */
  place: number;
  points: number;
}

/** The state furthest in the game, its nulls filled from the others (contract section 10). */
export function settleGameState(event: EventState): { state: GameState | null; books: readonly string[] } {
  const states: Told[] = [];
  for (const quotes of event.books.values())
    if (quotes.state !== null) states.push(toldBy(event, quotes, quotes.state));
  if (states.length === 0) return { state: null, books: [] };
  const ordered = furthestFirst(states);
  const settled: Record<string, unknown> = {};
  for (const { state } of ordered)
    for (const [field, value] of Object.entries(state))
      if (settled[field] === undefined || settled[field] === null) settled[field] = value;
  return { state: settled as GameState, books: ordered.map(({ quotes }) => quotes.book) };
}

/** Whether two settled states say the same; a field that is missing and one that is null do. */
export function sameGameState(a: GameState | null, b: GameState | null): boolean {
  if (a === null || b === null) return a === b;
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof GameState>)
    if ((a[field] ?? null) !== (b[field] ?? null)) return false;
  return true;
}

function toldBy({ sport, league }: EventState, quotes: BookQuotes, state: GameState): Told {
  const place = playedPart(sport, league, state.period ?? '')?.from ?? Number.NaN;
  return { state, quotes, place, points: (state.home_score ?? 0) + (state.away_score ?? 0) };
}

/**
 * By period, then points scored, then the time of the poll. States without a period that tells are ordered by points
 * among themselves, and come before others only with more points than theirs.
 */
function furthestFirst(states: readonly Told[]): Told[] {
  const placed = states.filter(({ place }) => !Number.isNaN(place));
  const others = states.filter(({ place }) => Number.isNaN(place));
  const byPoints = (a: Told, b: Told) => b.points - a.points || (isNewer(a.quotes, b.quotes, 'polledUs') ? -1 : 1);
  placed.sort((a, b) => b.place - a.place || byPoints(a, b));
  others.sort(byPoints);
  const ordered: Told[] = [];
  while (placed.length > 0 && others.length > 0)
    ordered.push((others[0]!.points > placed[0]!.points ? others : placed).shift()!);
  return [...ordered, ...placed, ...others];
}
