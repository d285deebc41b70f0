// GET /metrics, for Prometheus; GET /metrics/recent, the last quarter of an hour of some of them, for the operator's page.
import type { Metrics } from '../../observe/metrics.js';
import type { MetricsRecorder } from '../../observe/recent-metrics.js';
import { type Route, route } from './context.js';

/** @param collect adds those of other processes to this one's */
export function metricsRoute(
  metrics: Metrics,
  collect: (own: string) => Promise<string> | string = (own) => own,
): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    auth: 'public',
    handler: async (context) => {
      const text = await collect(await metrics.registry.metrics());
      context.sendBuffer(200, metrics.registry.contentType, Buffer.from(text));
    },
  });
}

export function recentMetricsRoute(recorder: MetricsRecorder): Route {
  return route({
    method: 'GET',
    path: '/metrics/recent',
    auth: 'public',
    handler: (context) => context.sendJson(recorder.recent),
  });
}
