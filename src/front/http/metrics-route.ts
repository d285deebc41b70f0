// GET /metrics, for Prometheus; GET /metrics/recent, the last quarter of an hour of some of them, for the operator's page.
import type { Registry } from 'prom-client';
import type { MetricsRecorder } from '../../observe/recent-metrics.js';
import { type Route, route } from './context.js';

/** @param collect adds those of other processes to this one's */
export function metricsRoute(
  registry: Registry,
  collect: (own: string) => Promise<string> | string = (own) => own,
): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    auth: 'public',
    handler: async (context) => {
      const text = await collect(await registry.metrics());
      context.sendBuffer(200, registry.contentType, Buffer.from(text));
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
