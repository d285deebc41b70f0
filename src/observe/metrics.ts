// Prometheus metrics. The stages register their own on the registry; those of the HTTP layer are here.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the HTTP layer tells of one route. */
export interface RouteMeter {
  answered(status: number, seconds: number): void;
}

export interface HttpMetrics {
  route(method: string, path: string): RouteMeter;
  /** Where to read, at each scrape, how many requests are being answered (streams not among them). */
  watchInFlight(read: () => number): void;
}

export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
}

const SECONDS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

/** `withProcess` adds the process's own (CPU, memory, event loop delay). */
export function createMetrics(withProcess = true): Metrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  return { registry, http: httpMetrics(registry) };
}

function httpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'overround_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: 'overround_http_request_seconds',
    help: 'Time from the request to the end of its answer, in seconds; streams are counted when they begin.',
    labelNames: ['method', 'route'] as const,
    buckets: SECONDS,
    registers,
  });
  return {
    route: (method, path) => {
      // Children are kept: looking labels up again for each request would cost as much as the rest of the counting.
      const counters = new Map<number, Counter.Internal>();
      const histogram = seconds.labels(method, path);
      return {
        answered: (status, elapsed) => {
          let counter = counters.get(status);
          if (counter === undefined) {
            counter = requests.labels(method, path, String(status));
            counters.set(status, counter);
          }
          counter.inc();
          histogram.observe(elapsed);
        },
      };
    },
    watchInFlight: (read) => {
      new Gauge({
        name: 'overround_http_requests_in_flight',
        help: 'Requests being answered now.',
        registers,
        collect() {
          this.set(read());
        },
      });
    },
  };
}
