/** True where the tests that take minutes were asked for. */
export const LONG = process.env['OVERROUND_LONG_TESTS'] === '1';

/** How often a property is tried: ten times as often where the tests that take minutes were asked for. */
export function runs(short: number): number {
  return LONG ? short * 10 : short;
}
