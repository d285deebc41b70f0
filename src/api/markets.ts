// GET /markets: the market types.

import { type Route, route } from '../front/http/context.js';
import { ReferenceReader } from '../reader/reference.js';
import { listBody } from '../schema/envelope.js';
import { MarketType } from '../schema/reference.js';
import type { RouteDeps } from './deps.js';
import { sendList } from './envelope.js';

export function marketsRoutes({ engine }: RouteDeps): Route[] {
  const reader = new ReferenceReader(engine);
  return [
    route({
      method: 'GET',
      path: '/api/v1/markets',
      auth: 'optional',
      response: listBody(MarketType),
      summary: 'Market types',
      tags: ['reference'],
      handler: (context) => sendList(context, engine.clock, reader.marketTypes()),
    }),
  ];
}
