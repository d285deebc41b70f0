// GET /health: whether the service works, and how fresh its data is. Without a key an address may call it ten times a
// minute, this machine without limit; orchestrators use /readyz. And the root, of the API and of the server.

import { bookPolls, checkHealth } from '../../answers/health.js';
import { ApiError } from '../../base/model/errors.js';
import { formatMs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import { type FeedHealth, type Health, HealthBody, IndexBody } from '../../schema/reference.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { sendPieces } from '../http/streamed-body.js';
import type { RouteDeps } from './deps.js';

export function healthRoutes({ engine, feeds, version, replay }: RouteDeps): Route[] {
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
          simulated: engine.directory.simulated,
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

// GET /healthz and GET /readyz, for orchestrators. They need no key, are never limited, and are at the root.

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

// What somebody finds who opens the server's address, or the root of the API.

export function rootRoutes({ engine, version }: RouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/',
      auth: 'public',
      hidden: true,
      handler: (context) => context.redirect('/dashboard'),
    }),
    route({
      method: 'GET',
      path: '/api/v1',
      auth: 'public',
      response: IndexBody,
      summary: 'What this is, and where its documents are',
      tags: ['service'],
      handler: (context) => {
        const data = {
          name: 'overround',
          version: 'v1',
          release: version,
          docs: '/docs',
          openapi: '/api/v1/openapi.json',
          asyncapi: '/api/v1/asyncapi.json',
          dashboard: '/dashboard',
          health: '/api/v1/health',
        };
        context.sendJson({ success: true, data, updated_at: formatMs(engine.clock.now()) });
      },
    }),
  ];
}

// GET /backup: a whole copy of the server's data directory as a tar archive, for `overround backup --url`. It has the keys'
// hashes and the alerts' secrets, so only a key with a scope of its own is given it, which only the command `keys` and keys
// that have it grant.

const HEAD = Buffer.from('application/x-tar\r\nCache-Control: no-store');

export function backupRoutes({ backup }: RouteDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/backup',
      auth: 'required',
      scope: 'backup',
      noHead: true,
      // An operator's; `overround backup` is its client (docs/guides/backup-and-upgrade.md).
      hidden: true,
      handler: async (context: RequestContext) => {
        if (backup === undefined) throw new ApiError('not_found', 'this server has no data directory of its own');
        const copy = await backup();
        try {
          context.setHeader('X-Backup-Position', String(copy.position));
          const pieces = copy.tar[Symbol.asyncIterator]();
          await sendPieces(context.stream('body'), HEAD, async () => {
            const { done, value } = await pieces.next();
            return done ? undefined : value;
          });
        } finally {
          await copy.close();
        }
      },
    }),
  ];
}
