// Reservations of opportunities: the codes in `warnings` and what each means. Schemas, GET /warnings and the page of
// warnings are made from this table, and a code that it lacks does not compile.

export const WARNINGS = {
  PUSH_POSSIBLE: 'a result refunds all bets: the number itself, or a tie. It brings no profit then, and no loss',
  NET_OF_COMMISSION: 'a book charges commission or a fee; profit and edge are net of it',
  UNKNOWN_COMMISSION: 'a book may charge something that nobody has stated: the profit may be less',
  FEE_ASSUMED:
    'the fee of a venue whose fees differ by market could not be read for this one: the highest known rate is reckoned with',
  RULES_DIFFER: 'the books end bets differently on some results; exceptions says on which, and what it makes then',
  TIE_SETTLES_HALF: 'a tie pays half at one of the books, and something else at another',
  VOID_DIFFERS: 'the books refund in different cases, as a game that is called off: one leg may stand alone',
  CURRENCIES_DIFFER: 'a limit is in a currency without a known rate (--fx): there is no max_stake',
  STAKE_TOO_LARGE: 'the books together take less than the asked stake: there are no prices for it',
  SUSPICIOUS_PROFIT:
    'more profit than real prices leave: one of them is probably wrong, and will be corrected or voided',
  LAY_LEG: 'a leg is laid: its stake is the liability',
  SAME_OWNER: 'two of the books belong to one owner, who may see both bets',
  IMPLAUSIBLE_EV: 'a higher edge than real prices leave (15 %, of players 25 %): the price is probably wrong',
  FEW_BOOKS: 'the fair price is the opinion of fewer than five books',
  WIDE_REFERENCE: 'the prices behind the fair price have a margin above 10 %: it is uncertain',
  ONE_SIDED_PRICES: 'probabilities rest on prices of single sides: the margin in them is unknown',
  ASSUMED_DISTRIBUTION:
    'the probability of the middle or push rests on a distribution that nobody has measured in this sport',
  WHOLE_GAME_DISTRIBUTION:
    'in play without a known remaining time: results are taken to vary as over a whole game, and the middle is too large',
} as const;
export type Warning = keyof typeof WARNINGS;
export const WARNING_CODES = Object.keys(WARNINGS) as Warning[];
