// The numbers of a candidate that change: if one differs from what was last published, the opportunity changed.

/**
 * By kind:
 *   ev         price; fair probability and push probability; books that quote the selection; profit of the line's
 *   arbitrage
 *   arbitrage  price of each side (0 if there is no third); 0
 *   low_hold   price of each side (0 if there is no third); owners with an opinion
 *   middle     price of each side; centre of the results; probability that both win
 */
export interface Fingerprint {
  first: number;
  second: number;
  third: number;
  fourth: number;
  /** Everything else in the item that may change, combined into one number. */
  folded: number;
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return (
    a.first === b.first &&
    a.second === b.second &&
    a.third === b.third &&
    a.fourth === b.fourth &&
    a.folded === b.folded
  );
}

export function copyFingerprint(from: Fingerprint, to: Fingerprint): void {
  to.first = from.first;
  to.second = from.second;
  to.third = from.third;
  to.fourth = from.fourth;
  to.folded = from.folded;
}
