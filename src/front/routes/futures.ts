// GET /futures and GET /futures/odds.
import type { Static } from 'typebox';
import { ApiError } from '../../errors.js';
import { futuresOdds, listFutures } from '../../reader/futures.js';
import { answerOfItems, paginate } from '../../reader/page.js';
import { universeOf } from '../../reader/universe.js';
import { FutureOddsBody, FutureOddsQuery, FuturesBody, FuturesQuery } from '../../schema/futures.js';
import { FuturesBoard } from '../../table/futures.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { CONDITIONAL, passedOver, sendAnswer } from './answer.js';
import type { RouteDeps } from './deps.js';

const tags = ['futures'];

export function futuresRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock } = engine;
  const board = new FuturesBoard(engine.directory.envs);
  engine.onDelta((_applied, delta) => board.apply(delta));

  const universe = (context: RequestContext<{ sportsbook?: string }, unknown>) =>
    universeOf(catalogue, context.tier, context.query.sportsbook, (book) => board.knows(book));

  /** One market, or all of some sport or league. */
  const marketsAsked = ({ future_id: id, sport, league }: Static<typeof FutureOddsQuery>) => {
    if (id === undefined && sport === undefined && league === undefined)
      throw new ApiError('invalid_request', 'future_id is required (or sport or league, for all their futures)');
    const market = id === undefined ? undefined : board.get(id);
    if (id !== undefined && market === undefined) throw new ApiError('not_found', `there is no future ${id}`);
    return market === undefined ? board.all() : [market];
  };

  return [
    route({
      method: 'GET',
      path: '/api/v1/futures',
      auth: 'required',
      query: FuturesQuery,
      headers: CONDITIONAL,
      response: FuturesBody,
      summary: 'Futures markets: champions, awards, season totals',
      tags,
      handler: (context) => {
        const { limit, offset } = context.query;
        const { items, total, unknown } = listFutures(catalogue, board, universe(context), context.query);
        const meta = { count: items.length, total, ...passedOver(unknown, context.ignored) };
        sendAnswer(context, clock, answerOfItems(items, paginate(limit, offset, items.length, total), meta, {}));
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/futures/odds',
      auth: 'required',
      query: FutureOddsQuery,
      headers: CONDITIONAL,
      response: FutureOddsBody,
      errors: ['not_found'],
      summary: 'All prices of one futures market, or of all of a sport or league',
      tags,
      handler: (context) => {
        const { future_id: id, limit, offset, ...narrowing } = context.query;
        const { rows, unknown } = futuresOdds(catalogue, marketsAsked(context.query), universe(context), narrowing);
        const items = rows.slice(offset, offset + limit);
        const meta = { count: items.length, total: rows.length, ...passedOver(unknown, context.ignored) };
        const pagination = paginate(limit, offset, items.length, rows.length);
        sendAnswer(context, clock, answerOfItems(items, pagination, meta, {}));
      },
    }),
  ];
}
