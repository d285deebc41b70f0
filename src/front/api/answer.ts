// How routes answer: pages of the table with a tag, or as 304 if the caller already has the same one; objects and lists in
// their envelopes; tables and lines in place of JSON; and all of a list at once.

import { type CsvColumn, type CsvRow, toCsv } from '../../answers/csv.js';
import { strongTagOf } from '../../answers/etag.js';
import { CACHE_CONTROL, type KeptPage, pageOfItems, pageOfObject, paginate } from '../../answers/page.js';
import type { Transient } from '../../base/memory/transient.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { formatMs } from '../../base/model/time.js';
import type { CursorPagination } from '../../schema/envelope.js';
import { ignoredNames } from '../../tables/filter/requested-names.js';
import type { RequestContext, TaggedAnswer } from '../http/context.js';
import { sendPieces } from '../http/streamed-body.js';

type Context = RequestContext<unknown, unknown>;

export const NDJSON_TYPE = 'application/x-ndjson';
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** Routes that send tagged answers list these headers. */
export const CONDITIONAL = ['if-none-match'] as const;

/** `watermarkUs` is the position of the table the page shows. */
export function sendPage(context: Context, clock: Clock, page: KeptPage, watermarkUs = 0): void {
  context.sendTagged(page, () => page.stamped(clock.now(), watermarkUs));
}

/** An answer whose bytes are the same each time it is sent. */
export interface Fixed extends TaggedAnswer {
  readonly bytes: Transient;
}

export function fixedAnswer(contentType: string, cacheControl: string, bytes: Buffer, lasting = false): Fixed {
  const etag = strongTagOf(bytes);
  const head = Buffer.from(`${contentType}\r\nCache-Control: ${cacheControl}\r\nETag: ${etag}`);
  return { etag, contentType, cacheControl, head, length: bytes.length, tail: 0, lasting, bytes: bytes as Transient };
}

export function sendFixed(context: Context, answer: Fixed): void {
  context.sendTagged(answer, () => answer.bytes);
}

/** Of routes that read what a key, or a viewer token for odds, may see. */
export const READS_ODDS = { method: 'GET', auth: 'required', viewers: 'odds' } as const;

/** Of routes whose lists are also tables and lines of JSON, for the documents. */
export const LISTED = {
  produces: ['text/csv', 'application/x-ndjson'],
  responseHeaders: {
    'X-Total-Count': 'format=csv and ndjson only: rows over all pages, where they are counted',
    'X-Next-Cursor': 'format=csv and ndjson only: cursor of the next page; absent on the last one',
  },
} as const;

export interface CsvPage {
  /** Rows over all pages; null where they are not counted ahead. */
  total: number | null;
  nextCursor?: string | undefined;
  /** Fields that are left out, and columns that stay empty. */
  without?: readonly string[] | undefined;
  /** True if the route is CONDITIONAL. */
  tagged?: true;
}

/** JSON without these fields, however deep they are. */
export function jsonWithout(value: object, fields: readonly string[]): string {
  if (fields.length === 0) return JSON.stringify(value);
  return JSON.stringify(value, (name, field: unknown) => (fields.includes(name) ? undefined : field));
}

/** A page as CSV; the JSON envelope's fields are in headers. */
export function sendCsv(
  context: Context,
  name: string,
  columns: readonly CsvColumn[],
  rows: readonly CsvRow[],
  page: CsvPage,
): void {
  const { without } = page;
  const empty = without && Object.fromEntries(without.map((name) => [name, null]));
  const bytes = toCsv(columns, empty === undefined ? rows : rows.map((row) => ({ ...row, ...empty })));
  context.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  sendRows(context, CSV_TYPE, bytes, page);
}

/** A page as lines of JSON; what the envelope has besides is in headers. */
export function sendLines(context: Context, rows: readonly object[], page: CsvPage): void {
  const { without = [] } = page;
  sendRows(context, NDJSON_TYPE, Buffer.from(rows.map((row) => `${jsonWithout(row, without)}\n`).join('')), page);
}

function sendRows(context: Context, type: string, bytes: Buffer, { total, nextCursor, tagged }: CsvPage): void {
  if (total !== null) context.setHeader('X-Total-Count', String(total));
  if (nextCursor !== undefined) context.setHeader('X-Next-Cursor', nextCursor);
  if (tagged) {
    sendFixed(context, fixedAnswer(type, CACHE_CONTROL, bytes));
    return;
  }
  context.setHeader('Cache-Control', CACHE_CONTROL);
  context.sendBuffer(200, type, bytes);
}

