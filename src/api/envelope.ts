// The envelopes of answers that are made as objects: one thing, or a list with its page.

import { passedOver } from '../filter/passed-over.js';
import type { RequestContext } from '../front/http/context.js';
import type { Clock } from '../model/clock.js';
import { formatMs } from '../model/time.js';
import { paginate } from '../reader/page.js';

export interface ListPage {
  /** The page size used; for lists that come whole, left out. */
  limit?: number;
  offset?: number;
  /** Items over all pages; for lists that come whole, left out. */
  total?: number;
}

/** Meta every endpoint may need; empty lists are left out of the answer. */
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
