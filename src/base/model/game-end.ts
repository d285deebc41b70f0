// Whether a game is over, or called off, by any word that counts more than "live": of its books, of a source of results, of a
// venue that settled a market of the whole game. The shard asks this once and states the answer as the event's status, and
// everything that asks whether a game may be bet on asks that status: detection, and with it predictions, and paper fills.
import type { EventStatus } from './normal-message.js';
import type { ResultStatus, ResultWord } from './result.js';

/** How play ended, or why there is none. */
export const GAME_ENDS = ['ended', 'cancelled', 'postponed'] as const satisfies readonly EventStatus[];
export type GameEnd = (typeof GAME_ENDS)[number];

const END_OF: Readonly<Record<ResultStatus, GameEnd | null>> = {
  live: null,
  final: 'ended',
  abandoned: 'ended',
  cancelled: 'cancelled',
  postponed: 'postponed',
};

/** Whether an event of this status may still be bet on. */
export function isOn(status: EventStatus): boolean {
  return status === 'upcoming' || status === 'live';
}

export function isEnd(status: EventStatus | null): status is GameEnd {
  return status !== null && !isOn(status);
}

/**
 * What sources of results and venues say of it; null while all of them let it go on.
 * @param settled a venue has settled a market of the whole game
 */
export function endTold(words: Iterable<Pick<ResultWord, 'status'>>, settled: boolean): GameEnd | null {
  let end: GameEnd | null = settled ? 'ended' : null;
  for (const { status } of words) {
    const told = END_OF[status];
    if (told !== null && (end === null || GAME_ENDS.indexOf(told) < GAME_ENDS.indexOf(end))) end = told;
  }
  return end;
}
