// --compare: a run against a baseline, by ratios alone. What was not measured this time is said, not failed.
import type { Ratio } from './bench.js';

export interface Comparison {
  worse: { now: Ratio; before: Ratio; least: number }[];
  missing: string[];
}

/** A ratio is worse when it lost more than the baseline's tolerance of the baseline's value. */
export function compare(before: readonly Ratio[], now: readonly Ratio[]): Comparison {
  const found = new Map(now.map((ratio) => [ratio.id, ratio]));
  const comparison: Comparison = { worse: [], missing: [] };
  for (const old of before) {
    const ratio = found.get(old.id);
    if (ratio === undefined) {
      comparison.missing.push(old.id);
      continue;
    }
    const least = old.value * (1 - old.tolerance);
    // A ratio that could not be computed is no better than a bad one.
    if (!(ratio.value >= least)) comparison.worse.push({ now: ratio, before: old, least });
  }
  return comparison;
}
