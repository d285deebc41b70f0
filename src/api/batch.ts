// POST /odds/batch.

import { TIER_RULES } from '../catalogue/tiers.js';
import { passedOver } from '../filter/passed-over.js';
import { type Route, route } from '../front/http/context.js';
import { ApiError } from '../model/errors.js';
import { formatMs } from '../model/time.js';
import { readBatch } from '../reader/batch.js';
import { BatchBody } from '../schema/odds.js';
import { BatchAnswer } from '../schema/odds-answers.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './universe.js';

export function batchRoutes({ engine }: RouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/odds/batch',
      auth: 'required',
      body: BatchBody,
      response: BatchAnswer,
      summary: 'Odds of many events at once',
      tags: ['odds'],
      handler: (context) => {
        const { event_ids: ids, sportsbook, market, state } = context.body;
        const most = TIER_RULES[context.tier].batchMax;
        if (ids.length > most)
          throw new ApiError('invalid_request', `event_ids must not have more than ${most} items on this tier`);
        const view = viewOf(engine, context, sportsbook);
        const eventIds = [...new Set(ids)];
        const { events, missing, unknown } = readBatch(engine.catalogue, { ...view, eventIds, market, state });
        const updatedAt = formatMs(engine.clock.now());
        context.sendJson({
          success: true,
          data: { events, missing_events: missing },
          missing,
          meta: {
            requested: eventIds.length,
            found: events.length,
            missing: missing.length,
            max_batch: most,
            filters: {
              sportsbook: sportsbook ?? null,
              market: market ?? null,
              ...(state === undefined ? {} : { state }),
            },
            ...passedOver(unknown, context.ignored),
            updated_at: updatedAt,
          },
          updated_at: updatedAt,
        });
      },
    }),
  ];
}
