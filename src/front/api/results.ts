// GET /results: what became of games.

import { listResults, RESULT_COLUMNS, wholeResults } from '../../answers/results.js';
import { ResultsBody, ResultsQuery } from '../../schema/results.js';
import type { ResultsBoard } from '../../tables/results.js';
import { type Route, route } from '../http/context.js';
import { CONDITIONAL, LISTED } from './answer.js';
import type { RouteDeps } from './deps.js';
import { asksWhole, sendItems, sendWhole } from './whole.js';

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
      ...LISTED,
      summary: 'Results of games: final scores, parts, players; corrections have a higher revision',
      tags: ['results'],
      handler: (context) => {
        const { limit } = context.query;
        const { asked, query } = context;
        if (asksWhole(context)) return sendWhole(context, wholeResults({ board: results, catalogue }, query));
        const { items, total, unknown, nextCursor } = listResults({ board: results, catalogue }, query, asked);
        const forms = { name: 'results', columns: RESULT_COLUMNS, tagged: true } as const;
        return sendItems(context, clock, forms, items, { limit, total, nextCursor }, { unknown });
      },
    }),
  ];
}
