// The start of every odds request: the caller's table, its book universe, and the instant from which ages of prices are
// computed.

import { delaySecondsOf } from '../../accounts/access.js';
import { bookOwnerOf } from '../../accounts/caller.js';
import type { Engine } from '../../engine/engine.js';
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

/** Throws tier_restricted if `sportsbook` names a book above the tier. */
export function viewOf(
  engine: ServedTables,
  context: RequestContext<unknown, unknown>,
  sportsbook: string | undefined,
): View {
  const table = engine.tableFor(context.tier);
  const universe = universeOf(engine.catalogue, context.tier, sportsbook, table.knowsBook, bookOwnerOf(context.key));
  return { table, universe, asOfMs: asOf(engine, context) };
}

export function asOf(engine: Pick<ServedTables, 'clock'>, context: RequestContext<unknown, unknown>): number {
  return engine.clock.now() - delaySecondsOf(context.tier) * 1000;
}
