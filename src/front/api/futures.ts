// GET /futures and GET /futures/odds.

import { columnsOf } from '../../answers/csv.js';
import { futuresOdds, listFutures } from '../../answers/futures.js';
import { ApiError } from '../../base/model/errors.js';
import { isDelayed } from '../../rules/catalogue/tiers.js';
import {
  Future,
  FutureOdds,
  FutureOddsBody,
  FutureOddsQuery,
  FuturesBody,
  FuturesQuery,
} from '../../schema/futures.js';
import { universeOf } from '../../tables/filter/universe.js';
import { FuturesBoard } from '../../tables/futures.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { CONDITIONAL, LISTED, type Page, READS_ODDS, sendListed } from './answer.js';
import type { RouteDeps } from './deps.js';

const tags = ['futures'];
const FORMS = { name: 'futures', columns: columnsOf(Future), tagged: true } as const;
const ODDS_FORMS = { ...FORMS, columns: columnsOf(FutureOdds) };

export function futuresRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock } = engine;
  const live = new FuturesBoard(engine.directory.envs);
  engine.onDelta((_applied, delta) => live.apply(delta));

  const viewOf = (context: RequestContext<{ sportsbook?: string }, unknown>) => {
    const board = isDelayed(context.tier) ? engine.delayed.futures : live;
    const knows = (book: string): boolean => board.knows(book);
    return { board, universe: universeOf(catalogue, context.tier, context.query.sportsbook, knows) };
  };

  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/futures',
      query: FuturesQuery,
      headers: CONDITIONAL,
      response: FuturesBody,
      ...LISTED,
      summary: 'Futures markets: champions, awards, season totals',
      tags,
      handler: (context) => {
        const { board, universe } = viewOf(context);
        const list = (page: Page) => listFutures(catalogue, board, universe, { ...context.query, ...page });
        return sendListed(context, clock, FORMS, list);
      },
    }),
    route({
      ...READS_ODDS,
      path: '/api/v1/futures/odds',
      query: FutureOddsQuery,
      headers: CONDITIONAL,
      response: FutureOddsBody,
      ...LISTED,
      errors: ['not_found'],
      summary: 'All prices of one futures market',
      tags,
      handler: (context) => {
        const { query } = context;
        const { future_id: id } = query;
        const { board, universe } = viewOf(context);
        const market = board.get(id);
        if (market === undefined) throw new ApiError('not_found', `there is no future ${id}`);
        const list = (page: Page) => futuresOdds(catalogue, market, universe, { ...query, ...page });
        return sendListed(context, clock, ODDS_FORMS, list);
      },
    }),
  ];
}
