// The options `sim:seed=…,books=…,events=…,rate=…`, with their defaults and limits.

import { LIMITS } from '../../../base/model/limits.js';

export interface SimOptions {
  /** The same seed and clock give the same market. */
  seed: number;
  /** How many of the catalogue's books take part. */
  books: number;
  /** Number of open events. */
  events: number;
  /** Quotes per second (about one in twelve of them changed). */
  rate: number;
  /** Levels of each side of the exchanges' order books. */
  depth: number;
  /** The market of so many hours until now, at once, to be recorded; 0: as time goes by. */
  hours: number;
}

export const SIM_DEFAULTS: SimOptions = { seed: 1, books: 28, events: 120, rate: 3_000, depth: 5, hours: 0 };

export const SIM_LIMITS: { readonly [K in keyof SimOptions]: readonly [min: number, max: number] } = {
  seed: [0, 0xffff_ffff],
  books: [1, 200],
  events: [1, 5_000],
  rate: [10, 1_000_000],
  depth: [0, LIMITS.depthLevels.max],
  hours: [0, 72],
};

/** Fills in the defaults. Throws a RangeError if a value is not an integer within SIM_LIMITS. */
export function simOptions(given: Partial<SimOptions>): SimOptions {
  const options = { ...SIM_DEFAULTS };
  for (const key of ['seed', 'books', 'events', 'rate', 'depth', 'hours'] as const) {
    const value = given[key];
    if (value === undefined) continue;
    const [min, max] = SIM_LIMITS[key];
    if (!(Number.isInteger(value) && value >= min && value <= max))
      throw new RangeError(`sim: ${key} is not an integer from ${min} to ${max}`);
    options[key] = value;
  }
  return options;
}

export function simName(options: SimOptions): string {
  return `sim:seed=${options.seed},books=${options.books},events=${options.events},rate=${options.rate}`;
}
