// The baseline of --compare: each ratio's median over several runs, and its tolerance. Made by `npm run bench -- --runs 5
// --make-baseline bench/baseline.json`, or from runs saved with --json: `--make-baseline bench/baseline.json RUN.json …`.
import type { Profile, Ratio } from './bench.js';
import { median } from './statistics.js';

export interface BaselineRatio {
  id: string;
  value: number;
  /** Fraction of the value that may be lost. */
  tolerance: number;
}

export interface Baseline {
  version: 1;
  profile: Profile;
  runs: number;
  /** Processor of the machine that they were made on; ratios of delays do not carry over to others. */
  cpu?: string;
  ratios: BaselineRatio[];
}

/**
 * A ratio may lose twice as much as it lost, against its median, in the worst of the runs: --compare measures again what
 * lost more, and fails if it does so twice.
 */
const SCATTER = 2;
/** However steady it was: hosts of one processor differ more than runs on one of them. */
const TOLERANCE_MIN = 0.3;
/** Fewer runs than this say too little of a ratio's spread; rounds of the short profile are few. */
const SPREAD_RUNS = 5;
const FEW_RUNS: Record<Profile, number> = { short: 0.5, full: 0.25 };
const TOLERANCE_STEP = 0.05;
const TOLERANCE_MAX = 0.9;

/**
 * Throws if runs are of different profiles. A ratio that not every run has is omitted: its median would be of other
 * conditions. So is one that is not to be judged.
 */
export function baselineOf(
  runs: readonly { profile: Profile; ratios: readonly Ratio[]; machine?: { cpu: string } }[],
): Baseline {
  const [first] = runs;
  if (first === undefined) throw new Error('a baseline is made of at least one run');
  if (runs.some(({ profile }) => profile !== first.profile)) throw new Error('these runs are of different profiles');
  const ratios: BaselineRatio[] = [];
  for (const { id, judged } of first.ratios) {
    if (judged === false) continue;
    const found = runs.flatMap((run) => run.ratios.filter((ratio) => ratio.id === id));
    if (found.length < runs.length) continue;
    const values = found.map(({ value }) => value);
    const value = rounded(median(values));
    const lost = 1 - Math.min(...values) / value;
    const least = runs.length < SPREAD_RUNS ? FEW_RUNS[first.profile] : TOLERANCE_MIN;
    const wanted = Math.max(SCATTER * lost, least, ...found.flatMap(({ tolerance }) => tolerance ?? []));
    const tolerance = Math.min(TOLERANCE_MAX, rounded(Math.ceil(wanted / TOLERANCE_STEP - 1e-9) * TOLERANCE_STEP));
    ratios.push({ id, value, tolerance });
  }
  const cpu = first.machine?.cpu;
  const same = cpu !== undefined && runs.every(({ machine }) => machine?.cpu === cpu);
  return { version: 1, profile: first.profile, runs: runs.length, ...(same ? { cpu } : {}), ratios };
}

/** With what an earlier one of the same machine and profile says of sections that were not measured now. */
export function keepingOthers(made: Baseline, earlier: Baseline | undefined, measured: readonly string[]): Baseline {
  if (earlier === undefined || earlier.cpu === undefined) return made;
  if (earlier.cpu !== made.cpu || earlier.profile !== made.profile) return made;
  const others = earlier.ratios.filter(({ id }) => !measured.some((section) => id.startsWith(`${section}.`)));
  return { ...made, runs: Math.min(made.runs, earlier.runs), ratios: [...others, ...made.ratios] };
}

/** A baseline as read from a file. Throws what is wrong with it. */
export function readBaseline(text: string): Baseline {
  const { version, ratios } = JSON.parse(text) as Partial<Baseline>;
  if (version !== 1 || !Array.isArray(ratios))
    throw new Error('no baseline: it has no version 1 and no list of ratios');
  for (const { id, value, tolerance } of ratios)
    if (typeof id !== 'string' || !(value > 0) || !(tolerance >= 0 && tolerance < 1))
      throw new Error(`no baseline: ${JSON.stringify({ id, value, tolerance })}`);
  return JSON.parse(text) as Baseline;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
