// An event's start, status, liveness and score, derived from its books' statements. Pure; time is passed in.

import { type GameEnd, isEnd } from '../../base/model/game-end.js';
import { playedPart } from '../../base/model/game-progress.js';
import type { GameState } from '../../base/model/game-state.js';
import type { EventStatus } from '../../base/model/normal-message.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { MINUTE_MS } from '../../base/model/time.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';

/** Books differ in a start by so much without meaning that it was moved. */
const SAME_START_MS = 15 * MINUTE_MS;

/** Derives the event's state at `nowMs`; returns whether anything its rows show (start, status, liveness) changed. */
export function settleEvent(event: EventState, nowMs: number): boolean {
  const { startMs, status, live, calledOffMs, deadlineMs } = settledAt(event, nowMs);
  const different =
    startMs !== event.startMs || status !== event.status || live !== event.live || calledOffMs !== event.calledOffMs;
  // The game has not begun: the earlier statement of liveness was wrong.
  if (status === 'postponed' && status !== event.status && event.liveSince !== undefined) event.liveSince = {};
  event.startMs = startMs;
  event.status = status;
  event.live = live;
  event.calledOffMs = calledOffMs;
  event.deadlineMs = deadlineMs;
  return different;
}

/**
 * Whether what a book states at `nowMs` are prices of a game in play: by what all books have stated so far, and its own "not
 * live" as long as that counts.
 */
export function isInPlay(quotes: BookQuotes, nowMs: number): boolean {
  if (quotes.live === true) return true;
  const { live, startMs } = settledAt(quotes.event, nowMs);
  return live && !(quotes.live === false && nowMs < notLiveUntilMs(quotes, startMs));
}

function settledAt(event: EventState, nowMs: number) {
  const startMs = settledStart(event);
  const stating = countingStatus(event);
  const calledOffMs = calledOffStart(event, startMs, stating);
  const ended = endOf(event, startMs, stating, calledOffMs);
  const startsMs = startMs === calledOffMs ? Number.POSITIVE_INFINITY : startMs;
  let live = false;
  let deadlineMs = Number.POSITIVE_INFINITY;
  if (ended === null) {
    const byBooks = liveByBooks(event, startMs, nowMs);
    live = byBooks ?? nowMs >= startsMs;
    if (byBooks !== true) deadlineMs = nextStart(event, startsMs, nowMs);
  }
  const status: EventStatus = ended ?? (live ? 'live' : 'upcoming');
  return { startMs, status, live, calledOffMs, deadlineMs };
}

/** What sources of results say of it comes before its books; a postponement ends where a book states a new start. */
function endOf(
  { told }: EventState,
  startMs: number,
  stating: BookQuotes | null,
  calledOffMs: number | undefined,
): GameEnd | null {
  if (told !== null && !(told === 'postponed' && isNewStart(startMs, calledOffMs))) return told;
  const stated = stating?.status ?? null;
  return isEnd(stated) ? stated : null;
}

export function isNewStart(startMs: number, calledOffMs: number | undefined): boolean {
  return calledOffMs !== undefined && startMs - calledOffMs > SAME_START_MS;
}

/**
 * The start most books state; on a tie the present one, else the one stated last. Private models count only where no other
 * book has the game.
 */
function settledStart(event: EventState): number {
  const voters = votersOn(event);
  const votes = new Map<number, number>();
  for (const { startMs } of voters) votes.set(startMs!, (votes.get(startMs!) ?? 0) + 1);
  const most = Math.max(0, ...votes.values());
  if (most === 0 || votes.get(event.startMs) === most) return event.startMs;
  let newest: BookQuotes | null = null;
  for (const quotes of voters)
    if (votes.get(quotes.startMs!) === most && isNewer(quotes, newest, 'polledUs')) newest = quotes;
  return newest?.startMs ?? event.startMs;
}

/**
 * Of the books that state a start, those that count. Once a source of results has called a start off they are those that
 * state a new one: one that a book stated all along is none, so the first must be stated after it.
 */
function votersOn({ books, told, startMs: presentMs, calledOffMs }: EventState): BookQuotes[] {
  const all = [...books.values()];
  const isShown = all.some(({ book }) => !isPrivateBook(book));
  const voters = all.filter(({ book, startMs }) => startMs !== null && !(isShown && isPrivateBook(book)));
  if (told !== 'postponed' || calledOffMs === undefined) return voters;
  const isOn = isNewStart(presentMs, calledOffMs);
  const renewed = voters.filter(({ startMs, moved }) => isNewStart(startMs!, calledOffMs) && (isOn || moved));
  return renewed.length > 0 ? renewed : voters.filter(({ startMs }) => !isNewStart(startMs!, calledOffMs));
}

/**
 * The start that a postponement calls off: the present one, unless a later one was told with it or before it. It counts
 * again if a book says that the game is upcoming, but not while a source of results says that it is postponed.
 */
function calledOffStart(event: EventState, startMs: number, stating: BookQuotes | null): number | undefined {
  if (event.told === 'postponed') return event.calledOffMs ?? startMs;
  if (stating?.status === 'postponed' && event.status !== 'postponed')
    return Math.min(event.startMs, startMs, stating.startMs ?? startMs);
  return stating?.status === 'upcoming' ? undefined : event.calledOffMs;
}

