// Counting requests by route. Counted in plain numbers and handed to prom-client when it is scraped: its own counters
// cost half a microsecond a request, which is as much as the rest of an answer's bookkeeping.
import { Counter, Gauge, type Histogram, type Registry } from 'prom-client';

/** What the HTTP layer tells of one route. */
export interface RouteMeter {
  answered(status: number, seconds: number): void;
}

export interface HttpMetrics {
  route(method: string, path: string): RouteMeter;
  /** Where to read, at each scrape, how many requests are being answered (streams not among them). */
  watchInFlight(read: () => number): void;
}

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5] as const;

class CountingMeter implements RouteMeter {
  readonly labels: { method: string; route: string };
  readonly byStatus = new Map<number, number>();
  /** Answers in each bucket alone, not in those below it. */
  readonly inBucket = new Array<number>(BUCKETS.length + 1).fill(0);
  seconds = 0;

  constructor(method: string, route: string) {
    this.labels = { method, route };
  }

  answered(status: number, seconds: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.seconds += seconds;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    this.inBucket[bucket]!++;
  }
}

export function httpMetrics(registry: Registry): HttpMetrics {
  const meters: CountingMeter[] = [];
  new Counter({
    name: 'overround_http_requests_total',
    help: 'Requests answered, by route and status (499: the client had gone).',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, byStatus } of meters) {
        for (const [status, count] of byStatus) this.inc({ ...labels, status }, count);
      }
    },
  });
  registry.registerMetric(secondsMetric(meters));
  return {
    route: (method, path) => {
      const meter = new CountingMeter(method, path);
      meters.push(meter);
      return meter;
    },
    watchInFlight: (read) => {
      new Gauge({
        name: 'overround_http_requests_in_flight',
        help: 'Requests being answered now.',
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
  };
}

/** A histogram made of the meters' numbers: prom-client's own can only be fed one observation at a time. */
function secondsMetric(meters: readonly CountingMeter[]): Histogram {
  const name = 'overround_http_request_seconds';
  const about = {
    name,
    help: 'Time from the request to the end of its answer, in seconds; of streams, to their beginning.',
    type: 'histogram',
    aggregator: 'sum',
  };
  const values = () =>
    meters.filter((meter) => meter.byStatus.size > 0).flatMap((meter) => histogramLines(name, meter));
  // A registry asks no more of a metric than its name and get().
  return { ...about, get: async () => ({ ...about, values: values() }) } as unknown as Histogram;
}

function histogramLines(name: string, { labels, inBucket, seconds }: CountingMeter) {
  let count = 0;
  const buckets = inBucket.map((answers, i) => {
    count += answers;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: BUCKETS[i] ?? '+Inf' }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
