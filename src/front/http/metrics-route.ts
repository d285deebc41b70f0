// GET /metrics, for Prometheus.
import type { Metrics } from '../../observe/metrics.js';
import { type Route, route } from './context.js';

export function metricsRoute(metrics: Metrics): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    auth: 'public',
    handler: async (context) => {
      const text = await metrics.registry.metrics();
      context.sendBuffer(200, metrics.registry.contentType, Buffer.from(text));
    },
  });
}
