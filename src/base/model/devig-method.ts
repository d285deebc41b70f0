// The methods of removing a bookmaker's margin from prices, by the names that requests and answers use.

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
