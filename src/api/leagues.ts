// GET /leagues.

import { type Route, route } from '../front/http/context.js';
import { ReferenceReader } from '../reader/reference.js';
import { listBody } from '../schema/envelope.js';
import { League, LeaguesQuery } from '../schema/reference.js';
import type { RouteDeps } from './deps.js';
import { sendList } from './envelope.js';

export function leaguesRoutes({ engine }: RouteDeps): Route[] {
  const reader = new ReferenceReader(engine);
  return [
    route({
      method: 'GET',
      path: '/api/v1/leagues',
      auth: 'optional',
      query: LeaguesQuery,
      response: listBody(League),
      summary: 'Leagues that have events',
      tags: ['reference'],
      handler: (context) => {
        const { items, unknown } = reader.leagues(context.query.sport, context.query.include_empty);
        sendList(context, engine.clock, items, {}, { unknown });
      },
    }),
  ];
}
