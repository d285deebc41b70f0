// All lines of an event: for each market and line every book's prices, the best one, the fair one and the hold.
import type { OddsRow } from '../../src/client/client.js';
import { type BlockView, baseLine, type OutcomeView, outcomeKeyOf } from './block.js';
import type { Board } from './board.js';
import { rulesOf } from './market-choice.js';
import { subjectKey, whoOf } from './outcome.js';

/** The main lines of all markets of the game and its teams. */
export const MAIN = 'main';

export interface LadderLine {
  key: string;
  market: string;
  /** Player or team; '' if it is about the game. */
  who: string;
  isAlternate: boolean;
  view: BlockView;
}

/** MAIN, then the market types among the rows, the usual ones first; each with its number of lines. */
export function marketsOf(rows: Iterable<OddsRow>): [type: string, lines: number][] {
  const lines = new Map<string, Set<string>>();
  const add = (type: string, line: string): void => {
    lines.set(type, (lines.get(type) ?? new Set()).add(line));
  };
  for (const row of rows) {
    add(row.market_type, lineKey(row));
    if (isMain(row)) add(MAIN, lineKey(row));
  }
  return [...lines]
    .map(([type, seen]): [string, number] => [type, seen.size])
    .sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

function isMain(row: OddsRow): boolean {
  return !row.is_alternate_line && row.player_name === undefined;
}

function lineKey(row: OddsRow, namesakes: readonly string[] = []): string {
  return [row.market_type, subjectKey(row, row.market_type, namesakes), baseLine(row)].join('|');
}

/** All prices of a row's market at its line. */
export function rowsAtLine(row: OddsRow, board: Board): OddsRow[] {
  const rows = board.blockOf(row.id)?.rows.values() ?? [];
  // A block is of one player.
  return [...rows].filter((one) => baseLine(one) === baseLine(row));
}

/** A row's outcome among all prices at its line; undefined if the board has not got the row. */
export function outcomeAt(row: OddsRow, board: Board, nowMs: number): OutcomeView | undefined {
  const key = outcomeKeyOf(row, board.namesakes(row.event_id));
  return board.viewOf(rowsAtLine(row, board), nowMs).outcomes.find((one) => one.key === key);
}

/** The lines of one market, or the main lines of all; ascending, those that books call alternate marked. */
export function ladderOf(rows: Iterable<OddsRow>, market: string, board: Board, nowMs: number): LadderLine[] {
  const groups = new Map<string, OddsRow[]>();
  for (const row of rows) {
    if (market === MAIN ? !isMain(row) : row.market_type !== market) continue;
    const key = lineKey(row, board.namesakes(row.event_id));
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [row]);
    else list.push(row);
  }
  return [...groups]
    .map(([key, list]): LadderLine & { line: number } => {
      const first = list[0]!;
      const who = whoOf(first);
      const isAlternate = list.every((row) => row.is_alternate_line);
      const view = board.viewOf(list, nowMs);
      return { key, market: first.market_type, who, isAlternate, view, line: baseLine(first) ?? 0 };
    })
    .sort(
      (a, b) =>
        rank(a.market) - rank(b.market) ||
        a.market.localeCompare(b.market) ||
        a.who.localeCompare(b.who) ||
        a.line - b.line,
    );
}

const USUAL = [MAIN, 'moneyline', 'point_spread', 'run_line', 'puck_line', 'total_points', 'total_runs', 'total_goals'];

function rank(type: string): number {
  const at = USUAL.indexOf(type);
  return at < 0 ? USUAL.length + Number(rulesOf(type).subject === 'player') : at;
}
