// GET /health: for load balancers, so it needs no key and counts against no limit.
import { ApiError } from '../../errors.js';
import { formatMs } from '../../ingest/time.js';
import { checkHealth } from '../../reader/health.js';
import { type Health, HealthBody } from '../../schema/reference.js';
import { type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

export function healthRoutes({ engine, simulated, feeds, version }: RouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/health',
      auth: 'public',
      response: HealthBody,
      errors: ['unavailable'],
      summary: 'State of the service: 200 while it works (ok or degraded), 503 with status down',
      tags: ['service'],
      handler: (context) => {
        const { status, checks } = checkHealth(engine);
        const timestamp = formatMs(engine.clock.now());
        const health: Health = {
          status,
          version: 'v1',
          release: version,
          timestamp,
          simulated,
          // What follows the kind may be a file's path, which is nobody's business.
          feeds: feeds().map((feed) => ({ kind: feed.name.split(':', 1)[0]!, simulated: feed.simulated })),
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
