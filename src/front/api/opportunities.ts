// GET /opportunities/* and GET /moves: +EV, arbitrage, middles, low holds and moves within the caller's book universe.

import type { AccountQueue } from '../../accounts/account-queue.js';
import { bookOwnerOf } from '../../accounts/key-record.js';
import { lowHoldSummary, middlesSummary } from '../../answers/opportunities/list.js';
import { ApiError, checkWords } from '../../base/model/errors.js';
import { Type } from '../../base/model/json-schema.js';
import { DETECTION_LIMITS } from '../../detection/detection-limits.js';
import { DEFAULT_LIMITS } from '../../detection/kinds/caller-thresholds.js';
import { hasLaggard, MOVE_KINDS } from '../../detection/kinds/move.js';
import { listBody, objectBody } from '../../schema/envelope.js';
import { Move, MovesQuery } from '../../schema/moves.js';
import {
  ArbitrageQuery,
  asOfMeta,
  EvQuery,
  LowHoldQuery,
  LowHoldSummary,
  MiddleQuery,
  MiddlesQuery,
  MiddlesSummary,
  MiddlesSummaryQuery,
  PortfolioSummary,
  sourceMeta,
} from '../../schema/opportunities.js';
import {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
} from '../../schema/opportunities-items.js';
import { devigBookOf as namedDevigBook, splitList } from '../../tables/filter/universe.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { sendObject } from './answer.js';
import { type ListRequest, OpportunityAnswers, type OpportunityDeps } from './opportunities-answer.js';

const BASE = '/api/v1/opportunities';
const COMMON = { method: 'GET', auth: 'required', tags: ['opportunities'] } as const;
/** Common to the lists. */
const LIST = {
  ...COMMON,
  produces: ['text/csv', 'application/x-ndjson'],
  errors: ['tier_restricted', 'unavailable'],
} as const;

export function opportunityRoutes(deps: OpportunityDeps, costly: AccountQueue): Route[] {
  const answers = new OpportunityAnswers(deps, costly);
  return [
    evRoute(deps, answers),
    route({
      ...LIST,
      path: `${BASE}/arbitrage`,
      right: 'arbitrage',
      viewers: 'arbitrage',
      query: ArbitrageQuery,
      response: listBody(ArbitrageOpportunity, sourceMeta),
      summary: 'Arbitrages: bets at different books that together win on every result',
      handler: (context) => {
        const { min_profit, include_suspicious, group } = context.query;
        return answers.send(context, {
          kind: 'arbitrage',
          limits: { minProfit: min_profit, suspicious: include_suspicious },
          bestOfEvent: group === 'best',
        });
      },
    }),
    route({
      ...LIST,
      path: `${BASE}/low_hold`,
      right: 'low_hold',
      viewers: 'low_hold',
      query: LowHoldQuery,
      response: listBody(LowHoldOpportunity, { ...sourceMeta, summary: LowHoldSummary }),
      summary: 'Markets whose best prices have almost no margin',
      handler: (context) =>
        answers.send(context, {
          kind: 'low_hold',
          limits: { maxHold: context.query.max_hold },
          ...(context.query.max_hold <= DETECTION_LIMITS.maxHold
            ? {}
            : { evaluate: { maxHold: context.query.max_hold } }),
          meta: (matching) => ({ summary: lowHoldSummary(matching) }),
        }),
    }),
    ...middlesRoutes(deps, answers),
    moveRoute(answers),
  ];
}

function evRoute({ engine }: OpportunityDeps, answers: OpportunityAnswers): Route {
  return route({
    ...LIST,
    path: `${BASE}/ev`,
    right: 'ev',
    viewers: 'ev',
    query: EvQuery,
    response: listBody(EvOpportunity, { ...sourceMeta, portfolio: Type.Optional(PortfolioSummary) }),
    summary: 'Prices better than fair',
    handler: (context) => {
      const { min_ev, max_ev, devig = 'power', bankroll } = context.query;
      const devigBook = devigBookOf(context);
      const usual = devig === 'power' && devigBook === null && min_ev >= DETECTION_LIMITS.minEv;
      return answers.send(context, {
        kind: 'ev',
        limits: { minEv: min_ev, maxEv: max_ev ?? DEFAULT_LIMITS.maxEv },
        ...(usual ? {} : { evaluate: { method: devig, devigBook, minEv: min_ev } }),
        ...(bankroll === undefined ? {} : { stakes: { bankroll, ...stakedOn(context.query) } }),
      });
    },
  });

  /** Full Kelly stakes halve the bankroll at some time with a chance of one half; a quarter of them, one in a hundred. */
  function stakedOn({ kelly = 0.25, max_event = 5, max_book = 50 }: EvQuery) {
    return { kelly, maxEvent: max_event, maxBook: max_book };
  }

  function devigBookOf(context: RequestContext<EvQuery, unknown>): string | null {
    const { catalogue, table } = engine;
    return namedDevigBook(catalogue, context.tier, context.query.devig_book, table.knowsBook, bookOwnerOf(context.key));
  }
}

