// GET /odds/delta.

import { delaySecondsOf } from '../../accounts/access.js';
import { DeltaPages, DeltaReader, parseSince, type Since } from '../../answers/delta.js';
import { ApiError } from '../../base/model/errors.js';
import { DeltaQuery } from '../../schema/odds.js';
import { DeltaBody } from '../../schema/odds-answers.js';
import type { OddsTable } from '../../tables/table.js';
import { type Route, route } from '../http/context.js';
import { READS_ODDS } from './answer.js';
import { COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './view.js';

/** How far the log reaches back at least: before its first position a directory had no data. */
const LOG_US_MIN = 900_000_000;

export function deltaRoutes({ engine }: RouteDeps): Route[] {
  const reader = new DeltaReader(engine.catalogue, new DeltaPages());
  const startedUs = engine.clock.now() * 1000;
  const firstHead = engine.table.position;
  const delayedFrom = engine.delayed.position || startedUs - delaySecondsOf('free') * 1e6;

  const oldestOf = (table: OddsTable): number => {
    const { completeFrom } = table.tombstones;
    const { createdPosition, beganEmpty } = engine.directory;
    if (completeFrom > createdPosition) return completeFrom;
    // Rows lost in a loss of power were sent before the first position and are unknown here.
    return beganEmpty ? completeFrom - LOG_US_MIN : createdPosition;
  };

  /**
   * A time before the start that is no position of the log may be one of what a backup was restored over: what the caller
   * has from there is unknown here. A page may have ended just before a position. The delayed table's are times alone.
   */
  const mayBeReplaced = (table: OddsTable, { position }: Since): boolean => {
    if (position <= table.tombstones.completeFrom || position === table.position) return false;
    if (table !== engine.table) return position < delayedFrom;
    return position < startedUs && position !== firstHead && !engine.knows(position) && !engine.knows(position + 1);
  };

  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds/delta',
      query: DeltaQuery,
      response: DeltaBody,
      summary: 'Odds that changed since a time, and ids of removed rows',
      tags: ['odds'],
      handler: (context) => {
        const { since: text, ...params } = context.query;
        const since = parseSince(text);
        if (since === undefined) throw new ApiError('invalid_request', 'since must be an RFC 3339 time');
        const view = viewOf(engine, context, params.sportsbook);
        const answer = reader.delta({
          ...view,
          params,
          since,
          oldest: mayBeReplaced(view.table, since) ? Number.POSITIVE_INFINITY : oldestOf(view.table),
          looked: (rows) => context.spend(rows * COST.change),
          caller: context.requireKey().id,
          asked: context.asked,
        });
        context.sendBuffer(200, 'application/json', answer.stamped(engine.clock.now()));
      },
    }),
  ];
}
