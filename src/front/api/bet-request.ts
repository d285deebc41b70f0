// A bet as a caller states it, in JSON or a line of a table, as it is recorded.
import type { Static } from 'typebox';
import type { BetRequest } from '../../accounts/bets/bet.js';
import { centsOf } from '../../accounts/bets/cents.js';
import { ApiError } from '../../base/model/errors.js';
import { americanFromDecimal, decimalFromAmerican, isDecimalPrice, parseAmerican } from '../../base/model/price.js';
import type { DescribedBet } from '../../rules/catalogue/described-bet.js';
import type { NewBet } from '../../schema/bets.js';
import { descriptionOf } from './described-bets.js';

/** A bet that has its row's id, or says what it is of. */
export interface StatedRequest extends Omit<BetRequest, 'oddsId'> {
  oddsId: string | DescribedBet;
}

/** Throws ApiError `invalid_request`. */
export function requestOf(bet: Static<typeof NewBet>): StatedRequest {
  const { client_id, odds_id, stake, mode, tag = null, note = null } = bet;
  const wrong = (what: string): never => {
    throw new ApiError('invalid_request', what);
  };
  for (const [name, text] of Object.entries({ client_id, odds_id, tag, note }))
    if (text?.isWellFormed() === false) wrong(`${name} is not Unicode`);
  const cents = centsOf(stake) ?? wrong('stake must have at most two decimals');
  if ((bet.odds_american === undefined) === (bet.odds_decimal === undefined))
    wrong('either odds_american or odds_decimal is needed');
  if (bet.odds_decimal !== undefined && !isDecimalPrice(bet.odds_decimal))
    wrong(`odds_decimal: ${bet.odds_decimal} is no price`);
  const american =
    bet.odds_american === undefined
      ? americanFromDecimal(bet.odds_decimal!)
      : (parseAmerican(bet.odds_american) ?? wrong(`odds_american: ${bet.odds_american} is no price`));
  const decimal = bet.odds_decimal ?? decimalFromAmerican(american);
  // An empty text says nothing, and comes out of a table as nothing.
  const oddsId =
    odds_id ?? descriptionOf(bet) ?? wrong('odds_id, or event_id, market_type, selection and sportsbook, are needed');
  return { clientId: client_id, oddsId, mode, cents, decimal, american, tag: tag || null, note: note || null };
}
