// GET /sports and GET /sports/{sportId}.

import { type Route, route } from '../front/http/context.js';
import { ApiError } from '../model/errors.js';
import { ReferenceReader } from '../reader/reference.js';
import { listBody, objectBody } from '../schema/envelope.js';
import { Sport, SportsQuery } from '../schema/reference.js';
import type { RouteDeps } from './deps.js';
import { sendList, sendObject } from './envelope.js';

const tags = ['reference'];

export function sportsRoutes({ engine }: RouteDeps): Route[] {
  const reader = new ReferenceReader(engine);
  return [
    route({
      method: 'GET',
      path: '/api/v1/sports',
      auth: 'optional',
      query: SportsQuery,
      response: listBody(Sport),
      summary: 'Sports that have events',
      tags,
      handler: (context) => sendList(context, engine.clock, reader.sports(context.query.include_empty)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sports/:sportId',
      auth: 'required',
      response: objectBody(Sport),
      summary: 'One sport',
      tags,
      handler: (context) => {
        const id = context.params['sportId']!;
        const sport = reader.sport(id);
        if (sport === undefined) throw new ApiError('not_found', `there is no sport ${id}`);
        sendObject(context, engine.clock, sport);
      },
    }),
  ];
}
