// The answer to GET /odds: a page of encoded rows, cached while nothing it shows changes, as JSON or CSV, with the
// rows' openings and depth if requested.
import type { Static } from 'typebox';
import { checkOpenings } from '../../accounts/access.js';
import { type CsvColumn, type CsvRow, ODDS_COLUMNS, OPENING_COLUMNS } from '../../answers/csv.js';
import { OddsReader } from '../../answers/odds-reader.js';
import { type KeptPage, pageOfItems } from '../../answers/page.js';
import { PageCache } from '../../answers/page-cache.js';
import { type OddsObject, picked } from '../../answers/row-objects.js';
import { WholeRows } from '../../answers/whole-rows.js';
import { type Depth, depthOf } from '../../base/model/depth.js';
import { ApiError } from '../../base/model/errors.js';
import type { CursorPagination } from '../../schema/envelope.js';
import type { OddsQuery } from '../../schema/odds.js';
import { includes } from '../../schema/parameters.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { splitList } from '../../tables/filter/universe.js';
import type { OddsTable } from '../../tables/table.js';
import type { RequestContext } from '../http/context.js';
import { sendCsv, sendPage } from './answer.js';
import { spendOnAll } from './cost.js';
import { type ServedTables, viewOf } from './universe.js';
import { asksWhole, sendLines, sendWhole } from './whole.js';

type Context = RequestContext<Static<typeof OddsQuery>>;

