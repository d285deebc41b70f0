// A bet as a caller states it, in JSON or a line of a table, as it is recorded.
import type { BetRequest } from '../../accounts/bets/bet.js';
import { centsOf } from '../../accounts/bets/cents.js';
import type { BetChange } from '../../accounts/bets/commands.js';
import { ApiError } from '../../base/model/errors.js';
import { americanFromDecimal, decimalFromAmerican, isDecimalPrice, parseAmerican } from '../../base/model/price.js';
import type { DescribedBet } from '../../rules/catalogue/described-bet.js';
import type { ChangedBet, NewBet } from '../../schema/bets.js';
import { descriptionOf } from './described-bets.js';

/** A bet that has its row's id, or says what it is of. */
export interface StatedRequest extends Omit<BetRequest, 'oddsId'> {
  oddsId: string | DescribedBet;
}

/** Throws ApiError `invalid_request`. */
export function requestOf(bet: NewBet): StatedRequest {
  const { client_id, odds_id, stake, mode, tag = null, note = null } = bet;
  // Where nothing is said of it: rows without a line have null.
  const line = bet.line ?? undefined;
  for (const [name, text] of Object.entries({ client_id, odds_id, tag, note }))
    if (text?.isWellFormed() === false) wrong(`${name} is not Unicode`);
  const cents = centsOf(stake) ?? wrong('stake must have at most two decimals');
  if ((bet.odds_american === undefined) === (bet.odds_decimal === undefined))
    wrong('either odds_american or odds_decimal is needed');
  const { american, decimal } = priceOf(bet);
  // An empty text says nothing, and comes out of a table as nothing.
  const oddsId =
    odds_id ?? descriptionOf(bet) ?? wrong('odds_id, or event_id, market_type, selection and sportsbook, are needed');
  return { clientId: client_id, oddsId, line, mode, cents, decimal, american, tag: tag || null, note: note || null };
}

/** Throws ApiError `invalid_request`. */
export function changeOf(body: ChangedBet): BetChange {
  const { stake, odds_american, odds_decimal, tag, note, result, struck } = body;
  for (const [name, text] of Object.entries({ tag, note }))
    if (text?.isWellFormed() === false) wrong(`${name} is not Unicode`);
  if (odds_american !== undefined && odds_decimal !== undefined) wrong('either odds_american or odds_decimal');
  const isPriced = odds_american !== undefined || odds_decimal !== undefined;
  const cents = stake === undefined ? undefined : (centsOf(stake) ?? wrong('stake must have at most two decimals'));
  const text = (given: string | null | undefined) => (given === undefined ? undefined : given || null);
  return { cents, price: isPriced ? priceOf(body) : undefined, tag: text(tag), note: text(note), result, struck };
}

function priceOf({ odds_american, odds_decimal }: Pick<NewBet, 'odds_american' | 'odds_decimal'>) {
  if (odds_decimal !== undefined && !isDecimalPrice(odds_decimal)) wrong(`odds_decimal: ${odds_decimal} is no price`);
  const american =
    odds_american === undefined
      ? americanFromDecimal(odds_decimal!)
      : (parseAmerican(odds_american) ?? wrong(`odds_american: ${odds_american} is no price`));
  return { american, decimal: odds_decimal ?? decimalFromAmerican(american) };
}

function wrong(what: string): never {
  throw new ApiError('invalid_request', what);
}
