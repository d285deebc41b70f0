// The state of a game a number of seconds after its start: period, clock, share played. Breaks included.

export interface GameClock {
  /** Names of the regular periods. */
  periods: readonly string[];
  /** Minutes on the clock of a period; null for games without a clock. */
  minutes: number | null;
  /** True where the clock counts up through the game (soccer). */
  countsUp: boolean;
  /** Seconds a period takes from start to end, stoppages included. */
  periodS: number;
  /** Break after the n-th period, seconds. */
  breaksS: readonly number[];
  /** What decides a tie; null if a draw is final. Repeated until the game is decided. */
  overtime: { period: string; minutes: number | null; periodS: number; share: number; suddenDeath: boolean } | null;
}

export interface ClockPosition {
  /** From 0; the number of regular periods is the first overtime. */
  period: number;
  /** Share of the running period, 0-1. */
  done: number;
  inBreak: boolean;
}

/** Length of the regular game, seconds. */
export function regularS(clock: GameClock): number {
  let seconds = clock.periods.length * clock.periodS;
  for (let i = 0; i < clock.periods.length - 1; i++) seconds += clock.breaksS[i] ?? 0;
  return seconds;
}

export function positionAt(clock: GameClock, elapsedS: number): ClockPosition {
  let left = Math.max(0, elapsedS);
  for (let period = 0; period < clock.periods.length; period++) {
    if (left < clock.periodS) return { period, done: left / clock.periodS, inBreak: false };
    left -= clock.periodS;
    const breakS = clock.breaksS[period] ?? 0;
    if (left < breakS) return { period, done: 1, inBreak: true };
    left -= breakS;
  }
  const overtimeS = clock.overtime?.periodS ?? 1;
  const overtime = Math.floor(left / overtimeS);
  return { period: clock.periods.length + overtime, done: left / overtimeS - overtime, inBreak: false };
}

export function periodName(clock: GameClock, period: number): string {
  const name = clock.periods[period];
  if (name !== undefined) return name;
  if (clock.minutes === null) return String(period + 1);
  const further = period - clock.periods.length;
  return further === 0 ? (clock.overtime?.period ?? 'OT') : `${clock.overtime?.period ?? 'OT'}${further + 1}`;
}

/** As market types name the parts of a game: `q1`, `innings_3_3`; `ot` is all overtime. */
export function partName(clock: GameClock, period: number): string {
  const name = clock.periods[period];
  if (name === undefined) return 'ot';
  return clock.minutes === null ? `innings_${name}_${name}` : name.toLowerCase();
}

/** `7:05`, counting down, or up through the whole game; null without a clock. */
export function clockText(clock: GameClock, position: ClockPosition): string | null {
  const regular = position.period < clock.periods.length;
  const minutes = regular ? clock.minutes : (clock.overtime?.minutes ?? null);
  if (minutes === null) return null;
  const played = position.done * minutes * 60;
  const seconds = clock.countsUp ? played + position.period * minutes * 60 : minutes * 60 - played;
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
