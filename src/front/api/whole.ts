// `limit=all`: everything that a filter selects in one answer, as lines of JSON or a table. What it is of is decided at
// once; its rows are made some at a time, as the caller takes them, and are then those of that moment.

import { type CsvColumn, type CsvRow, toCsv } from '../../answers/csv.js';
import { CACHE_CONTROL } from '../../answers/page.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { RequestContext } from '../http/context.js';
import { sendPieces } from '../http/streamed-body.js';
import { CSV_TYPE, type CsvPage, NDJSON_TYPE, sendCsv, sendLines } from './answer.js';
import { type ListPage, type Meta, sendList, sendTaggedList } from './envelope.js';

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

export interface Whole {
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
  context.spend(Math.max(0, Math.ceil(total / PIECE) - 1) * CHARGED_ROWS);
  context.keepPosition();
  context.setHeader('X-Total-Count', String(total));
  context.setHeader('Content-Disposition', `attachment; filename="${name}.${csv ? 'csv' : 'ndjson'}"`);
  const head = Buffer.from(`${csv ? CSV_TYPE : NDJSON_TYPE}\r\nCache-Control: ${CACHE_CONTROL}`);
  let from = 0;
  await sendPieces(context.stream('body'), head, async () => {
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
