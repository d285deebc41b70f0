// GET /results: what became of games.
import { type Route, route } from '../front/http/context.js';
import { listResults } from '../reader/results.js';
import { ResultsBody, ResultsQuery } from '../schema/results.js';
import type { ResultsBoard } from '../table/results.js';
import { CONDITIONAL } from './answer.js';
import type { RouteDeps } from './deps.js';
import { sendTaggedList } from './envelope.js';

export interface ResultDeps extends RouteDeps {
  results: ResultsBoard;
}

export function resultRoutes({ engine, results }: ResultDeps): Route[] {
  const { catalogue, clock } = engine;

  return [
    route({
      method: 'GET',
      path: '/api/v1/results',
      auth: 'required',
      viewers: 'results',
      // Nothing of it is a price.
      undelayed: true,
      query: ResultsQuery,
      headers: CONDITIONAL,
      response: ResultsBody,
      summary: 'Results of games: final scores, parts, players; corrections have a higher revision',
      tags: ['results'],
      handler: (context) => {
        const { limit } = context.query;
        const { asked, query } = context;
        const { items, total, unknown, nextCursor } = listResults({ board: results, catalogue }, query, asked);
        sendTaggedList(context, clock, items, { limit, total, nextCursor }, { unknown });
      },
    }),
  ];
}