// The envelopes of answers that are made as objects: a single object, a list with its page, the result of a change.

interface ListPage {
  /** The page size used; absent for lists that are not paged. */
  limit?: number;
  offset?: number;
  /** Items over all pages; absent for lists that are not paged. */
  total?: number;
  /** For lists that are paged by cursor: that of the next page, null on the last one. */
  nextCursor?: string | null;
}

/** Meta that any endpoint may have; empty lists are omitted from the answer. */
export interface Meta {
  unknown?: readonly string[];
  [name: string]: unknown;
}

/** The result of a change: with meta only where something was ignored. */
export function sendResult(
  context: Context,
  clock: Clock,
  data: unknown,
  { status = 200, ignored = [] }: { status?: number; ignored?: readonly string[] } = {},
): void {
  const { asked } = context;
  const meta = ignoredNames([], { ...asked, ignored: [...asked.ignored, ...ignored] });
  const passed = Object.keys(meta).length > 0 ? { meta } : {};
  context.sendJson({ success: true, data, ...passed, updated_at: formatMs(clock.now()) }, status);
}

export function sendObject(context: Context, clock: Clock, data: unknown, meta: Meta = {}): void {
  const updatedAt = formatMs(clock.now());
  context.sendJson({
    success: true,
    data,
    meta: { ...metaOf(context, meta), updated_at: updatedAt },
    updated_at: updatedAt,
  });
}

export function sendList(
  context: Context,
  clock: Clock,
  items: readonly unknown[],
  page: ListPage = {},
  meta: Meta = {},
  status = 200,
): void {
  const updatedAt = formatMs(clock.now());
  const pagination = paginationOf(items, page);
  const { count, total } = pagination;
  const body = {
    success: true,
    data: items,
    pagination,
    meta: { count, total, ...metaOf(context, meta), pagination, updated_at: updatedAt },
    updated_at: updatedAt,
  };
  context.sendJson(body, status);
}

/** As sendList(), for routes that are CONDITIONAL. */
function sendTaggedList(
  context: Context,
  clock: Clock,
  items: readonly unknown[],
  page: ListPage = {},
  meta: Meta = {},
): void {
  const pagination = paginationOf(items, page);
  const { count, total } = pagination;
  sendPage(context, clock, pageOfItems(items, pagination, { count, total, ...metaOf(context, meta) }, {}));
}

/** As sendObject(), for routes that are CONDITIONAL. */
export function sendTaggedObject(context: Context, clock: Clock, data: unknown, meta: Meta = {}): void {
  sendPage(context, clock, pageOfObject(data, metaOf(context, meta)));
}

function paginationOf({ length: count }: readonly unknown[], page: ListPage): CursorPagination {
  const { limit = count, offset = 0, total = count, nextCursor } = page;
  const pagination = paginate(limit, offset, count, total);
  if (nextCursor === undefined) return pagination;
  const more = nextCursor === null ? {} : { next_cursor: nextCursor };
  return { ...pagination, has_more: nextCursor !== null, next_offset: null, ...more };
}

/** With what was ignored: no answer can forget it. */
export function metaOf(context: Pick<Context, 'asked'>, { unknown = [], ...meta }: Meta): object {
  return { ...meta, ...ignoredNames(unknown, context.asked) };
}

// `limit=all`: everything that a filter selects in one answer, as lines of JSON or a table. What it is of is decided at
// once; its rows are made some at a time, as the caller takes them, and are then those of that moment.

const PIECE = LIMITS.wholePiece.max;
const CHARGED_ROWS = LIMITS.chargedRows.max;

export interface Page {
  limit: number;
  offset: number;
}

const ALL: Page = { limit: Number.POSITIVE_INFINITY, offset: 0 };

interface WholeQuery {
  format?: string | undefined;
  offset?: number | undefined;
  cursor?: string | undefined;
}

interface Whole {
  /** Of the file that a browser saves. */
  name: string;
  total: number;
  /** Rows from one index up to another, without those that are there no more. */
  rows(from: number, to: number): readonly object[] | Promise<readonly object[]>;
  columns: readonly CsvColumn[];
  csvRow?(row: never): CsvRow;
  /** The same as lines of JSON, where they are at hand. */
  lines?(from: number, to: number): Uint8Array;
}

