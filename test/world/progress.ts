// Whether a game is over or in play by what its books and sources of results have said, as far as the contract decides
// it: where it does not, nothing is said here.
import type { IngestEvent } from '../../src/intake/ingest/message.js';

/** What one book has said of a game itself. */
export interface Statement {
  listed: boolean;
  startMs: number;
  /** When we heard that it moved the start, or saw in play what it had postponed; and its last status. */
  movedHeardMs: number;
  statusHeardMs: number;
  live: boolean | null;
  status: IngestEvent['status'] | null;
  /** Whether its last message says so, or an earlier one. */
  statusNow: boolean;
  statusMs: number;
  /** At any time. */
  postponed: boolean;
  saidMs: number;
  /** Home and away, from the true home side's view. */
  score: readonly [number, number] | null;
}

/** Null is undecided. */
export interface Progress {
  over: boolean | null;
  live: boolean | null;
  /** The scores that may be the game's: those of most points; all that were said, if there is none. */
  scores: readonly (readonly [number, number])[];
}

const AGE_MAX_MS = { live: 60_000, prematch: 300_000 };

/** Up to which age prices of a game are used (ms); of a game that is over none is. */
export function ageMaxMs({ status, live }: { status: string; live: boolean }): number {
  if (status !== 'upcoming' && status !== 'live') return Number.NEGATIVE_INFINITY;
  return live ? AGE_MAX_MS.live : AGE_MAX_MS.prematch;
}

export const noStatement = (): Statement => ({
  listed: false,
  startMs: 0,
  movedHeardMs: 0,
  statusHeardMs: 0,
  live: null,
  status: null,
  statusNow: false,
  statusMs: 0,
  postponed: false,
  saidMs: 0,
  score: null,
});

/** @param heardMs when it came */
export function state(
  said: Statement,
  event: IngestEvent,
  { polledMs, heardMs, swapped }: { polledMs: number; heardMs: number; swapped: boolean },
): void {
  const startMs = Date.parse(event.start_time!);
  if (said.startMs !== startMs || (said.status === 'postponed' && event.is_live === true)) said.movedHeardMs = heardMs;
  const { home_score: home, away_score: away } = event.game_state ?? {};
  if (typeof home === 'number' && typeof away === 'number') said.score = swapped ? [away, home] : [home, away];
  Object.assign(said, { listed: true, startMs, live: event.is_live ?? null, saidMs: polledMs });
  said.statusNow = event.status !== undefined;
  if (event.status === undefined) return;
  said.status = event.status;
  said.statusMs = polledMs;
  said.statusHeardMs = heardMs;
  said.postponed ||= event.status === 'postponed';
}

const OFF: ReadonlySet<unknown> = new Set(['ended', 'cancelled', 'postponed']);

export function progressOf(all: readonly Statement[], told: boolean, nowMs: number): Progress {
  const over = told || isOver(all);
  const most = Math.max(
    ...all.filter(({ listed }) => listed).map(({ score }) => (score === null ? -1 : pointsOf(score))),
  );
  const scores = all.flatMap(({ score }) => (score !== null && pointsOf(score) >= most ? [score] : []));
  return { over, live: over === true ? false : over === null ? null : isLive(all, nowMs), scores };
}

const pointsOf = ([home, away]: readonly [number, number]): number => home + away;

function isOver(all: readonly Statement[]): boolean | null {
  const off = all.filter(({ status }) => OFF.has(status));
  if (off.length === 0) return false;
  const on = all.filter(({ status }) => status !== null && !OFF.has(status));
  const onMs = Math.max(0, ...on.map(({ statusMs }) => statusMs));
  // A book that moves a start afterwards may mean that the game is to be played after all.
  const moved = Math.max(...all.map(({ movedHeardMs }) => movedHeardMs));
  // Where books differ in the start, the contract does not say whether one of theirs is a new one.
  const agreed = new Set(all.map(({ startMs }) => startMs)).size === 1;
  const certain = off.some(
    ({ status, statusMs, statusHeardMs, listed }) =>
      listed && moved < statusHeardMs && (status !== 'postponed' || (agreed && statusMs > onMs)),
  );
  return certain ? true : null;
}

function isLive(all: readonly Statement[], nowMs: number): boolean | null {
  const listing = all.filter(({ listed }) => listed);
  if (listing.some(({ live, status, statusNow }) => live === true || (live === null && statusNow && status === 'live')))
    return true;
  if (listing.length === 0 || listing.some(({ live, status }) => live === false && status === 'live')) return null;
  const starts = listing.map(({ startMs }) => startMs);
  if (nowMs < Math.min(...starts)) return false;
  const last = Math.max(...starts);
  // Which start counts, and whether one that was called off does, is not the contract's to say.
  if (nowMs < last || all.some(({ postponed }) => postponed)) return null;
  const not = listing.filter(({ live }) => live === false);
  if (not.every(({ saidMs }) => saidMs < Math.min(...starts))) return true;
  if (listing.some(({ score }) => score !== null)) return true;
  const delayed = not.some(({ saidMs }) => saidMs >= last) && all.every(({ score }) => score === null);
  return delayed ? false : null;
}
