// GET /metrics, for Prometheus; GET /metrics/recent, the last quarter of an hour of some of them, for the operator's page.
// Making them takes milliseconds of the main thread, and anybody may ask: they are made at most once a second.

import type { Registry } from 'prom-client';
import type { Clock } from '../base/model/clock.js';
import { type Route, route } from '../front/http/context.js';
import type { MetricSamples } from './observe/recent-metrics.js';

const KEPT_MS = 1_000;

/** @param collect adds those of other processes to this one's */
export function metricsRoute(
  registry: Registry,
  clock: Clock,
  collect: (own: string) => Promise<string> | string = (own) => own,
): Route {
  return keptRoute('/metrics', registry.contentType, clock, async () => collect(await registry.metrics()));
}

export function recentMetricsRoute(recorder: MetricSamples, clock: Clock): Route {
  return keptRoute('/metrics/recent', 'application/json', clock, async () => JSON.stringify(recorder.recent));
}

function keptRoute(path: string, contentType: string, clock: Clock, make: () => Promise<string>): Route {
  let kept: Promise<Buffer> | undefined;
  let madeMs = 0;
  return route({
    method: 'GET',
    path,
    auth: 'metered',
    handler: async (context) => {
      const nowMs = clock.now();
      // The clock may have been set back.
      if (kept === undefined || Math.abs(nowMs - madeMs) >= KEPT_MS) {
        madeMs = nowMs;
        kept = make().then((text) => Buffer.from(text));
        kept.catch(() => {
          kept = undefined;
        });
      }
      context.sendBuffer(200, contentType, await kept);
    },
  });
}
