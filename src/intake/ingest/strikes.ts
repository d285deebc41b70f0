// A contract venue pays in full or not at all: at a whole or quarter line its contracts settle otherwise than a book's
// bets, which push there. Such strikes are of a market type of their own, and never pair with a book's line.

import type { NormalMarket, NormalQuote } from '../../base/model/normal-message.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';

/** The market as stated if every line is a half, else what is at halves and the rest, each if there is any. */
export function splitStrikes(market: NormalMarket, book: string, types: MarketTypes): readonly NormalMarket[] {
  if (types.usual(market.type).line === 'none') return [market];
  const own = (quotes: NormalQuote[]): NormalMarket => ({ ...market, type: types.contract(market.type, book), quotes });
  // A closed market without selections closes its strikes too.
  if (market.quotes.length === 0) return [market, own([])];
  const halves = market.quotes.filter(isHalf);
  if (halves.length === market.quotes.length) return [market];
  const strikes = own(market.quotes.filter((quote) => !isHalf(quote)));
  return halves.length === 0 ? [strikes] : [{ ...market, quotes: halves }, strikes];
}

/** Also a selection without a line, which joins none. */
function isHalf({ 2: line }: NormalQuote): boolean {
  return line === null || Number.isInteger(line + 0.5);
}
