// GET /odds, GET /events/{eventId}/odds and GET /odds/executable.

import { checkOpenings } from '../../accounts/access.js';
import { type CsvColumn, ODDS_COLUMNS, OPENING_COLUMNS } from '../../answers/csv.js';
import { OddsReader, pageOfOdds, shaped } from '../../answers/odds-reader.js';
import { type KeptPage, PageCache } from '../../answers/page.js';
import {
  ADDED,
  addDepths,
  eventOdds,
  type OddsObject,
  picked,
  readFields,
  wholeRows,
} from '../../answers/row-objects.js';
import { countRows, selectInOrder } from '../../answers/select.js';
import { ApiError } from '../../base/model/errors.js';
import { roundDecimal, roundTo } from '../../base/model/price.js';
import { takeStake } from '../../detection/maths/ladder-stakes.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';
import { bookAboveTier } from '../../rules/catalogue/tier-refusals.js';
import { objectBody } from '../../schema/envelope.js';
import { EventOddsQuery, Executable, ExecutableQuery, OddsQuery } from '../../schema/odds.js';
import { EventOddsBody, OddsBody } from '../../schema/odds-answers.js';
import { includes } from '../../schema/parameters.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { RowFilter } from '../../tables/filter/filter.js';
import { stakeLevels } from '../../tables/stake-levels.js';
import type { OddsTable } from '../../tables/table.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import {
  asksWhole,
  CONDITIONAL,
  type CsvPage,
  LISTED,
  READS_ODDS,
  sendItems,
  sendObject,
  sendPage,
  sendsForm,
  sendWhole,
} from './answer.js';
import { spendOnAll } from './cost.js';
import type { RouteDeps } from './deps.js';
import type { PastAnswers } from './past.js';
import { cacheKey, eventOf, type ServedTables, viewOf } from './view.js';

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
      handler: past.handler<EventOddsQuery>(
        (tables, context) => sendEventOdds(tables, history, context),
        ({ params }) => params['eventId']!,
      ),
    }),
  ];
}

async function sendEventOdds(
  engine: ServedTables,
  history: AskHistory | undefined,
  context: RequestContext<EventOddsQuery>,
): Promise<void> {
  const { limit, offset, state, include, ...params } = context.query;
  const wanted = wantedOf(context, history, undefined);
  const { catalogue, clock } = engine;
  const { table, universe } = viewOf(engine, context, params.sportsbook);
  const { id } = eventOf(table, context.params['eventId']!);
  const filter = new RowFilter(table, catalogue, universe, { ...params, event: id });
  const isWhole = asksWhole(context);
  const page = isWhole ? { limit: Number.POSITIVE_INFINITY, offset: 0 } : { limit, offset };
  const { slots } = selectInOrder(table, filter, { ...page, after: null });
  const rows = wholeRows(table, slots, { catalogue, state });
  const items = (from: number, to: number): Promise<OddsObject[]> =>
    completed(rows.objects(from, to).map(eventOdds), table, history, wanted);
  const name = 'odds';
  const columns = columnsOf(wanted);
  if (isWhole) return sendWhole(context, { name, total: slots.length, columns, rows: items });
  const total = countRows(filter);
  const { unknown } = filter;
  context.keepPosition();
  const found = await items(0, slots.length);
  const forms = { name, columns, without: engine.notKept, tagged: true } as const;
  sendItems(context, clock, forms, found, { limit, offset, total }, { filters: context.asked.echo, unknown });
}

// The answer to GET /odds: a page of encoded rows, cached while nothing it shows changes, as JSON or CSV, with the
// rows' openings and depth if requested.

type Context = RequestContext<OddsQuery>;

class OddsAnswers {
  readonly #engine: ServedTables;
  readonly #history: AskHistory | undefined;
  readonly #reader: OddsReader;
  readonly #cache = new PageCache();

  constructor(engine: ServedTables, history: AskHistory | undefined) {
    this.#engine = engine;
    this.#history = history;
    this.#reader = new OddsReader(engine.catalogue);
  }

