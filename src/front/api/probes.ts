// GET /healthz and GET /readyz, for orchestrators. They need no key, are never limited, and are at the root.

import { ApiError } from '../../base/model/errors.js';
import { type Route, route } from '../http/context.js';

/** @param unready why reads are not served yet, or no longer; null if they are */
export function probeRoutes(unready: () => string | null): Route[] {
  const common = { method: 'GET', auth: 'public', hidden: true } as const;
  return [
    route({ ...common, path: '/healthz', handler: (context) => context.sendJson({ status: 'ok' }) }),
    route({
      ...common,
      path: '/readyz',
      handler: (context) => {
        const reason = unready();
        if (reason !== null) throw new ApiError('unavailable', reason, { retryAfter: 1 });
        context.sendJson({ status: 'ready' });
      },
    }),
  ];
}
