// The envelopes of answers that are made as objects: a single object, a list with its page, the result of a change.

import { pageOfItems, pageOfObject, paginate } from '../../answers/page.js';
import type { Clock } from '../../base/model/clock.js';
import { formatMs } from '../../base/model/time.js';
import type { CursorPagination } from '../../schema/envelope.js';
import { ignoredNames } from '../../tables/filter/requested-names.js';
import type { RequestContext } from '../http/context.js';
import { sendPage } from './answer.js';

type Context = RequestContext<unknown, unknown>;

export interface ListPage {
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
export function sendTaggedList(
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
