// Counting requests by route. Counted in plain numbers and handed to prom-client when it is scraped: its own counters
// cost half a microsecond a request, which is as much as the rest of an answer's bookkeeping.
import { Counter, Gauge, type Registry } from 'prom-client';
import { HistogramCounts, histogramMetric } from './counted-histogram.js';

/** What the HTTP layer tells of one route. */
export interface RouteMeter {
  answered(status: number, seconds: number): void;
}

export interface HttpMetrics {
  route(method: string, path: string): RouteMeter;
  /** Where to read, at each scrape, how many requests are being answered (streams not among them). */
  watchInFlight(read: () => number): void;
  /** Connections there are now and were refused, read at each scrape. */
  watchConnections(connections: { readonly open: number; readonly refused: number }): void;
}

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5] as const;

class CountingMeter implements RouteMeter {
  readonly byStatus = new Map<number, number>();
  readonly seconds: HistogramCounts;

  constructor(method: string, route: string) {
    this.seconds = new HistogramCounts(BUCKETS, { method, route });
  }

  answered(status: number, seconds: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.seconds.observe(seconds);
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
      for (const { seconds, byStatus } of meters) {
        for (const [status, count] of byStatus) this.inc({ ...seconds.labels, status }, count);
      }
    },
  });
  registry.registerMetric(
    histogramMetric(
      'overround_http_request_seconds',
      'Time from the request to the end of its answer, in seconds; of streams, to their beginning.',
      () => meters.map((meter) => meter.seconds),
    ),
  );
  return {
    route: (method, path) => {
      const meter = new CountingMeter(method, path);
      meters.push(meter);
      return meter;
    },
    watchConnections: (connections) => {
      new Gauge({
        name: 'overround_http_connections',
        help: 'Open connections, WebSockets included.',
        registers: [registry],
        collect() {
          this.set(connections.open);
        },
      });
      new Counter({
        name: 'overround_http_connections_refused_total',
        help: 'Connections refused with 503 because there were as many as there may be.',
        registers: [registry],
        collect() {
          this.reset();
          this.inc(connections.refused);
        },
      });
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
