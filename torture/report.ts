// One report per run: what was done, what was seen, what was broken.
import type { FaultName } from './fault-names.js';
import type { Options } from './options.js';
import type { Run } from './run.js';

export function report(
  run: Run,
  options: Options,
  faults: readonly FaultName[],
  series: readonly object[],
  ended: boolean,
): { text: string; json: object } {
  const { starts, startMsMost } = run.deployment;
  const counts = Object.fromEntries(Object.entries(run.counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  const json = {
    seed: options.seed,
    minutes: options.minutes,
    fronts: options.fronts,
    cluster: options.cluster,
    flush: options.flush,
    rate: options.rate,
    every_s: options.everyS,
    fuzz: options.fuzz,
    faults,
    ended,
    ran_s: Math.round(run.elapsedMs / 1_000),
    starts,
    longest_start_ms: Math.round(startMsMost),
    starvation: run.starvation.report(),
    counts,
    findings: run.findings,
    series,
  };
  const lines = [
    '',
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(12)}  ${name}`),
    `${String(starts).padStart(12)}  starts, the longest ${Math.round(startMsMost)} ms`,
    ...Object.entries(run.starvation.report()).map(([name, value]) => `${String(value).padStart(12)}  ${name}`),
    '',
    run.findings.length === 0
      ? `seed ${options.seed}: no law was broken`
      : `seed ${options.seed}: ${run.findings.length} findings; again with --seed ${options.seed}`,
  ];
  return { text: lines.join('\n'), json };
}