function middlesRoutes({ engine }: OpportunityDeps, answers: OpportunityAnswers): Route[] {
  return [
    route({
      ...LIST,
      path: `${BASE}/middles`,
      right: 'middles',
      viewers: 'middles',
      query: MiddlesQuery,
      response: listBody(MiddleOpportunity, sourceMeta),
      summary: 'Middles: two lines with results between them at which both bets win',
      handler: (context) => answers.send(context, middlesRequest(context.query)),
    }),
    route({
      ...COMMON,
      path: `${BASE}/middles/summary`,
      errors: ['tier_restricted', 'unavailable'],
      right: 'middles',
      viewers: 'middles',
      query: MiddlesSummaryQuery,
      response: objectBody(MiddlesSummary, sourceMeta),
      summary: 'Counts of the matching middles',
      handler: async (context) => {
        const universe = answers.universe(context, context.query.sportsbook);
        const { matching, unknown, source } = await answers.select(
          universe,
          context,
          { ...context.query, limit: 0, offset: 0 },
          middlesRequest(context.query),
        );
        const meta = { ...source, filters: context.asked.echo, unknown };
        sendObject(context, engine.clock, middlesSummary(matching), meta);
      },
    }),
    route({
      ...COMMON,
      path: `${BASE}/middles/:id`,
      params: Type.Object({
        id: Type.String({ pattern: '^[0-9a-f]{16}$', description: 'id of a middle within min_ev and min_size' }),
      }),
      errors: ['not_found', 'tier_restricted', 'unavailable'],
      right: 'middles',
      viewers: 'middles',
      query: MiddleQuery,
      response: objectBody(MiddleOpportunity, { as_of: asOfMeta }),
      summary: "One active middle of the caller's books",
      handler: async (context) => {
        const id = context.params['id']!;
        const { query } = context;
        const universe = answers.universe(context, query.sportsbook);
        const wanted = { ...query, include_assumed: true, limit: 0, offset: 0 };
        const { matching, unknown } = await answers.select(universe, context, wanted, middlesRequest(query));
        const middle = matching.find((one) => one.id === id);
        if (middle !== undefined) {
          const item = answers.one(middle, universe, query.state, query);
          return sendObject(context, engine.clock, item, { ...answers.asOf(query.at), unknown });
        }
        throw new ApiError('not_found', `there is no middle ${id} among these sportsbooks now`);
      },
    }),
  ];
}

function middlesRequest({ min_ev, min_size }: { min_ev: number; min_size: number }): ListRequest {
  const limits = { minMiddleEv: min_ev, minSize: min_size };
  if (min_ev >= DETECTION_LIMITS.minMiddleEv && min_size >= DETECTION_LIMITS.minMiddleSize)
    return { kind: 'middle', limits };
  return { kind: 'middle', limits, evaluate: { minExpectedValue: min_ev, minSize: min_size } };
}

/** Steam, drops, line moves and reverse moves within the caller's book universe. */
function moveRoute(answers: OpportunityAnswers): Route {
  return route({
    ...LIST,
    path: '/api/v1/moves',
    right: 'moves',
    viewers: 'moves',
    query: MovesQuery,
    response: listBody(Move, sourceMeta),
    summary: 'Moves: steam, drops, line moves, moves against most bets, with the books that have not followed',
    handler: async (context) => {
      const { kind, laggard, min_edge } = context.query;
      const kinds = kindsOf(kind);
      const behind = laggard === undefined ? undefined : answers.universe(context, laggard);
      const books = behind === undefined ? null : new Set(behind.requested);
      await answers.send(context, {
        kind: 'move',
        limits: {},
        unknown: behind?.unknown ?? [],
        matches: ({ kind, item }) =>
          kind === 'move' && hasLaggard(item, books, min_edge) && (kinds === null || kinds.has(item.kind)),
      });
    },
  });
}

/** Throws invalid_request for an unknown kind; null means all. */
function kindsOf(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const kinds = splitList(text);
  checkWords('kind', kinds, MOVE_KINDS);
  return new Set(kinds);
}
