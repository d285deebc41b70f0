// GET /moves: steam, drops, line moves and reverse moves within the caller's book universe.

import type { AccountQueue } from '../../accounts/account-queue.js';
import { ApiError } from '../../base/model/errors.js';
import { MOVE_KINDS } from '../../detection/kinds/move.js';
import { listBody } from '../../schema/envelope.js';
import { Move, MovesQuery } from '../../schema/moves.js';
import { sourceMeta } from '../../schema/opportunities.js';
import { splitList } from '../../tables/filter/universe.js';
import { type Route, route } from '../http/context.js';
import { OpportunityAnswers, type OpportunityDeps } from './opportunities-answer.js';

export function moveRoutes(deps: OpportunityDeps, costly: AccountQueue): Route[] {
  const answers = new OpportunityAnswers(deps, costly);
  return [
    route({
      method: 'GET',
      path: '/api/v1/moves',
      auth: 'required',
      viewers: 'moves',
      right: 'moves',
      query: MovesQuery,
      response: listBody(Move, sourceMeta),
      produces: ['text/csv', 'application/x-ndjson'],
      errors: ['tier_restricted', 'unavailable'],
      summary: 'Moves: steam, drops, line moves, moves against most bets, with the books that have not followed',
      tags: ['opportunities'],
      handler: async (context) => {
        const { kind, min_edge: least = Number.NEGATIVE_INFINITY } = context.query;
        const kinds = kindsOf(kind);
        await answers.send(context, {
          kind: 'move',
          limits: {},
          matches: ({ kind, edge, item }) =>
            kind === 'move' && edge >= least && (kinds === null || kinds.has(item.kind)),
        });
      },
    }),
  ];
}

/** Throws invalid_request for an unknown kind; null means all. */
function kindsOf(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const kinds = splitList(text);
  const unknown = kinds.filter((kind) => !(MOVE_KINDS as readonly string[]).includes(kind));
  if (unknown.length > 0)
    throw new ApiError('invalid_request', `kind: ${unknown.join(', ')} is none of ${MOVE_KINDS.join(', ')}`);
  return new Set(kinds);
}
