// Several runs as one, for a report: of what more than one of them measured, the median. So sections can be run one by
// one, and a figure need not be that of one lucky hour.
import type { Bars, Figure, Ratio } from './bench.js';
import type { Run } from './report.js';
import { median } from './statistics.js';

/** Throws where there is none, or where their profiles differ. Plots are those of the last run that has them. */
export function mergeRuns(runs: readonly Run[]): Run {
  const [first] = runs;
  if (first === undefined) throw new Error('a report is made of at least one run');
  if (runs.some(({ profile }) => profile !== first.profile)) throw new Error('these runs are of different profiles');
  return {
    ...first,
    runs: runs.reduce((sum, run) => sum + (run.runs ?? 1), 0),
    stolen: median(runs.map(({ stolen }) => stolen)),
    figures: medians(
      runs.flatMap(({ figures }) => figures),
      figureKey,
    ),
    ratios: medians(
      runs.flatMap(({ ratios }) => ratios),
      (ratio: Ratio) => ratio.id,
    ),
    plots: [...new Map(runs.flatMap(({ plots }) => plots).map((plot) => [plot.id, plot])).values()],
    bars: mergedBars(runs.flatMap(({ bars }) => bars)),
    skipped: distinct(runs.flatMap(({ skipped }) => skipped)),
    notes: distinct(runs.flatMap(({ notes }) => notes)),
    broken: runs.flatMap(({ broken }) => broken),
    took: took(runs),
  };
}

const figureKey = ({ section, name }: Figure): string => `${section}\n${name}`;

/** One for all that have the same key, in the order they first came. */
function medians<T extends { value: number }>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].map((group) => ({ ...group[0]!, value: median(group.map(({ value }) => value)) }));
}

/** Runs kept by an older version do not say. */
function took(runs: readonly Partial<Run>[]): Run['took'] {
  const all = runs.flatMap(({ took = [] }) => took.map(({ section, seconds }) => ({ section, value: seconds })));
  return medians(all, ({ section }) => section).map(({ section, value }) => ({ section, seconds: value }));
}

function mergedBars(all: readonly Bars[]): Bars[] {
  const groups = new Map<string, Bars[]>();
  for (const one of all) groups.set(one.id, [...(groups.get(one.id) ?? []), one]);
  return [...groups.values()].map((group) => ({
    ...group[0]!,
    bars: medians(
      group.flatMap(({ bars }) => bars),
      ({ name }) => name,
    ),
  }));
}

function distinct<T extends object>(all: readonly T[]): T[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
