// A histogram kept in plain numbers and handed to prom-client when it is scraped: its own can only be fed one observation
// at a time, at half a microsecond each.
import type { Histogram } from 'prom-client';

export class HistogramCounts {
  readonly labels: Readonly<Record<string, string>>;
  readonly #bounds: readonly number[];
  /** Observations in each bucket alone, not in those below it. */
  readonly #inBucket: number[];
  #sum = 0;

  /** @param bounds upper bounds of the buckets, rising */
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

  /** As Prometheus counts: each bucket with those below it. */
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

/** The metric of these counts, those without any observation left out. */
export function histogramMetric(name: string, help: string, counts: () => readonly HistogramCounts[]): Histogram {
  const about = { name, help, type: 'histogram', aggregator: 'sum' };
  const values = () =>
    counts()
      .filter((one) => !one.isEmpty)
      .flatMap((one) => one.lines(name));
  // A registry asks no more of a metric than its name and get().
  return { ...about, get: async () => ({ ...about, values: values() }) } as unknown as Histogram;
}
