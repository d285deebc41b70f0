// The start of every odds request: the caller's table, its book universe, the instant from which ages of prices are
// computed, and parameters that several routes read in the same way.

import { delaySecondsOf } from '../../accounts/access.js';
import { bookOwnerOf } from '../../accounts/key-record.js';
import { ApiError } from '../../base/model/errors.js';
import { parsePeriodUs, parseTimeUs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';
import type { TableEvent } from '../../tables/events.js';
import { type Universe, universeOf } from '../../tables/filter/universe.js';
import type { OddsTable } from '../../tables/table.js';
import type { RequestContext } from '../http/context.js';

/** What the odds endpoints answer from: the engine's tables, or one of the past. */
export type ServedTables = Pick<Engine, 'catalogue' | 'clock' | 'tableFor'> & {
  /** Fields that rows of the past do not have. */
  readonly notKept?: readonly string[];
};

export interface View {
  table: OddsTable;
  universe: Universe;
  /** Unix ms: now, or for a delayed tier the instant its table is as of. */
  asOfMs: number;
}

/** The caller's books. Throws tier_restricted if `sportsbook` names one above the tier. */
export function callersUniverse(
  { catalogue, table }: Pick<Engine, 'catalogue' | 'table'>,
  { tier, key }: Pick<RequestContext, 'tier' | 'key'>,
  sportsbook: string | undefined,
): Universe {
  return universeOf(catalogue, tier, sportsbook, table.knowsBook, bookOwnerOf(key));
}

/** Throws as callersUniverse(). */
export function viewOf(
  engine: ServedTables,
  context: RequestContext<unknown, unknown>,
  sportsbook: string | undefined,
): View {
  const table = engine.tableFor(context.tier);
  const universe = callersUniverse({ catalogue: engine.catalogue, table }, context, sportsbook);
  return { table, universe, asOfMs: asOf(engine, context) };
}

/** What the request's answer is cached by: the same for every account of the tier, unless private books are named. */
export function cacheKey(context: RequestContext<unknown, unknown>, { table, universe }: View): string {
  // A name that matched no book may match one since.
  const key = context.questionKey(table.booksVersion);
  return universe.requested?.some(isPrivateBook) === true ? `${key} ${context.key?.account}` : key;
}

export function asOf(engine: Pick<ServedTables, 'clock'>, context: RequestContext<unknown, unknown>): number {
  return engine.clock.now() - delaySecondsOf(context.tier) * 1000;
}

/** Throws ApiError not_found. */
export function eventOf(table: OddsTable, id: string): TableEvent {
  const event = table.events.get(id);
  if (event === undefined) throw new ApiError('not_found', `there is no event ${id}`);
  return event;
}

/** Unix µs of an RFC 3339 time; undefined if it is absent. Throws ApiError invalid_request. */
export function timeUsOf(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : known(name, parseTimeUs(text));
}

/** Unix µs of a period's ends, each an RFC 3339 time or a day. Throws as timeUsOf. */
export function periodUsOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    fromUs: from === undefined ? undefined : known('from', parsePeriodUs('from', from)),
    toUs: to === undefined ? undefined : known('to', parsePeriodUs('to', to)),
  };
}

function known(name: string, us: number | undefined): number {
  if (us === undefined) throw new ApiError('invalid_request', `${name}: not an RFC 3339 time between 2000 and 2100`);
  return us;
}
