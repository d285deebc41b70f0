// What a book says of a game itself, beside its prices: whether it is in play, its status, its score.
import type { IngestEvent } from '../../src/intake/ingest/message.js';
import { countsFromBet, type Game } from './games.js';
import type { BookStyle } from './quote.js';
import type { Random } from './random.js';

export type Said = Pick<IngestEvent, 'is_live' | 'status' | 'game_state'>;

/** That it is not, or no longer, played is rare. */
const OFF = { chance: 0.12, statuses: ['ended', 'cancelled', 'postponed'] as const };

export function saidOf(game: Game, style: BookStyle, random: Random, nowMs: number, before: Said): Said {
  const begun = game.startMs <= nowMs;
  if (style.says === 'nothing') return countsFromBet(style.id, game.sport) ? { is_live: begun } : {};
  const score = begun || before.game_state !== undefined ? { game_state: scoreAfter(before, random) } : {};
  if (style.says === 'truth') return { is_live: begun, status: begun ? 'live' : 'upcoming', ...score };
  const status = random.chance(OFF.chance) ? random.pick(OFF.statuses) : random.pick(['live', 'upcoming'] as const);
  return {
    // Where it decides what a handicap counts, it is stated: it does not depend on what other books say then.
    ...(countsFromBet(style.id, game.sport) || random.chance(0.5) ? { is_live: random.chance(0.4) } : {}),
    ...(random.chance(0.4) ? { status } : {}),
    ...(random.chance(0.3) ? { game_state: scoreAfter(before, random) } : score),
  };
}

function scoreAfter({ game_state: before }: Said, random: Random) {
  const points = (side: 'home_score' | 'away_score') => (before?.[side] ?? 0) + (random.chance(0.3) ? 1 : 0);
  return { home_score: points('home_score'), away_score: points('away_score') };
}
