// GET /ingest/unmatched: why something was not matched, for those who may send odds.

import { columnsOf } from '../../answers/csv.js';
import { unmatchedItems } from '../../answers/unmatched.js';
import { NearestNames } from '../../rules/catalogue/nearest-names.js';
import { UnmatchedBody, UnmatchedItem, UnmatchedQuery } from '../../schema/unmatched.js';
import { type Route, route } from '../http/context.js';
import { LISTED } from './answer.js';
import type { RouteDeps } from './deps.js';
import { asksWhole, sendItems, sendWhole, wholeOf } from './whole.js';

const COLUMNS = columnsOf(UnmatchedItem);

export function unmatchedRoutes({ engine }: RouteDeps): Route[] {
  const { catalogue, clock, table } = engine;
  const near = new NearestNames(catalogue);
  return [
    route({
      method: 'GET',
      path: '/api/v1/ingest/unmatched',
      auth: 'required',
      scope: 'ingest',
      undelayed: true,
      query: UnmatchedQuery,
      response: UnmatchedBody,
      ...LISTED,
      errors: ['unavailable'],
      summary:
        'Names, starts and players that met nothing, what was refused, and what they may have meant: the most frequent first',
      tags: ['ingest'],
      handler: async (context) => {
        const { kind, limit } = context.query;
        const { account } = context.requireKey();
        const noted = await engine.unmatched();
        const found = await unmatchedItems(noted, { table, catalogue, near, nowMs: clock.now(), account });
        const items = kind === undefined ? found : found.filter((each) => each.kind === kind);
        const byKind: Record<string, number> = {};
        for (const each of found) byKind[each.kind] = (byKind[each.kind] ?? 0) + 1;
        const forms = { name: 'unmatched', columns: COLUMNS };
        if (asksWhole(context)) return sendWhole(context, wholeOf(forms, items));
        const page = { limit, total: items.length };
        return sendItems(context, clock, forms, items.slice(0, limit), page, { by_kind: byKind });
      },
    }),
  ];
}
