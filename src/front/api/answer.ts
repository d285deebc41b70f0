// Sends pages of the table: with a tag, and as 304 if the caller already has the same one.

import { type CsvColumn, type CsvRow, toCsv } from '../../answers/csv.js';
import { strongTagOf } from '../../answers/etag.js';
import { CACHE_CONTROL, type KeptPage } from '../../answers/page.js';
import type { Transient } from '../../base/memory/transient.js';
import type { Clock } from '../../base/model/clock.js';
import type { RequestContext, TaggedAnswer } from '../http/context.js';

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
