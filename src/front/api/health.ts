// GET /health: whether the service works, and how fresh its data is. Without a key an address may call it ten times a
// minute, this machine without limit; orchestrators use /readyz (probes.ts).

import { bookPolls, checkHealth } from '../../answers/health.js';
import { ApiError } from '../../base/model/errors.js';
import { formatMs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import { type FeedHealth, type Health, HealthBody } from '../../schema/reference.js';
import { type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

export function healthRoutes({ engine, simulated, feeds, version, replay }: RouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/health',
      auth: 'probe',
      viewers: 'names',
      response: HealthBody,
      errors: ['unavailable'],
      summary: 'State of the service: 200 while it works (ok or degraded), 503 with status down',
      tags: ['service'],
      handler: (context) => {
        const running = feeds();
        const { status, checks } = checkHealth(engine, running);
        const nowMs = engine.clock.now();
        const timestamp = formatMs(nowMs);
        const health: Health = {
          status,
          version: 'v1',
          release: version,
          timestamp,
          simulated,
          feeds: running.map(feedItem),
          books: bookPolls(engine.table).map(({ book, polledMs }) => ({
            sportsbook: book,
            newest_poll_at: formatMs(polledMs),
            age_seconds: Math.max(0, Math.round((nowMs - polledMs) / 1000)),
          })),
          cluster: clusterItem(engine.cluster),
          ...(replay === undefined ? {} : { replay: replay.status }),
          checks,
        };
        if (status === 'down') {
          const error = new ApiError('unavailable', 'the service is down');
          context.sendJson({ ...health, ...error.toBody() }, error.status);
        } else context.sendJson({ success: true, ...health, data: health, updated_at: timestamp });
      },
    }),
  ];
}

function clusterItem({ role, writer, position, lagMs, fronts }: Engine['cluster']): Health['cluster'] {
  return { role, writer, position, lag_ms: lagMs, fronts };
}

/** After the kind, a feed's name may contain a file's path, which must not be public. */
function feedItem({
  name,
  simulated,
  state,
  lastSuccessMs,
  error,
  lagMs,
  counts,
  unknownFields,
}: FeedInfo): FeedHealth {
  return {
    kind: name.split(':', 1)[0]!,
    simulated,
    state,
    last_success_at: lastSuccessMs === null ? null : formatMs(lastSuccessMs),
    error,
    lag_ms: lagMs,
    not_understood: {
      bad_messages: counts.bad_messages ?? 0,
      refused_parts: counts.refused_parts ?? 0,
      left_out: counts.left_out ?? 0,
      unknown_fields: Object.entries(unknownFields).map(([field, times]) => ({ field, times })),
    },
  };
}
