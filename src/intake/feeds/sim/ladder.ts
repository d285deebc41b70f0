// The probability that a counted result (a margin, a total) ends above a line, from which every line market is priced.

export interface Ladder {
  readonly mean: number;
  /**
   * Probability that a bet on "above `line`" wins, relative to stakes that are not returned: pushes of integer lines
   * are excluded, quarter lines put half the stake on each neighbour. 1 - above(line) is the other side's.
   */
  above(line: number): number;
}

/** A result spread over the integers from `low`. */
export class TableLadder implements Ladder {
  readonly mean: number;
  readonly #low: number;
  /** P(result <= low + i). */
  readonly #upTo: Float64Array;

  /** `mass[i]` is the weight of `low + i`; it need not sum to 1. */
  constructor(low: number, mass: ArrayLike<number>) {
    let sum = 0;
    let moment = 0;
    const upTo = new Float64Array(mass.length);
    for (let i = 0; i < mass.length; i++) {
      sum += mass[i]!;
      moment += mass[i]! * (low + i);
      upTo[i] = sum;
    }
    for (let i = 0; i < upTo.length; i++) upTo[i]! /= sum;
    this.#low = low;
    this.#upTo = upTo;
    this.mean = moment / sum;
  }

  /** P(result <= k). */
  upTo(k: number): number {
    const i = k - this.#low;
    if (i < 0) return 0;
    return i >= this.#upTo.length ? 1 : this.#upTo[i]!;
  }

  above(line: number): number {
    const k = Math.floor(line);
    const part = line - k;
    if (part === 0.5) return 1 - this.upTo(k);
    // The integer at or next to the line, which decides pushes and halves.
    const n = part === 0.75 ? k + 1 : k;
    const less = this.upTo(n - 1);
    const more = 1 - this.upTo(n);
    const on = 1 - less - more;
    if (part === 0) return more / Math.max(more + less, 1e-12);
    const halfWon = part === 0.75 ? on / 2 : 0;
    const halfLost = part === 0.25 ? on / 2 : 0;
    return (more + halfWon) / Math.max(more + halfWon + halfLost + less, 1e-12);
  }
}

/** Normal weights of the integers within five standard deviations of the mean, each times `factor(k)`. */
export function normalLadder(
  mean: number,
  deviation: number,
  factor: (k: number) => number,
  floor = -400,
): TableLadder {
  const low = Math.max(floor, Math.floor(mean - 5 * deviation) - 1);
  const high = Math.max(low + 1, Math.ceil(mean + 5 * deviation) + 1);
  const mass = new Float64Array(high - low + 1);
  let best = 0;
  for (let i = 0; i < mass.length; i++) {
    const z = (low + i - mean) / deviation;
    mass[i] = Math.exp(-0.5 * z * z) * factor(low + i);
    best = Math.max(best, mass[i]!);
  }
  // All integers near the mean are impossible only if nothing but a tie is left: give it to either side.
  if (best === 0) return new TableLadder(-1, [1, 0, 1]);
  return new TableLadder(low, mass);
}

/**
 * P(0), P(1) … of a negative binomial with the given mean and shape (variance mean + mean^2/shape); Poisson at shape
 * Infinity. The omitted tail is below 1e-6.
 */
export function countMass(mean: number, shape: number): number[] {
  const poisson = shape === Number.POSITIVE_INFINITY;
  const growth = poisson ? 0 : mean / (mean + shape);
  const mass = [poisson ? Math.exp(-mean) : (shape / (mean + shape)) ** shape];
  let sum = mass[0]!;
  for (let k = 1; k < 80 && sum < 1 - 1e-6; k++) {
    const ratio = poisson ? mean / k : (growth * (shape + k - 1)) / k;
    mass.push(mass[k - 1]! * ratio);
    sum += mass[k]!;
  }
  return mass;
}

/** Standard normal distribution function (Abramowitz and Stegun 7.1.26, error below 1.5e-7). */
export function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const tail = 0.5 * poly * Math.exp(-x * x);
  return z > 0 ? 1 - tail : tail;
}
