// GET /results: what became of games.
import { passedOver } from '../filter/passed-over.js';
import { type Route, route } from '../front/http/context.js';
import { pageOfItems, paginate } from '../reader/page.js';
import { listResults } from '../reader/results.js';
import { ResultsBody, ResultsQuery } from '../schema/results.js';
import type { ResultsBoard } from '../table/results.js';
import { CONDITIONAL, sendPage } from './answer.js';
import type { RouteDeps } from './deps.js';

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
      // Nothing of it is a price.
      undelayed: true,
      query: ResultsQuery,
      headers: CONDITIONAL,
      response: ResultsBody,
      summary: 'Results of games: final scores, parts, players; corrections have a higher revision',
      tags: ['results'],
      handler: (context) => {
        const { limit } = context.query;
        const { items, total, unknown, nextCursor } = listResults({ board: results, catalogue }, context.query);
        const pagination = {
          ...paginate(limit, 0, items.length, total),
          has_more: nextCursor !== undefined,
          next_offset: null,
          ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
        };
        const meta = { count: items.length, total, ...passedOver(unknown, context.ignored) };
        sendPage(context, clock, pageOfItems(items, pagination, meta, {}));
      },
    }),
  ];
}
