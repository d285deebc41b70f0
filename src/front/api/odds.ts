// GET /odds and GET /events/{eventId}/odds.

import { eventOdds, type OddsObject, withState } from '../../answers/row-objects.js';
import { countRows, selectInOrder } from '../../answers/select.js';
import { depthOf } from '../../base/model/depth.js';
import { EventOddsQuery, OddsQuery } from '../../schema/odds.js';
import { EventOddsBody, OddsBody } from '../../schema/odds-answers.js';
import { RowFilter } from '../../tables/filter/filter.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { CONDITIONAL, CSV_HEADERS } from './answer.js';
import type { RouteDeps } from './deps.js';
import { sendTaggedList } from './envelope.js';
import { OddsAnswers } from './odds-answer.js';
import { eventOf } from './parameters.js';
import type { PastAnswers } from './past.js';
import { type ServedTables, viewOf } from './universe.js';

export function oddsRoutes({ engine, history }: RouteDeps, past: PastAnswers): Route[] {
  const answers = new OddsAnswers(engine, history);
  return [
    route({
      method: 'GET',
      path: '/api/v1/odds',
      auth: 'required',
      viewers: 'odds',
      query: OddsQuery,
      headers: CONDITIONAL,
      response: OddsBody,
      produces: ['text/csv', 'application/x-ndjson'],
      responseHeaders: CSV_HEADERS,
      summary: 'Odds, page by page',
      tags: ['odds'],
      handler: past.handler<OddsQuery>((tables, context) =>
        (tables === engine ? answers : new OddsAnswers(tables, history)).send(context),
      ),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events/:eventId/odds',
      auth: 'required',
      viewers: 'odds',
      query: EventOddsQuery,
      headers: CONDITIONAL,
      response: EventOddsBody,
      errors: ['not_found'],
      summary: 'Odds of one event',
      tags: ['odds', 'events'],
      handler: past.handler<EventOddsQuery>(sendEventOdds, ({ params }) => params['eventId']!),
    }),
  ];
}

function sendEventOdds(engine: ServedTables, context: RequestContext<EventOddsQuery>): void {
  const { limit, offset, state, include, ...params } = context.query;
  const { table, universe } = viewOf(engine, context, params.sportsbook);
  const { id } = eventOf(table, context.params['eventId']!);
  const filter = new RowFilter(table, engine.catalogue, universe, { ...params, event: id });
  const { slots } = selectInOrder(table, filter, { limit, offset, after: null });
  const total = countRows(filter);
  const items = slots.map((slot) => {
    const row = JSON.parse(table.json.text(slot)) as OddsObject;
    const item = eventOdds(state === undefined ? row : withState(row, state, engine.catalogue));
    const depth = include === undefined ? null : (table.depths.get(slot) ?? null);
    return depth === null ? item : { ...item, depth: depthOf(depth) };
  });
  const { unknown } = filter;
  sendTaggedList(context, engine.clock, items, { limit, offset, total }, { filters: context.asked.echo, unknown });
}
