// Reservations of opportunities: the codes in `warnings` and what each means. Schemas, GET /warnings and the page of
// warnings are made from this table, and a code that it lacks does not compile.

export const WARNINGS = {
  PUSH_POSSIBLE: 'on a push or a tie the stakes come back: no profit then, and no loss',
  NET_OF_COMMISSION: 'a book charges commission or a fee: profit and edge are net of it',
  UNKNOWN_COMMISSION: 'a book may charge a commission that nobody has stated (--commission): the profit may be smaller',
  FEE_ASSUMED: "this market's own fee at the venue is unknown: the venue's highest known rate is subtracted",
  RULES_DIFFER: 'the books settle some results differently: exceptions lists each with its profit',
  TIE_SETTLES_HALF: 'one book settles a tie at half, another does not',
  VOID_DIFFERS:
    'the books void bets in different cases, such as a postponed game: one stake may come back while another bet stands',
  CURRENCIES_DIFFER: 'a limit is in a currency without an exchange rate (--fx): max_stake is null',
  STAKE_TOO_LARGE: 'the books do not take the stake asked for (stake=): profit and edge are null',
  SUSPICIOUS_PROFIT: 'a profit above 10 % is rarely real: one price is probably wrong, and the bet may be voided',
  LAY_LEG: "a leg is a lay at an exchange: its stake is the liability, lay_stake_percent the backer's stake",
  SAME_OWNER: 'two of the books belong to one owner, who may see both bets',
  IMPLAUSIBLE_EV: 'an edge above 15 % (player props: 25 %) is rarely real: the price is probably wrong',
  FEW_BOOKS: 'the fair price is a consensus of fewer than five owners of books',
  WIDE_REFERENCE: 'the prices behind the fair price have a margin above 10 %: the fair price is uncertain',
  ONE_SIDED_PRICES: 'the probabilities come from prices of one side only, whose margin is unknown',
  ASSUMED_DISTRIBUTION:
    'the probability of the middle or the push uses a distribution that was not measured for this sport',
  WHOLE_GAME_DISTRIBUTION:
    'in play with unknown remaining time: the spread of a whole game is used, so the middle looks too likely',
} as const;
export type Warning = keyof typeof WARNINGS;
export const WARNING_CODES = Object.keys(WARNINGS) as Warning[];
