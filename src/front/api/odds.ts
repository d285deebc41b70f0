// GET /odds and GET /events/{eventId}/odds.

import { ODDS_COLUMNS } from '../../answers/csv.js';
import { addDepths, eventOdds, type OddsObject } from '../../answers/row-objects.js';
import { countRows, selectInOrder } from '../../answers/select.js';
import { WholeRows } from '../../answers/whole-rows.js';
import { ApiError } from '../../base/model/errors.js';
import { EventOddsQuery, OddsQuery } from '../../schema/odds.js';
import { EventOddsBody, OddsBody } from '../../schema/odds-answers.js';
import { RowFilter } from '../../tables/filter/filter.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { CONDITIONAL, LISTED, READS_ODDS } from './answer.js';
import type { RouteDeps } from './deps.js';
import { sendTaggedList } from './envelope.js';
import { OddsAnswers } from './odds-answer.js';
import { eventOf } from './parameter-values.js';
import type { PastAnswers } from './past.js';
import { type ServedTables, viewOf } from './universe.js';
import { asksWhole, sendsForm, sendWhole } from './whole.js';

export function oddsRoutes({ engine, history }: RouteDeps, past: PastAnswers): Route[] {
  const answers = new OddsAnswers(engine, history);
  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds',
      query: OddsQuery,
      headers: CONDITIONAL,
      response: OddsBody,
      ...LISTED,
      summary: 'Odds, page by page',
      tags: ['odds'],
      handler: past.handler<OddsQuery>((tables, context) =>
        (tables === engine ? answers : new OddsAnswers(tables, history)).send(context),
      ),
    }),
    route({
      ...READS_ODDS,
      path: '/api/v1/events/:eventId/odds',
      query: EventOddsQuery,
      headers: CONDITIONAL,
      response: EventOddsBody,
      ...LISTED,
      errors: ['not_found'],
      summary: 'Odds of one event',
      tags: ['odds', 'events'],
      handler: past.handler<EventOddsQuery>(sendEventOdds, ({ params }) => params['eventId']!),
    }),
  ];
}

function sendEventOdds(engine: ServedTables, context: RequestContext<EventOddsQuery>): Promise<void> | void {
  const { limit, offset, state, include, format, ...params } = context.query;
  if (include !== undefined && format === 'csv')
    throw new ApiError('invalid_request', 'include: a ladder has no columns; leave out format=csv');
  const { catalogue, clock } = engine;
  const { table, universe } = viewOf(engine, context, params.sportsbook);
  const { id } = eventOf(table, context.params['eventId']!);
  const filter = new RowFilter(table, catalogue, universe, { ...params, event: id });
  const isWhole = asksWhole(context);
  const page = isWhole ? { limit: Number.POSITIVE_INFINITY, offset: 0 } : { limit, offset };
  const { slots } = selectInOrder(table, filter, { ...page, after: null });
  const rows = new WholeRows(table, slots, { catalogue, state });
  const items = (from: number, to: number): OddsObject[] => {
    const found = rows.objects(from, to).map(eventOdds);
    if (include !== undefined) addDepths(found, table);
    return found;
  };
  const name = 'odds';
  if (isWhole) return sendWhole(context, { name, total: slots.length, columns: ODDS_COLUMNS, rows: items });
  const total = countRows(filter);
  const { unknown } = filter;
  const found = items(0, slots.length);
  if (!sendsForm(context, name, found, { total, without: engine.notKept, tagged: true }, ODDS_COLUMNS))
    sendTaggedList(context, clock, found, { limit, offset, total }, { filters: context.asked.echo, unknown });
}
