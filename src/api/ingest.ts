// POST /ingest: accepts odds, and answers when they are committed.

import { type Route, route } from '../front/http/context.js';
import { INGEST_TYPES, readMessages } from '../ingest/read-body.js';
import { monotonicMs } from '../model/clock.js';
import { ApiError } from '../model/errors.js';
import { formatMs } from '../model/time.js';
import { IngestAnswer, IngestMessage } from '../schema/ingest.js';
import type { RouteDeps } from './deps.js';

export function ingestRoutes({ engine }: RouteDeps): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/ingest',
      auth: 'required',
      scope: 'ingest',
      rawBody: INGEST_TYPES,
      rawBodySchema: IngestMessage,
      response: IngestAnswer,
      errors: ['ingest_queue_full', 'unavailable', 'storage_full'],
      summary: 'Push odds, splits, futures and game states',
      tags: ['ingest'],
      handler: async (context) => {
        const begunMs = monotonicMs();
        const messages = readMessages(context.body ?? new Uint8Array(0), context.contentType);
        if (messages.length === 0) throw new ApiError('invalid_request', 'the body holds no message');
        const { unread, stale, position, ...receipt } = await engine.ingest(messages, begunMs);
        if (unread === messages.length) {
          const first = receipt.rejected[0];
          throw new ApiError(
            'invalid_request',
            `nothing could be read: ${first?.path || 'message'}: ${first?.reason ?? ''}`,
          );
        }
        context.sendJson({
          success: true,
          ...receipt,
          stale,
          position,
          data: receipt,
          updated_at: formatMs(engine.clock.now()),
        });
      },
    }),
  ];
}
