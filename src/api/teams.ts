// GET /teams.

import { type Route, route } from '../front/http/context.js';
import { TeamReader } from '../reader/teams.js';
import { listBody } from '../schema/envelope.js';
import { Team, TeamsQuery } from '../schema/reference.js';
import type { RouteDeps } from './deps.js';
import { sendList } from './envelope.js';

export function teamsRoutes({ engine }: RouteDeps): Route[] {
  const reader = new TeamReader(engine);
  return [
    route({
      method: 'GET',
      path: '/api/v1/teams',
      auth: 'required',
      query: TeamsQuery,
      response: listBody(Team),
      summary: 'Teams and the names they go by',
      tags: ['reference'],
      handler: (context) => {
        const { items, unknown } = reader.teams(context.query);
        sendList(context, engine.clock, items, {}, { unknown });
      },
    }),
  ];
}
