// Sends pages of the table: with a tag, and as 304 if the caller already has the same one.
import type { RequestContext } from '../front/http/context.js';
import type { Clock } from '../model/clock.js';
import { type CsvColumn, type CsvRow, toCsv } from '../reader/csv.js';
import { namesTag, strongTagOf } from '../reader/etag.js';
import { CACHE_CONTROL, type KeptPage } from '../reader/page.js';

type Context = RequestContext<unknown, unknown>;

/** Routes that send tagged answers list these headers. */
export const CONDITIONAL = ['if-none-match'] as const;

/** `watermarkUs` is the position of the table the page shows. */
export function sendPage(context: Context, clock: Clock, page: KeptPage, watermarkUs = 0): void {
  if (!namesTag(context.header('if-none-match'), page.etag)) {
    context.sendReady(page.head, page.stamped(clock.now(), watermarkUs));
    return;
  }
  context.setHeader('ETag', page.etag);
  context.setHeader('Cache-Control', CACHE_CONTROL);
  context.sendEmpty(304);
}

/** Headers of a page as CSV, for the documents. */
export const CSV_HEADERS = {
  'X-Total-Count': 'CSV only: rows over all pages',
  'X-Next-Cursor': 'CSV only: cursor of the next page; absent on the last one',
};

export interface CsvPage {
  /** Rows over all pages. */
  total: number;
  nextCursor?: string | undefined;
  /** True if the route is CONDITIONAL. */
  tagged?: true;
}

/** A page as CSV; the JSON envelope's fields are in headers. */
export function sendCsv(
  context: Context,
  name: string,
  columns: readonly CsvColumn[],
  rows: readonly CsvRow[],
  page: CsvPage,
): void {
  const bytes = toCsv(columns, rows);
  const etag = page.tagged ? strongTagOf(bytes) : undefined;
  if (etag !== undefined) context.setHeader('ETag', etag);
  context.setHeader('Cache-Control', CACHE_CONTROL);
  context.setHeader('Content-Disposition', `attachment; filename="${name}.csv"`);
  context.setHeader('X-Total-Count', String(page.total));
  if (page.nextCursor !== undefined) context.setHeader('X-Next-Cursor', page.nextCursor);
  if (etag !== undefined && namesTag(context.header('if-none-match'), etag)) context.sendEmpty(304);
  else context.sendBuffer(200, 'text/csv; charset=utf-8; header=present', bytes);
}
