// GET /results: what became of games.

import { listResults, wholeResults } from '../../answers/results.js';
import { ResultsBody, ResultsQuery } from '../../schema/results.js';
import type { ResultsBoard } from '../../tables/results.js';
import { type Route, route } from '../http/context.js';
import { CONDITIONAL, CSV_HEADERS as PAGE_HEADERS } from './answer.js';
import type { RouteDeps } from './deps.js';
import { sendTaggedList } from './envelope.js';
import { asksWhole, sendLines, sendWhole } from './whole.js';

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
      produces: ['application/x-ndjson'],
      responseHeaders: PAGE_HEADERS,
      summary: 'Results of games: final scores, parts, players; corrections have a higher revision',
      tags: ['results'],
      handler: (context) => {
        const { limit } = context.query;
        const { asked, query } = context;
        if (asksWhole(context)) return sendWhole(context, wholeResults({ board: results, catalogue }, query));
        const { items, total, unknown, nextCursor } = listResults({ board: results, catalogue }, query, asked);
        if (query.format === 'ndjson') sendLines(context, items, { total, nextCursor: nextCursor ?? undefined });
        else sendTaggedList(context, clock, items, { limit, total, nextCursor }, { unknown });
        return undefined;
      },
    }),
  ];
}
