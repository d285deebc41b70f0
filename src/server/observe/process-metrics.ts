// The registry of Prometheus metrics, with those of the process itself; each stage registers its own in a file beside this.
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Gauges of prom-client named as totals, which Prometheus would take for counters; other metrics give the same by type.
 */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** With the metrics of the process itself: CPU, memory, event loop delay. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
