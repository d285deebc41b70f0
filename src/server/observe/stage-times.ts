// The time a change spends in each stage, from the request that brings it to the subscribers' sockets: one histogram
// per stage, over every batch.
import type { Registry } from 'prom-client';
import { HistogramCounts, histogramMetric } from './counted-histogram.js';

/** In order, with a description. */
const STAGES = {
  read: 'a body parsed and its messages normalised',
  queue: 'a message waiting for the batches before it',
  wake: 'a batch on its way to the shard thread',
  apply: 'matching and diff',
  detect: 'opportunities',
  commit: 'delta, slabs and log entry written',
  return: 'the answer on its way back',
  deliver: 'decoded, applied to the table and to opportunities',
  send: 'written to every stream that follows',
  commit_to_sent: 'the last three',
} as const;

export type Stage = keyof typeof STAGES;

/** Upper bounds of the buckets, in seconds: a fifth apart where most batches are. */
const BOUNDS = [
  0.000_05, 0.000_1, 0.000_2, 0.000_3, 0.000_4, 0.000_5, 0.000_6, 0.000_8, 0.001, 0.001_25, 0.001_5, 0.002, 0.002_5,
  0.003, 0.004, 0.005, 0.006, 0.008, 0.01, 0.012, 0.015, 0.02, 0.025, 0.03, 0.04, 0.06, 0.1, 0.25, 1, 5,
];

export class StageTimes {
  readonly #counts: Readonly<Record<Stage, HistogramCounts>>;

  constructor(registry: Registry) {
    const stages = Object.keys(STAGES) as Stage[];
    this.#counts = Object.fromEntries(
      stages.map((stage) => [stage, new HistogramCounts(BOUNDS, { stage })]),
    ) as Readonly<Record<Stage, HistogramCounts>>;
    const described = Object.entries(STAGES).map(([stage, what]) => `${stage}: ${what}`);
    registry.registerMetric(
      histogramMetric(
        'overround_stage_seconds',
        `Time of each stage of a batch, in seconds. ${described.join('; ')}.`,
        () => Object.values(this.#counts),
      ),
    );
  }

  /** @param ms milliseconds */
  observe(stage: Stage, ms: number): void {
    this.#counts[stage].observe(ms / 1000);
  }
}
