// What a book says of a game itself, beside its prices: whether it is in play, its status, its score.
import type { IngestEvent } from '../../src/intake/ingest/message.js';
import { countsFromBet } from './games.js';
import type { BookStyle } from './quote.js';
import type { Random } from './random.js';

export type Said = Pick<IngestEvent, 'is_live' | 'status' | 'game_state'>;

/** That it is not, or no longer, played is rare. */
const OFF = { chance: 0.12, statuses: ['ended', 'cancelled', 'postponed'] as const };

/** A message may be under way for so long. */
const DELAY_MAX_MS = 20 * 60_000;

/** @param startMs as the book states it */
export function saidOf(
  { sport, startMs }: { sport: string; startMs: number },
  style: BookStyle,
  random: Random,
  nowMs: number,
  before: Said,
): Said {
  const begun = startMs <= nowMs;
  // Where it decides what a handicap counts, it is stated so that it does not depend on what other books say.
  const stated = countsFromBet(style.id, sport) ? { is_live: startMs <= nowMs + DELAY_MAX_MS } : {};
  if (style.says === 'nothing') return stated;
  const score = begun || before.game_state !== undefined ? { game_state: scoreAfter(before, random) } : {};
  if (style.says === 'truth') return { is_live: begun, status: begun ? 'live' : 'upcoming', ...score, ...stated };
  const status = random.chance(OFF.chance) ? random.pick(OFF.statuses) : random.pick(['live', 'upcoming'] as const);
  return {
    ...(random.chance(0.5) ? { is_live: random.chance(0.4) } : {}),
    ...stated,
    ...(random.chance(0.4) ? { status } : {}),
    ...(random.chance(0.3) ? { game_state: scoreAfter(before, random) } : score),
  };
}

function scoreAfter({ game_state: before }: Said, random: Random) {
  const points = (side: 'home_score' | 'away_score') => (before?.[side] ?? 0) + (random.chance(0.3) ? 1 : 0);
  return { home_score: points('home_score'), away_score: points('away_score') };
}
