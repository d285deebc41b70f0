// The registry of Prometheus metrics, which each stage registers its own in by a file beside this. Values are read when they
// are scraped: a stage counts in plain numbers, and pays for nothing more.

import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client';
import { getOrInsert } from '../../base/memory/get-or-insert.js';

/** One value of a metric with labels. */
export type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/** The help of a metric, with its labels. */
export function withLabels(help: string, names: readonly string[]): string {
  if (names.length === 0) return help;
  return `${help} ${names.length === 1 ? 'Label' : 'Labels'}: ${names.join(', ')}.`;
}

/** Makes metrics of a registry, each with a function that reads its value, or one for each of its labels' values. */
export function metersOf(registry: Registry) {
  const registers = [registry];
  const gauges = (name: string, help: string, labelNames: string[], read: () => Iterable<Sample>): void => {
    new Gauge({
      ...{ name, help: withLabels(help, labelNames), labelNames, registers },
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });
  };
  const counters = (name: string, help: string, labelNames: string[], read: () => Iterable<Sample>): void => {
    new Counter({
      ...{ name, help: withLabels(help, labelNames), labelNames, registers },
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  };
  return {
    gauges,
    counters,
    gauge: (name: string, help: string, read: () => number) => gauges(name, help, [], () => [[{}, read()]]),
    counter: (name: string, help: string, read: () => number) => counters(name, help, [], () => [[{}, read()]]),
  };
}

/**
 * Gauges of prom-client named as totals, which Prometheus would take for counters; other metrics give the same by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** With the metrics of the process itself: CPU, memory, event loop delay. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/**
 * Merges several processes' Prometheus texts, whose samples already have a label for the process: each metric's help and
 * type occur once, its samples in the order of the texts.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string; samples: string[] }>();
  for (const text of texts)
    for (const part of text.split(/^(?=# HELP )/m)) {
      const head = /^(?:# .*\n?)+/.exec(part)?.[0] ?? '';
      const name = /^# HELP (\S+)/.exec(head)?.[1];
      if (name === undefined) continue;
      const family = getOrInsert(families, name, () => ({ head: head.trimEnd(), samples: [] }));
      const samples = part.slice(head.length).trim();
      if (samples !== '') family.samples.push(samples);
    }
  return `${[...families.values()].map(({ head, samples }) => [head, ...samples].join('\n')).join('\n\n')}\n`;
}

/**
 * A histogram in plain numbers that is passed to prom-client when it is scraped: prom-client's own can only be fed one
 * observation at a time, at half a microsecond each.
 */
export class HistogramCounts {
  readonly labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Observations in each bucket alone, not cumulative. */
  readonly #inBucket: number[];
  #sum = 0;

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(bounds: readonly number[], labels: Readonly<Record<string, string>>) {
    this.#bounds = bounds;
    this.labels = labels;
    this.#inBucket = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    this.#sum += value;
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++;
    this.#inBucket[bucket]!++;
  }

  get isEmpty(): boolean {
    return this.#inBucket.every((count) => count === 0);
  }

  /** Cumulative, as in Prometheus. */
  lines(name: string) {
    const { labels } = this;
    let count = 0;
    const buckets = this.#inBucket.map((observations, i) => {
      count += observations;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: this.#bounds[i] ?? '+Inf' }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ];
  }
}

/** The metric with these counts, omitting those without any observation. */
export function histogramMetric(name: string, help: string, counts: () => readonly HistogramCounts[]): Histogram {
  const about = { name, help, type: 'histogram', aggregator: 'sum' };
  const values = () =>
    counts()
      .filter((one) => !one.isEmpty)
      .flatMap((one) => one.lines(name));
  // A registry only needs a metric's name and get().
  return { ...about, get: async () => ({ ...about, values: values() }) } as unknown as Histogram;
}
