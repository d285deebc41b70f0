// The envelopes of answers that are made as objects: a single object, a list with its page, the result of a change.

import { passedOver } from '../filter/passed-over.js';
import type { RequestContext } from '../front/http/context.js';
import type { Clock } from '../model/clock.js';
import { formatMs } from '../model/time.js';
import { paginate } from '../reader/page.js';

type Context = RequestContext<unknown, unknown>;

export interface ListPage {
  /** The page size used; absent for lists that are not paged. */
  limit?: number;
  offset?: number;
  /** Items over all pages; absent for lists that are not paged. */
  total?: number;
}

/** Meta that any endpoint may have; empty lists are omitted from the answer. */
export interface Meta {
  unknown?: readonly string[];
  [name: string]: unknown;
}

/** The result of a change, without meta. */
export function sendResult(context: Context, clock: Clock, data: unknown, status = 200): void {
  context.sendJson({ success: true, data, updated_at: formatMs(clock.now()) }, status);
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
): void {
  const updatedAt = formatMs(clock.now());
  const count = items.length;
  const pagination = paginate(page.limit ?? count, page.offset ?? 0, count, page.total ?? count);
  context.sendJson({
    success: true,
    data: items,
    pagination,
    meta: { count, total: pagination.total, ...metaOf(context, meta), pagination, updated_at: updatedAt },
    updated_at: updatedAt,
  });
}

function metaOf(context: Context, { unknown = [], ...meta }: Meta): object {
  return { ...meta, ...passedOver(unknown, context.ignored) };
}
