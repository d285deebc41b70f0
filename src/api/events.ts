// GET /events, GET /events/{eventId} and GET /events/{eventId}/markets, within the caller's book universe.

import { RowFilter } from '../filter/filter.js';
import { type Universe, universeOf } from '../filter/universe.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import { Type } from '../model/json-schema.js';
import { EventReader } from '../reader/event-list.js';
import { listBody, objectBody } from '../schema/envelope.js';
import { Event, EventDetail, EventMarket, EventMarketsQuery, EventQuery, EventsQuery } from '../schema/events.js';
import type { RouteDeps } from './deps.js';
import { sendList, sendObject } from './envelope.js';
import { eventOf } from './parameters.js';

const tags = ['events'];
/** Repeated in `meta`. */
const FILTERS = ['sport', 'league', 'sportsbook', 'live', 'has_score', 'date', 'team', 'q', 'sort'] as const;
const filters = Type.Record(Type.String(), Type.Unknown(), {
  description: 'the filters as given, null if not given',
});

export function eventsRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock, table } = engine;
  const reader = new EventReader(engine);

  const universe = (context: RequestContext<{ sportsbook?: string }, unknown>): Universe =>
    universeOf(catalogue, context.tier, context.query.sportsbook, table.knowsBook);

  return [
    route({
      method: 'GET',
      path: '/api/v1/events',
      auth: 'required',
      query: EventsQuery,
      response: listBody(Event, { filters }),
      summary: 'Events with odds, by start',
      tags,
      handler: (context) => {
        const { limit, offset, ...requested } = context.query;
        const { items, total, unknown } = reader.list(universe(context), context.query);
        const echo = Object.fromEntries(FILTERS.map((name) => [name, requested[name] ?? null]));
        sendList(context, clock, items, { limit, offset, total }, { filters: echo, unknown });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/events/:eventId',
      auth: 'required',
      query: EventQuery,
      response: objectBody(EventDetail),
      summary: 'One event with its books and market types',
      tags,
      handler: (context) => {
        const ofCaller = universe(context);
        const detail = reader.detail(ofCaller, eventOf(table, context.params['eventId']!));
        sendObject(context, clock, detail, { unknown: ofCaller.unknown });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/events/:eventId/markets',
      auth: 'required',
      query: EventMarketsQuery,
      response: listBody(EventMarket),
      summary: "One event's market types with their selections",
      tags,
      handler: (context) => {
        const filter = new RowFilter(table, catalogue, universe(context), { market: context.query.market });
        const markets = reader.markets(filter, eventOf(table, context.params['eventId']!));
        sendList(context, clock, markets, {}, { unknown: filter.unknown });
      },
    }),
  ];
}
