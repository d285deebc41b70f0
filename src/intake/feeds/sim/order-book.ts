// The order books of the simulated exchanges: behind each best price further levels, each a little worse, with amounts
// that depend on the price, so that a price that stands keeps its ladder.
import type { Depth, Level } from '../../../base/model/depth.js';
import { decimalFromAmerican, roundDecimal } from '../../../base/model/price.js';
import { ladderOf, turned } from '../kit/ladder.js';
import { unit } from './prng.js';

/** Steps between levels, of what the price pays. */
const STEP = { least: 0.008, more: 0.014 } as const;
/** The backers' stake at a level; further behind there is more. */
const STAKE = { least: 60, more: 900, behind: 0.6 } as const;
const LAY_GAP = 0.012;

/**
 * The ladders of the sides of one line, by their prices: of two sides each is also what laying the other offers.
 * @param american whether the prices are
 */
export function ladders(seed: number, prices: readonly number[], american: boolean, levels: number): (Depth | null)[] {
  const decimals = prices.map((price) => (american ? roundDecimal(decimalFromAmerican(price)) : price));
  const backs = decimals.map((decimal, i) => levelsFrom(seed, i, decimal, -1, levels));
  return decimals.map((decimal, i) => {
    const lays =
      decimals.length === 2
        ? backs[1 - i]!.map(turned).map(([odds, size]): Level => [odds, cents(size)])
        : levelsFrom(seed, i + 8, decimal * (1 + LAY_GAP), 1, levels);
    return ladderOf([backs[i]!], [lays], levels);
  });
}

function levelsFrom(seed: number, side: number, best: number, way: 1 | -1, levels: number): Level[] {
  const key = Math.round(best * 1e4);
  const made: Level[] = [];
  let decimal = best;
  for (let i = 0; i < levels && decimal > 1.001; i++) {
    const size = STAKE.least + STAKE.more * unit(seed, side, key, i) * (1 + STAKE.behind * i);
    made.push([roundDecimal(decimal), cents(size)]);
    const step = (decimal - 1) * (STEP.least + STEP.more * unit(seed, side, key, 0x40 + i));
    decimal += way * Math.max(0.001, step);
  }
  return made;
}

function cents(size: number): number {
  return Math.round(size * 100) / 100;
}
