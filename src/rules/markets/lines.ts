// Which lines a book can mean. What stands in place of a line that is off the board (0, 0.0001, -220.5), a decimal point that
// slipped, or one sign for both sides of a handicap would pair with other books' lines otherwise.
import type { NormalQuote } from '../../base/model/normal-message.js';
import type { TypeRules } from './rules.js';
import { isThirdSide } from './sides.js';

/** The sport of leagues that the catalogue lacks. */
export const UNKNOWN_SPORT = 'other';

/** Of a line in its type's steps: less than this beside a whole one is that one (nearestLine). */
const NOISE = 1e-6;

/** In a league that the catalogue lacks, nobody knows of which sport, lines may be as fine as in any. */
const FINEST_STEP = 0.25;

const DECIMALS = 6;

/** The line of its type's steps that is meant where a float made it a little more or less; else the line as it is. */
export function nearestLine({ family, line_step }: TypeRules, sport: string, line: number): number {
  if (line_step === null || (family !== 'handicap' && family !== 'total')) return line;
  const step = stepIn(sport, line_step);
  const whole = Math.round(line / step);
  // A sum with 0 is never -0.
  return Math.abs(line / step - whole) < NOISE ? Number((whole * step).toFixed(DECIMALS)) + 0 : line;
}

function stepIn(sport: string, step: number): number {
  return sport === UNKNOWN_SPORT ? Math.min(step, FINEST_STEP) : step;
}

/** Why a line of this type cannot be; undefined if it can. */
export function lineFault(
  { type, family, line_step }: TypeRules,
  sport: string,
  line: number | null,
): string | undefined {
  if (line === null || (family !== 'handicap' && family !== 'total')) return undefined;
  if (family === 'total' && line <= 0) return `a total is above 0: ${line}`;
  if (line_step === null) return undefined;
  const step = stepIn(sport, line_step);
  const steps = line / step;
  return Math.abs(steps - Math.round(steps)) < NOISE
    ? undefined
    : `${line} is no multiple of ${step}, the line_step of ${type}`;
}

/** The number that both sides of one line have: away +3.5 is home -3.5. */
export function lineNumber(selectionType: string, line: number): number {
  return selectionType === 'away' ? 0 - line : line;
}

/**
 * The main sides of a handicap or total whose first two are none of one bet's; undefined if they are. All of them, as the
 * next would be the main ones otherwise. The draw of a handicap of three is written in more than one way.
 */
export function unevenMain({ type, family, sides }: TypeRules, quotes: readonly NormalQuote[]): UnevenMain | undefined {
  if ((family !== 'handicap' && family !== 'total') || sides === 'three') return undefined;
  const [first, second] = family === 'handicap' ? (['home', 'away'] as const) : (['over', 'under'] as const);
  if (quotes.some((quote) => isThirdSide(quote[1]))) return undefined;
  const main = quotes.filter(
    ({ 1: side, 5: alternate, 12: mark }) => !alternate && mark !== 'removed' && (side === first || side === second),
  );
  const one = main.find((quote) => quote[1] === first)?.[2];
  const other = main.find((quote) => quote[1] === second)?.[2];
  // One without a line, as a total of yes and no may be, has nothing to be compared.
  if (one == null || other == null) return undefined;
  if (Math.abs(lineNumber(first, one) - lineNumber(second, other)) < NOISE) return undefined;
  const why = family === 'handicap' ? 'they do not add up to 0' : 'their lines differ';
  return {
    sides: main,
    reason: `${type}: ${first} ${one} and ${second} ${other} are no two sides of a line: ${why}`,
  };
}

interface UnevenMain {
  readonly sides: readonly NormalQuote[];
  readonly reason: string;
}
