// The options `sim:seed=…,books=…,events=…,rate=…`.

import { LIMITS } from '../../../base/model/limits.js';

/** Default, least and most. */
const OPTIONS = {
  /** The same seed and clock give the same market. */
  seed: [1, 0, 0xffff_ffff],
  /** How many of the catalogue's books take part. */
  books: [28, 1, 200],
  /** Number of open events. */
  events: [120, 1, 5_000],
  /** Quotes per second (about one in twelve of them changed). */
  rate: [3_000, 10, 1_000_000],
  /** Levels of each side of the exchanges' order books. */
  depth: [5, 0, LIMITS.depthLevels.max],
  /** The market of so many hours until now, at once, to be recorded; 0: as time goes by. */
  hours: [0, 0, 72],
} as const;

type Name = keyof typeof OPTIONS;
export type SimOptions = Record<Name, number>;

/** Fills in the defaults. Throws a RangeError if a value is not an integer within its limits. */
export function simOptions(given: { [K in Name]?: number | undefined }): SimOptions {
  const options: Partial<SimOptions> = {};
  for (const name of Object.keys(OPTIONS) as Name[]) {
    const [usual, min, max] = OPTIONS[name];
    const value = given[name] ?? usual;
    if (!(Number.isInteger(value) && value >= min && value <= max))
      throw new RangeError(`sim: ${name} is not an integer from ${min} to ${max}`);
    options[name] = value;
  }
  return options as SimOptions;
}