  send(context: Context): Promise<void> | void {
    const { format } = context.query;
    const wanted = wantedOf(context, this.#history, context.query.fields);
    if (asksWhole(context)) return this.#sendWhole(context, wanted);
    if (format === 'csv' && context.query.group_by !== undefined)
      throw new ApiError('invalid_request', 'format: csv has one line a row and no groups; leave out group_by');
    if (format === 'json' && !wanted.opening && !wanted.depth) {
      const page = this.#page(context);
      sendPage(context, this.#engine.clock, page, this.#engine.tableFor(context.tier).position);
      return undefined;
    }
    return this.#sendItems(context, wanted);
  }

  /** Every row that the filter selects now. */
  #sendWhole(context: Context, wanted: Wanted): Promise<void> {
    const { query } = context;
    if (query.group_by !== undefined)
      throw new ApiError('invalid_request', 'limit=all has one line a row and no groups; leave out group_by');
    const { table, universe } = viewOf(this.#engine, context, query.sportsbook);
    spendOnAll(context, table, 1);
    const slots = this.#reader.wholeSlots({ table, universe, params: query, asked: context.asked });
    const rows = wholeRows(table, slots, { catalogue: this.#engine.catalogue, state: query.state });
    const fields = fieldsOf(wanted);
    const { opening, depth } = wanted;
    const plain = fields === undefined && query.state === undefined && !opening && !depth;
    return sendWhole(context, {
      name: 'odds',
      total: slots.length,
      columns: columnsOf(wanted),
      rows: async (from, to) => {
        const found = await completed(rows.objects(from, to), table, this.#history, wanted);
        return fields === undefined ? found : found.map((row) => picked(row, fields));
      },
      ...(plain ? { lines: (from, to) => rows.lines(from, to) } : {}),
    });
  }

  /** A page of rows that more is asked of than is stored, or in another form than JSON. */
  async #sendItems(context: Context, wanted: Wanted): Promise<void> {
    const { query, asked } = context;
    const { table, universe } = viewOf(this.#engine, context, query.sportsbook);
    spendOnAll(context, table, 1);
    const items = this.#reader.items({ table, universe, params: query, asked });
    // What is shown is of this moment, also if openings are waited for.
    const { position } = table;
    context.keepPosition();
    await completed(items.rows, table, this.#history, wanted);
    if (query.format === 'json') {
      sendPage(context, this.#engine.clock, pageOfOdds(table, items, query, fieldsOf(wanted)), position);
      return;
    }
    const { total, next_cursor: nextCursor } = items.pagination;
    const page: CsvPage = { total, nextCursor, without: this.#engine.notKept, tagged: true };
    sendsForm(context, 'odds', shaped(table, items, query, fieldsOf(wanted)), page, columnsOf(wanted));
  }

  /** The cached answer to this request while nothing it could show has changed, else a new one. */
  #page(context: Context): KeptPage {
    const { query: params, asked } = context;
    const view = viewOf(this.#engine, context, params.sportsbook);
    const { table, universe } = view;
    return this.#cache.page(cacheKey(context, view), versionOf(table, params.event), table, (memory, kept) => {
      spendOnAll(context, table, 1);
      return this.#reader.odds({ table, universe, params, asked, memory, kept });
    });
  }
}

/** What is asked of rows. */
interface Wanted {
  /** The named fields of stored rows; others are added to them. Undefined means all. */
  fields: readonly string[] | undefined;
  opening: boolean;
  depth: boolean;
}

/** Throws an ApiError where the caller may not have it, or not in this format. */
function wantedOf(
  { query, tier }: RequestContext<Pick<EventOddsQuery, 'include' | 'format'>>,
  history: AskHistory | undefined,
  fields: string | undefined,
): Wanted {
  const named = readFields(fields, true);
  const asks = (what: 'opening' | 'depth'): boolean => includes(query.include, what) || named?.includes(what) === true;
  const wanted = {
    fields: named?.filter((field) => !ADDED.has(field)),
    opening: asks('opening'),
    depth: asks('depth'),
  };
  if (wanted.opening) checkOpenings(history !== undefined, tier);
  if (wanted.depth && query.format === 'csv')
    throw new ApiError('invalid_request', 'include: a ladder has no columns; leave out format=csv');
  return wanted;
}

/** The same rows, each with its opening from history, or its depth if it has one. */
async function completed(
  rows: OddsObject[],
  table: OddsTable,
  history: AskHistory | undefined,
  { opening, depth }: Wanted,
): Promise<OddsObject[]> {
  if (depth) addDepths(rows, table);
  if (!opening) return rows;
  const ids = rows.map(({ id }) => String(id));
  const found = new Map(await history!('openings', ids));
  for (const row of rows) row.opening = found.get(String(row.id)) ?? null;
  return rows;
}

/** With what may be added. */
function fieldsOf({ fields }: Wanted): readonly string[] | undefined {
  return fields && [...fields, ...ADDED];
}

function columnsOf({ fields, opening }: Wanted): readonly CsvColumn[] {
  return [...(fields ?? ODDS_COLUMNS), ...(opening ? OPENING_COLUMNS : [])];
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

/** What a stake on one price would be filled at, by the levels of its ladder. */
export function executableRoutes({ engine }: RouteDeps): Route[] {
  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds/executable',
      query: ExecutableQuery,
      response: objectBody(Executable),
      errors: ['not_found', 'tier_restricted'],
      summary: 'What a stake on one price would be filled at',
      tags: ['odds'],
      handler: (context) => {
        const { odds_id, stake } = context.query;
        const { table, universe } = viewOf(engine, context, undefined);
        const slot = table.slotOf(odds_id);
        const book = slot === undefined ? undefined : table.books.name(table.columns.book[slot]!);
        if (slot === undefined || book === undefined || isPrivateBook(book))
          throw new ApiError('not_found', `there is no price ${odds_id}`);
        if (!universe.allows(book)) throw bookAboveTier(engine.catalogue, book, `sportsbook ${book}`);
        const { lay } = table.rulesOf(table.columns.market[slot]!);
        // In backers' stakes on either side, as sizes are.
        const levels = stakeLevels(table, slot, lay).map(({ decimal, net, most }) =>
          lay ? { decimal: decimal / (decimal - 1), net, most: most * (decimal - 1) } : { decimal, net, most },
        );
        const taken = takeStake(levels, stake);
        const filled = taken.stake > 0;
        sendObject(context, engine.clock, {
          odds_id,
          sportsbook: book,
          currency: table.bookRulesOf(book).currency,
          stake,
          odds_decimal_average: filled ? roundDecimal(taken.decimal) : null,
          odds_decimal_worst: filled ? roundDecimal(taken.worst) : null,
          stake_filled: roundTo(taken.stake, 6),
          levels: taken.levels,
        }, {}); // biome-ignore format: one answer
      },
    }),
  ];
}
