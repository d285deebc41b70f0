// What answers cost: in rows looked at, by which requests count against the limit of the minute; and the queue of those
// that are costly wherever they are computed.

import { AccountQueue } from '../../accounts/account-queue.js';
import { callerOf } from '../../accounts/key-record.js';
import { LIMITS } from '../../base/model/limits.js';
import { words } from '../../base/model/words.js';
import type { AskHistory } from '../../store/clv/queries.js';
import { requireHistory } from '../../store/history/queries.js';
import type { OddsTable } from '../../tables/table.js';
import type { RequestContext } from '../http/context.js';

/** As many rows of a list cost as much as one of these (docs/project/limits.md). */
export const COST = {
  /** A price considered for the best ones. */
  candidate: 4,
  /** A row of a delta, put in its place. */
  change: 5,
  /** An opportunity looked into. */
  opportunity: 10,
  /** A price evaluated for the request. */
  evaluated: 50,
  /** A row composed for a batch. */
  composed: 50,
  /** A bet graded. */
  bet: 500,
  /** What closed after the prices above fair, of all time; an evaluation that did not end in time. */
  report: 2_000_000,
} as const;

export function costlyQueue(): AccountQueue {
  return new AccountQueue({
    running: LIMITS.costlyRequests.max,
    ofAccount: LIMITS.costlyRequestsOfAccount.max,
    waiting: LIMITS.costlyRequestsWaiting.max,
    waitingOfAccount: LIMITS.costlyRequestsWaitingOfAccount.max,
    timeMs: LIMITS.costlyRequestTime.max,
  });
}

/** Asks history for a caller, as costly work. Throws ApiError `not_found` where none is kept. */
export type AskFor = (context: Pick<RequestContext, 'requireKey'>) => AskHistory;

export function costlyHistory(history: AskHistory | undefined, costly: AccountQueue): AskFor {
  return (context) => {
    const ask = requireHistory(history);
    const caller = callerOf(context.requireKey());
    return (kind, question) => costly.run(caller, () => ask(kind, question));
  };
}

const NARROW: readonly string[] = ['event'];
/** They choose a page, or how it looks. */
const OF_THE_PAGE: readonly string[] = words('limit offset cursor format fields state include group_by');

/** Counts a list for which every row of the table may have been looked at: any but a plain page, or one of some events. */
export function spendOnAll(
  context: Pick<RequestContext<object>, 'query' | 'spend'>,
  table: OddsTable,
  each: number,
): void {
  const asked = Object.entries(context.query).filter(([, value]) => value !== undefined);
  if (asked.some(([name]) => NARROW.includes(name))) return;
  if (asked.some(([name]) => !OF_THE_PAGE.includes(name)) || each > 1) context.spend(table.rowCount * each);
}
