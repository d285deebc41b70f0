// One report a run: what was done, what was seen, what was broken.
import type { FaultName } from './fault-names.js';
import type { Options } from './options.js';
import type { Run } from './run.js';

export function report(run: Run, options: Options, faults: readonly FaultName[]): { text: string; json: object } {
  const counts = Object.fromEntries(Object.entries(run.counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  const json = {
    seed: options.seed,
    minutes: options.minutes,
    fronts: options.fronts,
    faults,
    starts: run.program.starts,
    longest_start_ms: Math.round(run.program.startMsMost),
    counts,
    findings: run.findings,
  };
  const lines = [
    '',
    ...Object.entries(counts).map(([name, count]) => `${String(count).padStart(12)}  ${name}`),
    `${String(run.program.starts).padStart(12)}  starts, the longest ${Math.round(run.program.startMsMost)} ms`,
    '',
    run.findings.length === 0
      ? `seed ${options.seed}: no law was broken`
      : `seed ${options.seed}: ${run.findings.length} findings; again with --seed ${options.seed}`,
  ];
  return { text: lines.join('\n'), json };
}
