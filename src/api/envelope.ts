// The envelopes of answers that are made as objects: a single object, or a list with its page.

import { passedOver } from '../filter/passed-over.js';
import type { RequestContext } from '../front/http/context.js';
import type { Clock } from '../model/clock.js';
import { formatMs } from '../model/time.js';
import { paginate } from '../reader/page.js';

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

export function sendObject(context: RequestContext<unknown, unknown>, clock: Clock, data: unknown, meta: Meta = {}) {
  const updatedAt = formatMs(clock.now());
  context.sendJson({
    success: true,
    data,
    meta: { ...metaOf(context, meta), updated_at: updatedAt },
    updated_at: updatedAt,
  });
}

export function sendList(
  context: RequestContext<unknown, unknown>,
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

function metaOf(context: RequestContext<unknown, unknown>, { unknown = [], ...meta }: Meta): object {
  return { ...meta, ...passedOver(unknown, context.ignored) };
}
