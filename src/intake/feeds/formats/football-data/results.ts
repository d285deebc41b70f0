// What became of a game of football-data.co.uk: goals with those of the halves, corners and cards.

import type { TableRow } from '../../files/table.js';
import type { Game, StatedResult } from '../format.js';

/** A row with what is the same in all of a file. */
export interface SeasonRow {
  row: TableRow;
  /** The cell of a column; empty if there is none. */
  cell(name: string): string;
  number(name: string): number;
}

/** By our statistic: the columns of both teams, those of a second card of the same kind. */
const STATS = {
  corners: [['HC'], ['AC']],
  yellow_cards: [['HY'], ['AY']],
  red_cards: [['HR'], ['AR']],
  cards: [
    ['HY', 'HR'],
    ['AY', 'AR'],
  ],
  shots: [['HS'], ['AS']],
  shots_on_target: [['HST'], ['AST']],
  fouls: [['HF'], ['AF']],
} as const;

/** Undefined for a game that is not over. */
export function readResult(row: SeasonRow, game: Game, bad: (reason: string) => void): StatedResult | undefined {
  const stated = (names: readonly string[]): string[] => names.map(row.cell).filter((text) => text !== '');
  const scores = [
    ['FTHG', 'HG'],
    ['FTAG', 'AG'],
  ].map((names) => stated(names)[0]);
  if (scores.every((text) => text === undefined)) return undefined;
  const [home_score, away_score] = scores.map((text) => countOf(text)) as [number, number];
  if (Number.isNaN(home_score + away_score)) {
    bad('a score is not a whole number');
    return undefined;
  }
  return {
    ...game,
    status: 'final',
    home_score,
    away_score,
    ...halvesOf(row, home_score, away_score),
    ...statsOf(row),
  };
}

function halvesOf(row: SeasonRow, home: number, away: number): StatedResult {
  const [first, second] = [countOf(row.cell('HTHG')), countOf(row.cell('HTAG'))];
  if (!(first <= home && second <= away)) return {};
  return {
    parts: [
      { part: 'h1', home_score: first, away_score: second },
      { part: 'h2', home_score: home - first, away_score: away - second },
    ],
  };
}

function statsOf(row: SeasonRow): StatedResult {
  const stats: Record<string, { home: number; away: number }> = {};
  for (const [name, sides] of Object.entries(STATS)) {
    const [home, away] = sides.map((columns) =>
      columns.reduce((sum, column) => sum + countOf(row.cell(column)), 0),
    ) as [number, number];
    if (!Number.isNaN(home + away)) stats[name] = { home, away };
  }
  return Object.keys(stats).length === 0 ? {} : { stats };
}

function countOf(text: string | undefined): number {
  return text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
}
