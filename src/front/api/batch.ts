// POST /odds/batch.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountQueue } from '../../accounts/account-queue.js';
import { callerOf } from '../../accounts/key-record.js';
import { type Batch, readBatch } from '../../answers/batch.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { present } from '../../base/model/present.js';
import { formatMs } from '../../base/model/time.js';
import { TIER_RULES } from '../../rules/catalogue/tiers.js';
import { BatchBody } from '../../schema/odds.js';
import { BatchAnswer } from '../../schema/odds-answers.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { metaOf } from './answer.js';
import { COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './view.js';

export function batchRoutes({ engine }: RouteDeps, costly: AccountQueue): Route[] {
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
        const batch = readBatch(engine.catalogue, { ...view, eventIds, market, state });
        return costly.run(callerOf(context.requireKey()), async (end) => {
          const { texts, missing } = await composed(context, batch, end.signal);
          const updatedAt = formatMs(engine.clock.now());
          const meta = {
            requested: eventIds.length,
            found: texts.length,
            missing: missing.length,
            max_batch: most,
            filters: { sportsbook: sportsbook ?? null, market: market ?? null, ...present({ state }) },
            unknown: batch.unknown,
          };
          const shown = { ...metaOf(context, meta), updated_at: updatedAt };
          const suffix = JSON.stringify({ missing, meta: shown, updated_at: updatedAt }).slice(1);
          const parts = texts.flatMap((text, i) => (i === 0 ? [text] : [COMMA, text]));
          const tail = Buffer.from(`],"missing_events":${JSON.stringify(missing)}},${suffix}`);
          context.sendBuffer(200, 'application/json', Buffer.concat([HEAD, ...parts, tail]));
        });
      },
    }),
  ];
}

const HEAD = Buffer.from('{"success":true,"data":{"events":[');
const COMMA = Buffer.from(',');

/** The events as JSON: others are answered between every few thousand rows, which may change later events. */
async function composed(
  context: Pick<RequestContext, 'spend' | 'keepPosition' | 'aborted'>,
  { events }: Batch,
  signal: AbortSignal,
): Promise<{ texts: Buffer[]; missing: string[] }> {
  const texts: Buffer[] = [];
  const missing: string[] = [];
  let rows = 0;
  let pauseAt = LIMITS.rowsAtOnce.max;
  for (const event of events) {
    if (typeof event === 'string') {
      missing.push(event);
      continue;
    }
    texts.push(Buffer.from(JSON.stringify(event)));
    rows += event.odds.length;
    if (rows < pauseAt) continue;
    pauseAt = rows + LIMITS.rowsAtOnce.max;
    context.keepPosition();
    await nextTurn();
    signal.throwIfAborted();
    if (context.aborted) break;
  }
  context.spend(rows * COST.composed);
  return { texts, missing };
}
