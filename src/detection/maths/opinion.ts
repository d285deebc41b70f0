// From when on a book's prices of a line are an opinion about it: what its margin and its sizes must be.

/** The book's own hold at the line, as a fraction: the sum of its inverse prices, less 1. */
const HOLD = { least: -0.03, most: 0.15, mostOfPlayers: 0.25 } as const;
/** Where sizes are known: the stake that can be had on each side, in the book's currency. */
export const OPINION_STAKE_MIN = 20;
/** Smaller differences are float noise. */
const NOISE = 1e-9;

/**
 * @param sum of the inverse prices of all sides
 * @param ofPlayer of a market about a player
 */
export function isOpinionSum(sum: number, ofPlayer: boolean): boolean {
  const hold = sum - 1;
  return hold >= HOLD.least - NOISE && hold <= (ofPlayer ? HOLD.mostOfPlayers : HOLD.most) + NOISE;
}
