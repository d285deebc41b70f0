// A histogram in plain numbers that is passed to prom-client when it is scraped: prom-client's own can only be fed one
// observation at a time, at half a microsecond each.
import type { Histogram } from 'prom-client';

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
