// Prometheus metrics: one registry, on which every stage registers its own.
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type HttpMetrics, httpMetrics } from './http-metrics.js';

export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
}

/** Gauges of prom-client that call themselves totals, which Prometheus takes for counters; others tell the same by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** `withProcess` adds the process's own (CPU, memory, event loop delay). */
export function createMetrics(withProcess = true): Metrics {
  const registry = new Registry();
  if (withProcess) {
    collectDefaultMetrics({ register: registry });
    for (const name of MISNAMED) registry.removeSingleMetric(name);
  }
  return { registry, http: httpMetrics(registry) };
}
