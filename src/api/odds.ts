// GET /odds and GET /events/{eventId}/odds: pages of encoded rows.

import type { Static } from 'typebox';
import { RowFilter } from '../filter/filter.js';
import { passedOver } from '../filter/passed-over.js';
import { splitList } from '../filter/universe.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import { checkOpenings } from '../front/http/permission.js';
import { ApiError } from '../model/errors.js';
import { type CsvColumn, type CsvRow, ODDS_COLUMNS, OPENING_COLUMNS } from '../reader/csv.js';
import { eventOdds, type OddsObject, withState } from '../reader/look-inside.js';
import { OddsReader } from '../reader/odds-query.js';
import { type KeptPage, pageOfItems, paginate } from '../reader/page.js';
import { PageCache } from '../reader/page-cache.js';
import { countRows, selectInOrder } from '../reader/select.js';
import type { CursorPagination } from '../schema/envelope.js';
import { EventOddsQuery, OddsQuery } from '../schema/odds.js';
import { EventOddsBody, OddsBody } from '../schema/odds-answers.js';
import type { OddsTable } from '../table/table.js';
import { CONDITIONAL, CSV_HEADERS, sendCsv, sendPage } from './answer.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './universe.js';

export function oddsRoutes({ engine, history }: RouteDeps): Route[] {
  const reader = new OddsReader(engine.catalogue);
  const cache = new PageCache();

  /** The cached answer to this request while nothing it could show has changed, else a new one. */
  function answer(context: RequestContext<Static<typeof OddsQuery>>): KeptPage {
    const table = engine.tableFor(context.tier);
    const version = versionOf(table, context.query.event);
    // A name that matched no book may match one since.
    const key = context.questionKey(table.booksVersion);
    return cache.page(key, version, table, (memory, kept) => {
      const { universe } = viewOf(engine, context, context.query.sportsbook);
      return reader.odds({ table, universe, params: context.query, ignored: context.ignored, memory, kept });
    });
  }

  /** The same with the ids of rows, which are needed to look up openings, if the caller leaves them out. */
  function answerWithIds(context: RequestContext<Static<typeof OddsQuery>>, fields: string): KeptPage {
    const { universe } = viewOf(engine, context, context.query.sportsbook);
    const params = { ...context.query, fields: `${fields},id` };
    return reader.odds({ table: engine.tableFor(context.tier), universe, params, ignored: context.ignored });
  }

  /** The answer's rows, each with its opening from history. */
  async function sendWithOpenings(context: RequestContext<Static<typeof OddsQuery>>): Promise<void> {
    checkOpenings(history !== undefined, context.tier);
    const { fields, format } = context.query;
    const hasIds = fields === undefined || splitList(fields).includes('id');
    const page = hasIds ? answer(context) : answerWithIds(context, fields);
    const body = JSON.parse(page.bytes.toString()) as OpenedBody;
    const rows = body.data.flatMap((row) => row.odds ?? [row]);
    const openings = await history!.openings(rows.flatMap(({ id }) => id ?? []));
    for (const row of rows) {
      row.opening = openings.get(row.id ?? '') ?? null;
      if (!hasIds) delete row.id;
    }
    if (format === 'csv') {
      sendOddsCsv(context, body, OPENING_COLUMNS);
      return;
    }
    const { pagination, server_time: _time, updated_at: _sent, ...meta } = body.meta;
    const extra = body.overflow === undefined ? {} : { overflow: true };
    const opened = pageOfItems(body.data, pagination, meta, extra, true);
    sendPage(context, engine.clock, opened, engine.tableFor(context.tier).position);
  }

  return [
    route({
      method: 'GET',
      path: '/api/v1/odds',
      auth: 'required',
      query: OddsQuery,
      headers: CONDITIONAL,
      response: OddsBody,
      produces: ['text/csv'],
      responseHeaders: CSV_HEADERS,
      summary: 'Odds, page by page',
      tags: ['odds'],
      handler: (context) => {
        if (context.query.include !== undefined) return sendWithOpenings(context);
        if (context.query.format === 'csv')
          sendOddsCsv(context, JSON.parse(answer(context).bytes.toString()) as CsvBody);
        else sendPage(context, engine.clock, answer(context), engine.tableFor(context.tier).position);
        return undefined;
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/events/:eventId/odds',
      auth: 'required',
      query: EventOddsQuery,
      headers: CONDITIONAL,
      response: EventOddsBody,
      errors: ['not_found'],
      summary: 'Odds of one event',
      tags: ['odds', 'events'],
      handler: (context) => {
        const { limit, offset, state, ...params } = context.query;
        const { table, universe } = viewOf(engine, context, params.sportsbook);
        const eventId = context.params['eventId']!;
        if (table.events.get(eventId) === undefined) throw new ApiError('not_found', `no event ${eventId}`);
        const filter = new RowFilter(table, engine.catalogue, universe, { ...params, event: eventId });
        const { slots } = selectInOrder(table, filter, { limit, offset, after: null });
        const total = countRows(filter);
        const items = slots.map((slot) => {
          const row = JSON.parse(table.bytes.text(slot)) as OddsObject;
          return eventOdds(state === undefined ? row : withState(row, state, engine.catalogue));
        });
        const meta = {
          count: slots.length,
          total,
          filters: {
            sportsbook: params.sportsbook ?? null,
            market: params.market ?? null,
            ...(state === undefined ? {} : { state }),
            is_active: params.is_active ?? null,
          },
          ...passedOver(filter.unknown, context.ignored),
        };
        sendPage(context, engine.clock, pageOfItems(items, paginate(limit, offset, slots.length, total), meta, {}));
      },
    }),
  ];
}

interface OpenedBody {
  data: OpenedRow[];
  pagination: CursorPagination;
  overflow?: true;
  meta: { pagination: CursorPagination; server_time: string; updated_at: string };
}

interface OpenedRow {
  id?: string;
  opening?: object | null;
  /** With group_by. */
  odds?: OpenedRow[];
}

type CsvBody = { data: object[]; pagination: CursorPagination };

/** The page's rows as a table: made from the JSON answer, whose page, totals and cursors are exact. */
function sendOddsCsv(
  context: RequestContext<Static<typeof OddsQuery>>,
  { data, pagination }: CsvBody,
  further: readonly CsvColumn[] = [],
): void {
  if (context.query.group_by !== undefined)
    throw new ApiError('invalid_request', 'format: csv has one line a row and no groups; leave out group_by');
  const columns = context.query.fields === undefined ? ODDS_COLUMNS : splitList(context.query.fields);
  sendCsv(context, 'odds', [...columns, ...further], data as CsvRow[], {
    total: pagination.total,
    nextCursor: pagination.next_cursor,
    tagged: true,
  });
}

/** Incremented whenever an answer about these events (comma list; undefined: all) could be different. */
function versionOf(table: OddsTable, events: string | undefined): number {
  if (events === undefined) return table.position;
  const single = table.events.get(events);
  if (single !== undefined) return single.version;
  let version = 0;
  for (const id of events.split(',')) {
    const event = table.events.get(id.trim());
    if (event === undefined) return table.position;
    if (event.version > version) version = event.version;
  }
  return version;
}
