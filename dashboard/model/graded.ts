// What became of games and of the prices above fair that were detected in them: the words and the sums.
import type { Prediction, Result } from '../../src/client/client.js';

export interface GradedSums {
  detected: number;
  /** Less than all that were detected: the rest is of the newest alone. */
  isPart: boolean;
  /** Those whose games have a result; voids are left out. */
  settled: number;
  /** Profit of one unit on each of these. */
  profit: number;
  /** What their edges promised. */
  expected: number;
  /** Mean closing line value of those that have one, percent; null if none has. */
  clv: number | null;
}

const OPEN: readonly string[] = ['pending', 'ungradeable', 'void'];

/** @param detected how many there are, of which these are the newest */
export function sumsOf(predictions: readonly Prediction[], detected = predictions.length): GradedSums {
  const settled = predictions.filter(({ result }) => !OPEN.includes(result));
  const values = predictions.flatMap(({ clv_percent }) => clv_percent ?? []);
  return {
    detected,
    isPart: detected > predictions.length,
    settled: settled.length,
    profit: settled.reduce((sum, { profit_units }) => sum + (profit_units ?? 0), 0),
    expected: settled.reduce((sum, { ev_percentage }) => sum + ev_percentage / 100, 0),
    clv: values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
  };
}

export function unitsText(units: number): string {
  return `${units >= 0 ? '+' : '-'}${Math.abs(units).toFixed(2)} u`;
}

const NAMES: readonly [pattern: RegExp, name: (no: string) => string][] = [
  [/^innings_(\d+)_\1$/, (no) => no],
  [/^[qhp](\d+)$/, (no) => no],
  [/^set_(\d+)$/, (no) => `set ${no}`],
];

/** The columns of a line score: parts, then the whole. */
export function lineScore({ parts, home_score, away_score }: Result): { name: string; away: string; home: string }[] {
  const text = (score: number | null): string => (score === null ? '' : String(score));
  const named = parts.map(({ part, home_score: home, away_score: away }) => {
    const [pattern, name] = NAMES.find(([known]) => known.test(part)) ?? [/^(.*)$/, (all: string) => all];
    return { name: name(pattern.exec(part)![1]!).replaceAll('_', ' '), home: text(home), away: text(away) };
  });
  return [...named, { name: 'total', home: text(home_score), away: text(away_score) }];
}

/** Whether nothing more is expected of a game with this word. */
export function isOver({ status }: Pick<Result, 'status'>): boolean {
  return status !== 'live' && status !== 'postponed';
}
