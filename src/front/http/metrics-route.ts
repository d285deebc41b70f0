// GET /metrics, for Prometheus.
import type { Metrics } from '../../observe/metrics.js';
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
