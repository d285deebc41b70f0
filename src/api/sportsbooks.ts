// GET /sportsbooks and GET /sportsbooks/{bookId}.

import { type Route, route } from '../front/http/context.js';
import { ApiError } from '../model/errors.js';
import { ReferenceReader } from '../reader/reference.js';
import { listBody, objectBody } from '../schema/envelope.js';
import { Sportsbook, SportsbooksQuery } from '../schema/reference.js';
import type { RouteDeps } from './deps.js';
import { sendList, sendObject } from './envelope.js';

const tags = ['reference'];

export function sportsbooksRoutes({ engine }: RouteDeps): Route[] {
  const reader = new ReferenceReader(engine);
  return [
    route({
      method: 'GET',
      path: '/api/v1/sportsbooks',
      auth: 'optional',
      query: SportsbooksQuery,
      response: listBody(Sportsbook),
      summary: 'Sportsbooks that have events',
      tags,
      handler: (context) => sendList(context, engine.clock, reader.books(context.query)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sportsbooks/:bookId',
      auth: 'required',
      response: objectBody(Sportsbook),
      summary: 'One sportsbook',
      tags,
      handler: (context) => {
        const id = context.params['bookId']!;
        const book = reader.book(id);
        if (book === undefined) throw new ApiError('not_found', `there is no sportsbook ${id}`);
        sendObject(context, engine.clock, book);
      },
    }),
  ];
}
