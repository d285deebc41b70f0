// Which books' prices of a market are of two results and which of three, and which lack one: by the server's own rules for
// best prices, holds and pairs.
import type { OddsRow } from '../../src/client/client.js';
import { missesSide } from '../../src/detection/maths/arbitrage.js';
import type { TypeRules } from '../../src/rules/markets/rules.js';
import { hasThirdSideAt, isThirdSide, otherSide } from '../../src/rules/markets/sides.js';
import { rulesOf } from './market-choice.js';

/** What a price is of, as far as it matters here. */
export type PriceOf = Pick<OddsRow, 'event_id' | 'sport' | 'market_type' | 'sportsbook' | 'line'>;

/** Books that showed a third side, a draw or `exactly`, by game and market: one that did is three-way there from then on. */
export class ThirdSides {
  readonly #shown = new Map<string, Set<string>>();

  constructor(rows: Iterable<OddsRow> = []) {
    for (const row of rows) this.note(row);
  }

  /** Whether the row is one that was not known. */
  note(row: PriceOf & Pick<OddsRow, 'selection_type'>): boolean {
    if (!isThirdSide(row.selection_type)) return false;
    const key = keyOf(row, rulesOf(row.market_type, row.sport));
    const books = this.#shown.get(key) ?? new Set();
    if (books.has(row.sportsbook)) return false;
    this.#shown.set(key, books.add(row.sportsbook));
    return true;
  }

  clear(): void {
    this.#shown.clear();
  }

  /** Whether the book's prices there are of three results. */
  isThreeWay(price: PriceOf): boolean {
    const rules = rulesOf(price.market_type, price.sport);
    if (rules.sides === 'three') return true;
    if (this.#shown.get(keyOf(price, rules))?.has(price.sportsbook) !== true) return false;
    return rules.family !== 'total' || hasThirdSideAt('total', price.line);
  }
}

/** Prices to lay are of the same question. */
function keyOf({ event_id }: PriceOf, { backed }: TypeRules): string {
  return `${event_id}|${backed}`;
}

const OVER: ReadonlySet<string> = new Set(['ended', 'cancelled']);

/** Whether a bet can be made at the price, whatever its age. */
export function isOffered({ is_active, indicative, status }: OddsRow): boolean {
  return is_active !== false && indicative !== true && !OVER.has(status);
}

/** The other of two sides, with its line; undefined for any other selection. */
export function oppositeOf(type: string, line: number | null): { type: string; line: number | null } | undefined {
  const other = otherSide(type);
  if (other === undefined) return undefined;
  return { type: other, line: line !== null && (type === 'home' || type === 'away') ? 0 - line : line };
}

/**
 * Whether a book's price must lack a third side: with its own price of the other side it is below what two results cost.
 * @param others the same book's rows of the market
 */
export function lacksSide(
  row: Pick<OddsRow, 'sportsbook' | 'selection_type' | 'line' | 'odds_decimal'>,
  others: Iterable<OddsRow>,
): boolean {
  const opposite = oppositeOf(row.selection_type, row.line);
  if (opposite === undefined) return false;
  for (const other of others)
    if (
      other.sportsbook === row.sportsbook &&
      other.selection_type === opposite.type &&
      (other.line === null ? opposite.line === null : other.line + 0 === opposite.line) &&
      missesSide(row.odds_decimal, other.odds_decimal)
    )
      return true;
  return false;
}
