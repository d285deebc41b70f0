// What a book says of a row beside its price: most books say nothing, and rows that say the same share one object. A new
// detail is a field here (its JSON and its cells in the store too) and in the message that brings it.
import type { NormalMarket, NormalQuote } from './normal-message.js';

export interface RowDetails {
  /** The most the book takes, in its currency. */
  readonly maxBet: number | null;
  /** Percent of bets. */
  readonly publicBetPct: number | null;
}

export const NO_DETAILS: RowDetails = { maxBet: null, publicBetPct: null };

let last = NO_DETAILS;

/** An object that rows share. */
function shared(maxBet: number | null, publicBetPct: number | null): RowDetails {
  if (maxBet === null && publicBetPct === null) return NO_DETAILS;
  if (last.maxBet !== maxBet || last.publicBetPct !== publicBetPct) last = { maxBet, publicBetPct };
  return last;
}

/** Those the quote states. */
export function detailsOf(market: NormalMarket, quote: NormalQuote): RowDetails {
  return shared(market.maxBet, quote[8]);
}

/** Whether the quote states just these. */
export function statesDetails(market: NormalMarket, quote: NormalQuote, details: RowDetails): boolean {
  return details.maxBet === market.maxBet && details.publicBetPct === quote[8];
}

export function sameDetails(a: RowDetails, b: RowDetails): boolean {
  return a === b || (a.maxBet === b.maxBet && a.publicBetPct === b.publicBetPct);
}

/** Fields of the row's JSON, each with the comma before it. */
export function encodeDetails({ maxBet, publicBetPct }: RowDetails): string {
  let json = '';
  if (publicBetPct !== null) json += `,"public_bet_pct":${publicBetPct}`;
  if (maxBet !== null) json += `,"max_bet":${maxBet}`;
  return json;
}

/** Numbers of a row in its fixed slab. */
export const DETAIL_CELLS = 2;

export function pushDetails({ maxBet, publicBetPct }: RowDetails, cells: (number | null)[]): void {
  cells.push(maxBet, publicBetPct);
}

/** Reads what pushDetails wrote at `at`. */
export function readDetails(cells: readonly (number | null)[], at: number): RowDetails {
  return shared(cells[at]!, cells[at + 1]!);
}
