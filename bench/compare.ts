// --compare: a run against a baseline, by ratios alone. What was not measured this time is mentioned, and does not
// fail.
import type { BaselineRatio } from './baseline.js';
import type { Ratio } from './bench.js';

export interface Comparison {
  worse: { now: Ratio; before: BaselineRatio; least: number }[];
  missing: string[];
}

/** A ratio is worse when it lost more than the baseline's tolerance of the baseline's value. */
export function compare(before: readonly BaselineRatio[], now: readonly Ratio[]): Comparison {
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

/** What is worse in this run too: a run may fall into a bad minute of the machine, several hardly. */
export function worseAgain(before: Comparison, now: Comparison): Comparison {
  const again = new Map(now.worse.map((each) => [each.now.id, each]));
  return {
    worse: before.worse.flatMap(({ now: { id } }) => again.get(id) ?? []),
    missing: before.missing,
  };
}

/** One line for each ratio that got worse, one for all that are missing, and one that sums up. */
export function comparisonLines(compared: number, { worse, missing }: Comparison): string[] {
  const lines = worse.map(
    ({ now, before, least }) =>
      `WORSE ${now.id}: ${now.value.toFixed(2)} of ${now.control}; the baseline has ${before.value.toFixed(2)}, at least ${least.toFixed(2)} is asked`,
  );
  if (missing.length > 0) lines.push(`not measured this time (${missing.length}): ${missing.join(', ')}`);
  lines.push(`compared ${compared - missing.length} of ${compared} ratios: ${worse.length} got worse`);
  return lines;
}