/** Whether all is asked for. Throws ApiError if a page is as well. */
export function asksWhole({ asked, query }: RequestContext<WholeQuery>): boolean {
  if (!asked.whole) return false;
  if ((query.offset ?? 0) > 0 || query.cursor !== undefined)
    throw new ApiError('invalid_request', 'limit=all has no pages: leave out offset and cursor');
  return true;
}

/** Counts as one request for each 200 rows begun. */
export async function sendWhole(context: RequestContext<WholeQuery>, whole: Whole): Promise<void> {
  const { total, name } = whole;
  const csv = context.query.format === 'csv';
  const stream = context.stream('body');
  context.spend(Math.max(0, Math.ceil(total / PIECE) - 1) * CHARGED_ROWS);
  context.keepPosition();
  context.setHeader('X-Total-Count', String(total));
  context.setHeader('Content-Disposition', `attachment; filename="${name}.${csv ? 'csv' : 'ndjson'}"`);
  const head = Buffer.from(`${csv ? CSV_TYPE : NDJSON_TYPE}\r\nCache-Control: ${CACHE_CONTROL}`);
  let from = 0;
  await sendPieces(stream, head, async () => {
    if (from >= total && from > 0) return undefined;
    const to = Math.min(total, from + PIECE);
    const isFirst = from === 0;
    const piece = csv ? await csvPiece(whole, from, to, isFirst) : await linesPiece(whole, from, to);
    from = Math.max(to, 1);
    return piece;
  });
}

async function csvPiece(whole: Whole, from: number, to: number, header: boolean): Promise<Uint8Array> {
  const rows = await whole.rows(from, to);
  const { csvRow } = whole;
  return toCsv(
    whole.columns,
    csvRow === undefined ? (rows as CsvRow[]) : rows.map((row) => csvRow(row as never)),
    header,
  );
}

async function linesPiece(whole: Whole, from: number, to: number): Promise<Uint8Array> {
  if (whole.lines !== undefined) return whole.lines(from, to);
  const rows = await whole.rows(from, to);
  return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** What distinguishes the forms of a list. */
interface ListForms extends Pick<CsvPage, 'without' | 'tagged'> {
  /** Of the file that a browser saves. */
  name: string;
  columns: readonly CsvColumn[];
}

/** Of items that are made already. */
export function wholeOf({ name, columns }: Pick<ListForms, 'name' | 'columns'>, items: readonly object[]): Whole {
  return { name, total: items.length, columns, rows: (from, to) => items.slice(from, to) };
}

/** Sends a list of items that are made at once: the page asked for, or all. What `list` returns besides is for `meta`. */
export function sendListed(
  context: RequestContext<WholeQuery & Page>,
  clock: Clock,
  forms: ListForms,
  list: (page: Page) => Meta & { items: readonly object[]; total: number },
): Promise<void> | void {
  if (asksWhole(context)) return sendWhole(context, wholeOf(forms, list(ALL).items));
  const { limit, offset } = context.query;
  const { items, total, ...meta } = list({ limit, offset });
  return sendItems(context, clock, forms, items, { limit, offset, total }, meta);
}

/** Sends a page of a list in the form asked for. */
export function sendItems(
  context: RequestContext<WholeQuery>,
  clock: Clock,
  { name, columns, ...forms }: ListForms,
  items: readonly object[],
  page: ListPage & { total: number },
  meta: Meta = {},
): void {
  const { total, nextCursor } = page;
  if (sendsForm(context, name, items, { ...forms, total, nextCursor: nextCursor ?? undefined }, columns)) return;
  const send = forms.tagged === true ? sendTaggedList : sendList;
  send(context, clock, items, page, meta);
}

/** Sends a page in another form than JSON; false where JSON is asked for. */
export function sendsForm(
  context: RequestContext<WholeQuery>,
  name: string,
  rows: readonly object[],
  page: CsvPage,
  columns: readonly CsvColumn[],
): boolean {
  const { format } = context.query;
  if (format === 'csv') sendCsv(context, name, columns, rows as CsvRow[], page);
  else if (format === 'ndjson') sendLines(context, rows, page);
  else return false;
  return true;
}
