// POST /ingest: accepts odds, and answers when they are committed.

import { ThreadShares } from '../../accounts/thread-shares.js';
import { monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { formatMs } from '../../base/model/time.js';
import type { IngestAnswer as IngestReceipt } from '../../engine/engine-options.js';
import { INGEST_TYPES, readMessages } from '../../intake/ingest/read-body.js';
import { NAME_KINDS, type NameKind, type UnknownLists, type UnknownName } from '../../intake/ingest/unknown-names.js';
import { NearestNames } from '../../rules/catalogue/nearest-names.js';
import { IngestAnswer, IngestMessage, IngestQuery } from '../../schema/ingest.js';
import { type Route, route } from '../http/context.js';
import type { RouteDeps } from './deps.js';

type Suggested = Record<NameKind, (UnknownName & { nearest: readonly string[] })[]>;

/** The first name of which a known one is near, for an error. */
function hint(unknown: Suggested): string {
  const near = NAME_KINDS.flatMap((kind) => unknown[kind]).find(({ nearest }) => nearest.length > 0);
  return near === undefined ? '' : `; known names like ${JSON.stringify(near.name)}: ${near.nearest.join(', ')}`;
}

export function ingestRoutes({ engine }: RouteDeps): Route[] {
  const shares = new ThreadShares();
  const near = new NearestNames(engine.catalogue);
  const withNearest = ({ teams, leagues, markets, books }: UnknownLists): Suggested => ({
    teams: teams.map((each) => ({ ...each, nearest: near.teams(each.league!, each.name) })),
    leagues: leagues.map((each) => ({ ...each, nearest: near.leagues(each.name) })),
    markets: markets.map((each) => ({ ...each, nearest: near.markets(each.name) })),
    books: books.map((each) => ({ ...each, nearest: near.books(each.name) })),
  });
  return [
    route({
      method: 'POST',
      path: '/api/v1/ingest',
      auth: 'required',
      scope: 'ingest',
      query: IngestQuery,
      rawBody: INGEST_TYPES,
      largeBody: true,
      rawBodySchema: IngestMessage,
      response: IngestAnswer,
      errors: ['ingest_queue_full', 'unavailable', 'storage_full'],
      summary: 'Push odds, splits, futures and game states',
      tags: ['ingest'],
      handler: async (context) => {
        const { account } = context.requireKey();
        const turn = shares.turn(account);
        if (turn !== null) await turn;
        const begunMs = monotonicMs();
        let ingesting: Promise<IngestReceipt>;
        let sent: number;
        try {
          const messages = readMessages(context.body ?? new Uint8Array(0), context.contentType);
          if (messages.length === 0) throw new ApiError('invalid_request', 'the body holds no message');
          sent = messages.length;
          ingesting = engine.ingest(messages, {
            sinceMs: begunMs,
            strict: context.query.strict,
            sender: account,
            account,
            onRead: (ms) => shares.worked(account, ms),
          });
        } finally {
          shares.worked(account, monotonicMs() - begunMs);
        }
        const { accepted, changed, removed, stale, rejected, unread, position, unknown: names } = await ingesting;
        const namedMs = monotonicMs();
        const unknown = withNearest(names);
        shares.worked(account, monotonicMs() - namedMs);
        if (unread === sent) {
          const [first] = rejected;
          throw new ApiError(
            'invalid_request',
            `nothing could be read: ${first?.path || 'message'}: ${first?.reason ?? ''}${hint(unknown)}`,
          );
        }
        context.sendJson({
          success: true,
          accepted,
          changed,
          removed,
          rejected,
          unknown,
          stale,
          position,
          data: { accepted, changed, removed, rejected, unknown },
          updated_at: formatMs(engine.clock.now()),
        });
      },
    }),
  ];
}
