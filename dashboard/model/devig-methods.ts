// One price judged by every way to take the margin out of its reference: how much an edge rests on the choice.
import { DEVIG_METHODS, type DevigMethod } from '../../src/base/model/devig-method.js';
import type { OddsRow } from '../../src/client/client.js';
import type { Board } from './board.js';
import { CONSENSUS, fairBy } from './fair.js';
import { outcomeAt, rowsAtLine } from './ladder.js';

export interface JudgedByMethod {
  method: DevigMethod;
  /** Fair probability, 0-1. */
  fair: number;
  /** Expected profit of the stake after commission, percent. */
  edge: number;
}

export interface Judged {
  /** The book that the fair prices are from, or `consensus`. */
  from: string;
  by: JudgedByMethod[];
  /** The least of them. */
  worst: JudgedByMethod;
}

/**
 * By the reference that the board has for the row's line; a consensus without the owner of the judged book, as the server's. Undefined
 * where nothing prices every outcome.
 */
export function judgedByMethods(row: OddsRow, board: Board, nowMs: number): Judged | undefined {
  const own = outcomeAt(row, board, nowMs);
  const cell = own?.cells.get(row.sportsbook);
  if (own === undefined || own.fair === null || cell === undefined) return undefined;
  const owner = board.ownerOf(row.sportsbook);
  const three = board.isThreeWay(row);
  // Without the owner's books fewer than half may be of the row's kind.
  const rows = rowsAtLine(row, board).filter(
    (one) => board.isThreeWay(one) === three && (own.fairFrom !== CONSENSUS || board.ownerOf(one.sportsbook) !== owner),
  );
  const by = DEVIG_METHODS.flatMap((method): JudgedByMethod[] => {
    const { outcomes } = board.viewOf(rows, nowMs, { fairOf: (implied) => fairBy(method, implied) });
    const fair = outcomes.find(({ key }) => key === own.key)?.fair ?? null;
    return fair === null ? [] : [{ method, fair, edge: (cell.net * fair - 1) * 100 }];
  });
  if (by.length === 0) return undefined;
  const worst = by.reduce((least, one) => (one.fair < least.fair ? one : least));
  return { from: own.fairFrom, by, worst };
}