export class OddsAnswers {
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
    const { fields, include } = context.query;
    const named = fields === undefined ? [] : splitList(fields);
    const openings = includes(include, 'opening') || named.includes('opening');
    const depth = includes(include, 'depth') || named.includes('depth');
    if (asksWhole(context)) return this.#sendWhole(context, openings, depth);
    if (openings || depth) return this.#sendWithMore(context, openings, depth);
    const page = this.#page(context);
    if (context.query.format === 'json') this.#send(context, page);
    else this.#sendRows(context, JSON.parse(page.bytes.toString()) as CsvBody);
  }

  /** A page in another form than JSON. */
  #sendRows(context: Context, body: CsvBody, further: readonly CsvColumn[] = []): void {
    if (context.query.format === 'csv') {
      this.#sendCsv(context, body, further);
      return;
    }
    const { total, next_cursor: nextCursor } = body.pagination;
    sendLines(context, body.data, { total, nextCursor, tagged: true });
  }

  /** Every row that the filter selects now. */
  #sendWhole(context: Context, openings: boolean, depth: boolean): Promise<void> {
    const { query } = context;
    if (query.group_by !== undefined)
      throw new ApiError('invalid_request', 'limit=all has one line a row and no groups; leave out group_by');
    this.#checkMore(context, openings, depth);
    const { table, universe } = viewOf(this.#engine, context, query.sportsbook);
    spendOnAll(context, table, 1);
    const slots = this.#reader.wholeSlots({ table, universe, params: query, asked: context.asked });
    const rows = new WholeRows(table, slots, { catalogue: this.#engine.catalogue, state: query.state });
    const fields = storedFields(query.fields);
    const stored = async (from: number, to: number): Promise<OddsObject[]> => {
      const found = rows.objects(from, to);
      if (depth) this.#addDepths(found, table);
      if (openings) await this.#addOpenings(found);
      const kept = [...(openings ? ['opening'] : []), ...(depth ? ['depth'] : [])];
      return fields === undefined ? found : found.map((row) => picked(row, [...fields, ...kept]));
    };
    const plain = fields === undefined && query.state === undefined && !openings && !depth;
    return sendWhole(context, {
      name: 'odds',
      total: slots.length,
      columns: [...(fields ?? ODDS_COLUMNS), ...(openings ? OPENING_COLUMNS : [])],
      rows: stored,
      ...(plain ? { lines: (from, to) => rows.lines(from, to) } : {}),
    });
  }

  #checkMore(context: Context, openings: boolean, depth: boolean): void {
    if (openings) checkOpenings(this.#history !== undefined, context.tier);
    if (depth && context.query.format === 'csv')
      throw new ApiError('invalid_request', 'include: a ladder has no columns; leave out format=csv');
  }

  async #addOpenings(rows: readonly MoreRow[]): Promise<void> {
    const ids = rows.flatMap(({ id }) => id ?? []);
    const found = new Map(await this.#history!('openings', ids));
    for (const row of rows) row.opening = found.get(row.id ?? '') ?? null;
  }

  /** The same rows, each with its opening from history, or its depth if it has one. */
  async #sendWithMore(context: Context, openings: boolean, depth: boolean): Promise<void> {
    this.#checkMore(context, openings, depth);
    const fields = storedFields(context.query.fields);
    // They are found by the ids, also if the caller leaves those out.
    const hasIds = fields === undefined || fields.includes('id');
    const page =
      fields === undefined ? this.#page(context) : this.#pageOf(context, hasIds ? fields : [...fields, 'id']);
    const body = JSON.parse(page.bytes.toString()) as MoreBody;
    const rows = body.data.flatMap((row) => row.odds ?? [row]);
    if (depth) this.#addDepths(rows, this.#engine.tableFor(context.tier));
    if (openings) await this.#addOpenings(rows);
    if (!hasIds) for (const row of rows) delete row.id;
    if (context.query.format !== 'json') {
      this.#sendRows(context, body, OPENING_COLUMNS);
      return;
    }
    const { pagination, server_time: _time, updated_at: _sent, ...meta } = body.meta;
    const extra = body.overflow === undefined ? {} : { overflow: true };
    this.#send(context, pageOfItems(body.data, pagination, meta, extra, true));
  }

  /** Of the same moment as the rows. */
  #addDepths(rows: readonly MoreRow[], table: OddsTable): void {
    for (const row of rows) {
      const slot = row.id === undefined ? undefined : table.slotOf(row.id);
      const depth = slot === undefined ? null : (table.depths.get(slot) ?? null);
      if (depth !== null) row.depth = depthOf(depth);
    }
  }

  #send(context: Context, page: KeptPage): void {
    sendPage(context, this.#engine.clock, page, this.#engine.tableFor(context.tier).position);
  }

  /** The page's rows as a table: made from the JSON answer, whose page, totals and cursors are exact. */
  #sendCsv(context: Context, { data, pagination }: CsvBody, further: readonly CsvColumn[] = []): void {
    if (context.query.group_by !== undefined)
      throw new ApiError('invalid_request', 'format: csv has one line a row and no groups; leave out group_by');
    const columns = storedFields(context.query.fields) ?? ODDS_COLUMNS;
    sendCsv(context, 'odds', [...columns, ...further], data as CsvRow[], {
      total: pagination.total,
      nextCursor: pagination.next_cursor,
      without: this.#engine.notKept,
      tagged: true,
    });
  }

  /** The cached answer to this request while nothing it could show has changed, else a new one. */
  #page(context: Context): KeptPage {
    const table = this.#engine.tableFor(context.tier);
    const version = versionOf(table, context.query.event);
    // A name that matched no book may match one since.
    const key = context.questionKey(table.booksVersion);
    return this.#cache.page(key, version, table, (memory, kept) => {
      spendOnAll(context, table, 1);
      const { universe } = viewOf(this.#engine, context, context.query.sportsbook);
      const { query: params, asked } = context;
      return this.#reader.odds({ table, universe, params, asked, memory, kept });
    });
  }

  /** With other fields of the rows than the caller names. */
  #pageOf(context: Context, fields: readonly string[]): KeptPage {
    const { table, universe } = viewOf(this.#engine, context, context.query.sportsbook);
    spendOnAll(context, table, 1);
    const params = { ...context.query, fields: fields.join(',') };
    return this.#reader.odds({ table, universe, params, asked: context.asked });
  }
}

interface MoreBody {
  data: MoreRow[];
  pagination: CursorPagination;
  overflow?: true;
  meta: { pagination: CursorPagination; server_time: string; updated_at: string };
}

interface MoreRow {
  id?: string;
  opening?: object | null;
  depth?: Depth;
  /** With group_by. */
  odds?: MoreRow[];
}

/** The named fields of stored rows; others are added to them. Undefined means all. */
function storedFields(fields: string | undefined): readonly string[] | undefined {
  return fields === undefined
    ? undefined
    : splitList(fields).filter((field) => field !== 'opening' && field !== 'depth');
}

type CsvBody = { data: object[]; pagination: CursorPagination };

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
