// On which results of a game the bets of an opportunity win, lose or are refunded: the grades of each, by the server's
// own rules of settlement.
import type { OpportunityItem } from '../../src/client/client.js';
import { gradeCount, gradeMargin } from '../../src/rules/grading/known-result.js';
import type { Grade } from '../../src/rules/grading/verdict.js';
import { laidType } from '../../src/rules/markets/derive.js';
import type { TypeRules } from '../../src/rules/markets/rules.js';
import { rulesOf } from './market-choice.js';
import { sideOf } from './outcome.js';

/** One or more results with the same grades. */
export interface PlayedResult {
  /** What happened: `Boston by 6`, `7-9`; empty if it is only known who wins. */
  name: string;
  /** One per bet: 1 won, 0.5 half won, 0 refunded, -0.5 half lost, -1 lost. */
  grades: number[];
}

export interface LinedBet {
  selection: string;
  line: number | null;
  isLay?: boolean;
}

/** How far beyond the outermost line a result is graded: further ones are graded alike. */
const BEYOND = 2;

/** A grade as one number: 1 won, 0.5 half won and half refunded, 0 refunded, -0.5 half lost, -1 lost. */
export function numberOf({ won, refunded }: Grade): number {
  return 2 * won + refunded - 1;
}

/**
 * The results of a game on which bets on lines differ; undefined for bets without lines, or of unknown sides.
 * @param market what the item says of its market and its teams
 * @param threeWay their books offer a draw beside the handicap: then both sides lose on it
 */
export function playedResults(
  bets: readonly LinedBet[],
  market: Pick<OpportunityItem, 'market_type' | 'home_team' | 'away_team'> & { sport?: string },
  threeWay = false,
): PlayedResult[] | undefined {
  const rules = rulesOf(laidType(market.market_type) ?? market.market_type, market.sport);
  const graded = bets.map((bet) => gradesOf(bet, sideOf(bet.selection, market), rules, threeWay));
  if (graded.some((one) => one === undefined)) return undefined;
  const known = graded as Graded[];
  const spread = rules.family === 'handicap';
  const around = known.map((one) => one.around);
  const [from, to] = [Math.floor(Math.min(...around)) - BEYOND, Math.ceil(Math.max(...around)) + BEYOND];
  const found: { from: number; to: number; grades: number[] }[] = [];
  for (let result = spread ? from : Math.max(0, from); result <= to; result++) {
    const grades = known.map(({ at }) => at(result));
    const last = found.at(-1);
    if (last !== undefined && last.grades.join() === grades.join()) last.to = result;
    else found.push({ from: result, to: result, grades });
  }
  return found.map(({ from: low, to: high, grades }, i) => ({
    name: `${spread ? `${market.home_team} by ` : ''}${rangeText(low, high, i === 0, i === found.length - 1)}`,
    grades,
  }));
}

interface Graded {
  /** The result around which the grade changes: the home team's margin, or what is counted. */
  around: number;
  at(result: number): number;
}

const OVER_OR_UNDER: ReadonlySet<string> = new Set(['over', 'under', 'exactly']);
const BY_MARGIN: ReadonlySet<string> = new Set(['home', 'away', 'draw']);

function gradesOf(
  { line, isLay = false }: LinedBet,
  side: string | undefined,
  rules: TypeRules,
  threeWay: boolean,
): Graded | undefined {
  if (line === null || side === undefined) return undefined;
  const asked = { rules, selection: side, threeWay };
  const turned = isLay ? -1 : 1;
  if (rules.family === 'handicap' && BY_MARGIN.has(side))
    return {
      around: side === 'away' ? line : -line,
      at: (margin) => turned * numberOf(gradeMargin(asked, line, [margin, margin])) + 0,
    };
  if (rules.family === 'handicap' || !OVER_OR_UNDER.has(side)) return undefined;
  return { around: line, at: (count) => turned * numberOf(gradeCount(asked, line, [count, count])) + 0 };
}

function rangeText(from: number, to: number, first: boolean, last: boolean): string {
  if (first && !last) return `${to} or less`;
  if (last && !first) return `${from} or more`;
  return from === to ? String(from) : `${from} to ${to}`;
}

/** Of which exactly one wins, without more knowledge of the game. */
export function oneWins(bets: number): PlayedResult[] {
  return Array.from({ length: bets }, (_, winner) => ({
    name: '',
    grades: Array.from({ length: bets }, (__, i) => (i === winner ? 1 : -1)),
  }));
}

const WORDS = new Map([
  [1, 'wins'],
  [0.5, 'half wins'],
  [0, 'refunded'],
  [-0.5, 'half loses'],
  [-1, 'loses'],
]);

/** `both win`, `Over 6 wins, Under 6.5 refunded`. Losing bets are only named if all lose. */
export function gradesText(grades: readonly number[], names: readonly string[]): string {
  if (grades.length > 1 && grades.every((grade) => grade === 1)) return grades.length === 2 ? 'both win' : 'all win';
  if (grades.every((grade) => grade === -1)) return grades.length === 1 ? 'loses' : 'all lose';
  return grades
    .flatMap((grade, i) => (grade === -1 ? [] : `${grades.length > 1 ? `${names[i]} ` : ''}${WORDS.get(grade)}`))
    .join(', ');
}
