// The ways a bookmaker's margin is taken out of prices, by the names they have in questions and answers.

export const DEVIG_METHODS = [
  'power',
  'multiplicative',
  'additive',
  'shin',
  'odds_ratio',
  'probit',
  'worst_case',
] as const;

export type DevigMethod = (typeof DEVIG_METHODS)[number];
