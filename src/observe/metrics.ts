// Prometheus metrics: one registry, on which every stage registers its own.
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type HttpMetrics, httpMetrics } from './http-metrics.js';

export interface Metrics {
  readonly registry: Registry;
  readonly http: HttpMetrics;
}

/** `withProcess` adds the process's own (CPU, memory, event loop delay). */
export function createMetrics(withProcess = true): Metrics {
  const registry = new Registry();
  if (withProcess) collectDefaultMetrics({ register: registry });
  return { registry, http: httpMetrics(registry) };
}
