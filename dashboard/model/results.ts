// On which results of a game the bets of an opportunity win, lose or are refunded: the grades of each, by the server's
// own rules of settlement.
import type { OpportunityItem } from '../../src/client/client.js';
import { settleTotal } from '../../src/rules/grading/settle.js';
import { isHandicap } from './odds-format.js';

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
}

type Side = { over: boolean; line: number };

/** How far beyond the outermost line a result is graded: further ones are graded alike. */
const BEYOND = 2;

/**
 * The results of a game on which bets on lines differ; undefined for bets without lines, or of unknown sides.
 * @param market what the item says of its market: market_type and home_team
 */
export function playedResults(
  bets: readonly LinedBet[],
  market: Pick<OpportunityItem, 'market_type' | 'home_team' | 'away_team'>,
): PlayedResult[] | undefined {
  const spread = isHandicap(market.market_type);
  const sides = bets.map((bet) => sideOf(bet, market, spread));
  if (sides.some((side) => side === undefined)) return undefined;
  const known = sides as Side[];
  const lines = known.map(({ line }) => line);
  const [from, to] = [Math.floor(Math.min(...lines)) - BEYOND, Math.ceil(Math.max(...lines)) + BEYOND];
  const found: { from: number; to: number; grades: number[] }[] = [];
  for (let result = spread ? from : Math.max(0, from); result <= to; result++) {
    const grades = known.map(({ over, line }) => settleTotal(over ? 'over' : 'under', line, result));
    const last = found.at(-1);
    if (last !== undefined && last.grades.join() === grades.join()) last.to = result;
    else found.push({ from: result, to: result, grades });
  }
  return found.map(({ from: low, to: high, grades }, i) => ({
    name: `${spread ? `${market.home_team} by ` : ''}${rangeText(low, high, i === 0, i === found.length - 1)}`,
    grades,
  }));
}

/** A handicap is an over or under of the home team's margin. */
function sideOf(
  { selection, line }: LinedBet,
  { home_team, away_team }: Pick<OpportunityItem, 'home_team' | 'away_team'>,
  spread: boolean,
): Side | undefined {
  if (line === null) return undefined;
  if (spread) {
    if (selection === home_team) return { over: true, line: -line };
    return selection === away_team ? { over: false, line } : undefined;
  }
  if (/^over\b/i.test(selection)) return { over: true, line };
  return /^under\b/i.test(selection) ? { over: false, line } : undefined;
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
