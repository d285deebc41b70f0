// Handicaps made in play at books that count only what follows the bet: a market type of their own, so that they are never
// compared with handicaps of the whole match.

import type { NormalMarket } from '../../base/model/normal-message.js';
import type { BookQuotes } from '../../base/model/state.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { restType } from '../../rules/markets/derive.js';
import { SCORE } from '../../rules/markets/rules.js';

/** The markets as they are meant: the same list unless the book counts from the score at the bet and the game is in play. */
export function asMeant(
  markets: readonly NormalMarket[],
  { event, book, live, status }: BookQuotes,
  { houseRules, types }: Pick<Catalogue, 'houseRules' | 'types'>,
): readonly NormalMarket[] {
  const inPlay = live ?? (status === 'live' || event.live);
  if (!inPlay || houseRules.of(book, event.sport, event.league).handicap.score_from !== 'bet') return markets;
  return markets.map((market) => {
    const { family, statistic, sides, lay } = types.of(market.type, event.sport);
    if (family !== 'handicap' || statistic !== SCORE || sides === 'three' || lay) return market;
    // With a draw it is one of three results of the match, its start stated in advance.
    if (market.quotes.some(({ 1: selectionType }) => selectionType === 'draw')) return market;
    return { ...market, type: restType(market.type) };
  });
}
