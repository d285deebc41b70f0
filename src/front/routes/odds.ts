// GET /odds and GET /events/{eventId}/odds: pages of encoded rows.
import type { Static } from 'typebox';
import { ApiError } from '../../errors.js';
import { AnswerCache } from '../../reader/answer-cache.js';
import { RowFilter } from '../../reader/filter.js';
import { eventOdds } from '../../reader/look-inside.js';
import { OddsReader } from '../../reader/odds-query.js';
import { answerOfItems, paginate } from '../../reader/page.js';
import { countRows, selectInOrder } from '../../reader/select.js';
import { universeOf } from '../../reader/universe.js';
import { EventOddsQuery, OddsQuery } from '../../schema/odds.js';
import type { OddsTable } from '../../table/table.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

const JSON_TYPE = 'application/json';

export function oddsRoutes({ engine }: RouteDeps): Route[] {
  const reader = new OddsReader(engine.catalogue);
  const cache = new AnswerCache();

  /** The answer kept for this question while nothing it could show has changed, else a new one. */
  function answer(context: RequestContext<Static<typeof OddsQuery>>): Uint8Array {
    const table = engine.tableFor(context.tier);
    const event = context.query.event ?? context.query.event_id;
    const version = versionOf(table, event);
    const key = `${context.tier} ${context.queryText}`;
    let known = cache.get(key, version);
    if (known === undefined) {
      const params = { ...context.query, event, live: context.query.live ?? context.query.is_live };
      const universe = universeOf(
        engine.catalogue,
        context.tier,
        params.sportsbook,
        (book) => table.books.find(book) >= 0,
      );
      known = reader.odds({ table, universe, params, ignored: context.ignored });
      cache.set(key, version, known);
    }
    return known.stamped(engine.clock.now());
  }

  return [
    route({
      method: 'GET',
      path: '/api/v1/odds',
      auth: 'required',
      query: OddsQuery,
      handler: (context) => context.sendBuffer(200, JSON_TYPE, answer(context)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/events/:eventId/odds',
      auth: 'required',
      query: EventOddsQuery,
      handler: (context) => {
        const table = engine.tableFor(context.tier);
        const { limit, offset, ...params } = context.query;
        const eventId = context.params['eventId']!;
        if (table.events.get(eventId) === undefined) throw new ApiError('not_found', `no event ${eventId}`);
        const universe = universeOf(
          engine.catalogue,
          context.tier,
          params.sportsbook,
          (book) => table.books.find(book) >= 0,
        );
        const filter = new RowFilter(table, engine.catalogue, universe, { ...params, event: eventId });
        const { slots } = selectInOrder(table, filter, { limit, offset, after: null });
        const total = countRows(filter);
        const items = slots.map((slot) => eventOdds(JSON.parse(table.bytes.text(slot))));
        const meta = {
          count: slots.length,
          total,
          filters: { sportsbook: params.sportsbook ?? null, market: params.market ?? null },
          ...(filter.unknown.length > 0 ? { unknown: filter.unknown } : {}),
          ...(context.ignored.length > 0 ? { ignored: context.ignored } : {}),
        };
        const bytes = answerOfItems(items, paginate(limit, offset, slots.length, total), meta, {});
        context.sendBuffer(200, JSON_TYPE, bytes.stamped(engine.clock.now()));
      },
    }),
  ];
}

/** Rises whenever an answer about these events (comma list; undefined: all) could be different. */
function versionOf(table: OddsTable, events: string | undefined): number {
  if (events === undefined) return table.position;
  let version = 0;
  for (const id of events.split(',')) {
    const event = table.events.get(id.trim());
    if (event === undefined) return table.position;
    if (event.version > version) version = event.version;
  }
  return version;
}
