// GET /events, GET /events/{eventId} and GET /events/{eventId}/markets, within the caller's book universe.

import { EVENT_COLUMNS, EventReader } from '../../answers/event-list.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { Type } from '../../base/model/json-schema.js';
import { listBody, objectBody } from '../../schema/envelope.js';
import { Event, EventDetail, EventMarket, EventMarketsQuery, EventQuery, EventsQuery } from '../../schema/events.js';
import { RowFilter } from '../../tables/filter/filter.js';
import type { OddsTable } from '../../tables/table.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { asksWhole, LISTED, READS_ODDS, sendItems, sendList, sendObject, sendWhole } from './answer.js';
import type { RouteDeps } from './deps.js';
import { eventOf, viewOf } from './view.js';

const tags = ['events'];
const filters = Type.Record(Type.String(), Type.Unknown(), {
  description: 'the filters as given, null if not given',
});

export function eventsRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock } = engine;
  // The delayed table may be replaced by another.
  const readers = new WeakMap<OddsTable, EventReader>();

  /** What the caller sees, of the table of its tier. */
  const seen = (context: RequestContext<{ sportsbook?: string }, unknown>) => {
    const { table, universe } = viewOf(engine, context, context.query.sportsbook);
    const reader = getOrInsert(readers, table, () => new EventReader(catalogue, table, engine.table));
    return { table, universe, reader };
  };

  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/events',
      query: EventsQuery,
      response: listBody(Event, { filters }),
      ...LISTED,
      summary: 'Events with odds, by start',
      tags,
      handler: (context) => {
        const { limit, offset } = context.query;
        const { universe, reader } = seen(context);
        if (asksWhole(context)) return sendWhole(context, reader.whole(universe, context.query));
        const { items, total, unknown } = reader.list(universe, context.query);
        const forms = { name: 'events', columns: EVENT_COLUMNS };
        const meta = { filters: context.asked.echo, unknown };
        return sendItems(context, clock, forms, items, { limit, offset, total }, meta);
      },
    }),
    route({
      ...READS_ODDS,
      path: '/api/v1/events/:eventId',
      query: EventQuery,
      response: objectBody(EventDetail),
      summary: 'One event with its books and market types',
      tags,
      handler: (context) => {
        const { table, universe, reader } = seen(context);
        const detail = reader.detail(universe, eventOf(table, context.params['eventId']!));
        sendObject(context, clock, detail, { unknown: universe.unknown });
      },
    }),
    route({
      ...READS_ODDS,
      path: '/api/v1/events/:eventId/markets',
      query: EventMarketsQuery,
      response: listBody(EventMarket),
      summary: "One event's market types with their selections",
      tags,
      handler: (context) => {
        const { table, universe, reader } = seen(context);
        const filter = new RowFilter(table, catalogue, universe, { market: context.query.market });
        const markets = reader.markets(filter, eventOf(table, context.params['eventId']!));
        sendList(context, clock, markets, {}, { unknown: filter.unknown });
      },
    }),
  ];
}
