// What somebody finds who opens the server's address, or the root of the API.

import { formatMs } from '../../base/model/time.js';
import { IndexBody } from '../../schema/reference.js';
import { type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

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
