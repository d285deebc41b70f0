// Counts requests by route, in plain numbers that are passed to prom-client when it is scraped: its own counters cost
// half a microsecond per request, which is as much as the rest of an answer's bookkeeping.
import type { Registry } from 'prom-client';
import { diagnosticChannels, type HttpRequestDone, subscribeTo } from '../../base/diagnostics/diagnostic-channels.js';
import { HistogramCounts, histogramMetric, metersOf, type Sample, withLabels } from './meters.js';

/** Values read at each scrape. */
export interface HttpWatch {
  /** Requests being answered now, without streams. */
  readonly inFlight: number;
  /** Open connections, WebSockets included, and refused ones. */
  readonly connections: { readonly open: number; readonly refused: number };
}

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5] as const;

interface RouteCounts {
  readonly byStatus: Map<number, number>;
  readonly seconds: HistogramCounts;
}

/**
 * Counts what a server publishes about its requests.
 * @returns a function that stops counting
 */
export function observeHttp(registry: Registry, source: object, server: HttpWatch): () => void {
  const { gauge, counter, counters } = metersOf(registry);
  const counts = new Map<HttpRequestDone['route'], RouteCounts>();
  counters(
    'overround_http_requests_total',
    'Requests answered. Status 499: the client had gone.',
    ['method', 'route', 'status'],
    () =>
      [...counts.values()].flatMap(({ seconds, byStatus }) =>
        [...byStatus].map(([status, count]): Sample => [{ ...seconds.labels, status }, count]),
      ),
  );
  registry.registerMetric(
    histogramMetric(
      'overround_http_request_seconds',
      withLabels('Time from the request to the end of its answer (of a stream: to its beginning), in seconds.', [
        'method',
        'route',
      ]),
      () => [...counts.values()].map(({ seconds }) => seconds),
    ),
  );
  gauge('overround_http_requests_in_flight', 'Requests being answered now.', () => server.inFlight);
  gauge('overround_http_connections', 'Open connections, WebSockets included.', () => server.connections.open);
  counter(
    'overround_http_connections_refused_total',
    'Connections refused with 503 because of --max-connections.',
    () => server.connections.refused,
  );
  return subscribeTo(diagnosticChannels.httpRequest, source, ({ route, status, ms }) => {
    let of = counts.get(route);
    if (of === undefined) {
      of = { byStatus: new Map(), seconds: new HistogramCounts(BUCKETS, { method: route.method, route: route.path }) };
      counts.set(route, of);
    }
    of.byStatus.set(status, (of.byStatus.get(status) ?? 0) + 1);
    of.seconds.observe(ms / 1000);
  });
}
