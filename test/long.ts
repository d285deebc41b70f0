/** True if the tests that take minutes are to run. */
export const LONG = process.env['OVERROUND_LONG_TESTS'] === '1';

/** Number of runs of a property: ten times as many if the tests that take minutes are to run. */
export function runs(short: number): number {
  return LONG ? short * 10 : short;
}