/**
 * The book whose status counts, if any is stated at all: the newest one. That the game is over or cancelled is undone
 * only by who said so, not by another book that goes on offering it.
 */
function countingStatus(event: EventState): BookQuotes | null {
  let newest: BookQuotes | null = null;
  let over: BookQuotes | null = null;
  for (const quotes of event.books.values()) {
    const { status } = quotes;
    if (status === null) continue;
    if (isNewer(quotes, newest, 'statedMs')) newest = quotes;
    if ((status === 'ended' || status === 'cancelled') && isNewer(quotes, over, 'statedMs')) over = quotes;
  }
  return newest?.status === 'postponed' ? newest : (over ?? newest);
}

/** If two books stated it at the same time, the one the shard has known longer: the same after every restart. */
function isNewer(quotes: BookQuotes, than: BookQuotes | null, time: 'polledUs' | 'statedMs'): boolean {
  if (than === null || quotes[time] !== than[time]) return than === null || quotes[time] > than[time];
  return quotes.bookNo < than.bookNo;
}

/**
 * When a book's "not live" expires: at the start it states itself, or the derived one if that is later. Before that it
 * says nothing about the time after.
 */
export function notLiveUntilMs(quotes: BookQuotes, settledStartMs: number): number {
  return Math.max(quotes.startMs ?? settledStartMs, settledStartMs);
}

/**
 * True if a book says live, false if one's "not live" counts, null otherwise. A "not live" said after the start that
 * its book states is a delay, but only while nothing else shows that the game has begun.
 */
function liveByBooks(event: EventState, startMs: number, nowMs: number): boolean | null {
  let stated: boolean | null = null;
  let begun = false;
  for (const quotes of event.books.values()) {
    const live = quotes.live ?? (quotes.status === 'live' ? true : null);
    if (live === true) return true;
    begun ||= showsPlay(quotes.state);
    if (live === false && nowMs < notLiveUntilMs(quotes, startMs)) stated = false;
  }
  if (stated !== null || begun) return stated;
  for (const quotes of event.books.values())
    if (quotes.live === false && quotes.statedMs >= notLiveUntilMs(quotes, startMs)) stated = false;
  return stated;
}

/** A score (also a goalless one) or a clock: a game that has not begun has neither. */
function showsPlay(state: GameState | null): boolean {
  return state !== null && ((state.home_score ?? state.away_score ?? null) !== null || (state.clock ?? null) !== null);
}

/** The first start after `nowMs` at which time alone may make the event live. */
function nextStart(event: EventState, startMs: number, nowMs: number): number {
  let nextMs = nowMs < startMs ? startMs : Number.POSITIVE_INFINITY;
  for (const quotes of event.books.values()) {
    if (quotes.live !== false) continue;
    const untilMs = notLiveUntilMs(quotes, startMs);
    if (nowMs < untilMs && untilMs < nextMs) nextMs = untilMs;
  }
  return nextMs;
}

interface StatedState {
  state: GameState;
  quotes: BookQuotes;
  /** The point in the game at which its period begins; NaN if it names no known period. */
  place: number;
  points: number;
}

/** The most advanced state, its nulls filled from the others. */
export function settleGameState(event: EventState): { state: GameState | null; books: readonly string[] } {
  const states: StatedState[] = [];
  for (const quotes of event.books.values())
    if (quotes.state !== null) states.push(statedBy(event, quotes, quotes.state));
  if (states.length === 0) return { state: null, books: [] };
  const ordered = furthestFirst(states);
  const settled: Record<string, unknown> = {};
  for (const { state } of ordered)
    for (const [field, value] of Object.entries(state))
      if (settled[field] === undefined || settled[field] === null) settled[field] = value;
  return { state: settled as GameState, books: ordered.map(({ quotes }) => quotes.book) };
}

/** Whether two derived states are equal; a missing field equals null. */
export function sameGameState(a: GameState | null, b: GameState | null): boolean {
  if (a === null || b === null) return a === b;
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof GameState>)
    if ((a[field] ?? null) !== (b[field] ?? null)) return false;
  return true;
}

function statedBy({ sport, league }: EventState, quotes: BookQuotes, state: GameState): StatedState {
  const place = playedPart(sport, league, state.period ?? '')?.from ?? Number.NaN;
  return { state, quotes, place, points: (state.home_score ?? 0) + (state.away_score ?? 0) };
}

/**
 * By period, then points scored, then the time of the poll. States without a known period are ordered by points among
 * themselves, and precede others only with more points than theirs.
 */
function furthestFirst(states: readonly StatedState[]): StatedState[] {
  const placed = states.filter(({ place }) => !Number.isNaN(place));
  const others = states.filter(({ place }) => Number.isNaN(place));
  const byPoints = (a: StatedState, b: StatedState) =>
    b.points - a.points || (isNewer(a.quotes, b.quotes, 'polledUs') ? -1 : 1);
  placed.sort((a, b) => b.place - a.place || byPoints(a, b));
  others.sort(byPoints);
  const ordered: StatedState[] = [];
  while (placed.length > 0 && others.length > 0)
    ordered.push((others[0]!.points > placed[0]!.points ? others : placed).shift()!);
  return [...ordered, ...placed, ...others];
}
