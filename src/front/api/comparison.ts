// GET /odds/comparison.

import { ComparisonReader } from '../../answers/comparison.js';
import type { OutcomesByTable } from '../../answers/outcomes.js';
import { PageCache } from '../../answers/page-cache.js';
import { ComparisonQuery } from '../../schema/odds.js';
import { ComparisonBody } from '../../schema/odds-answers.js';
import { type Route, route } from '../http/context.js';
import { CONDITIONAL, READS_ODDS, sendPage } from './answer.js';
import type { RouteDeps } from './deps.js';
import { eventOf } from './parameter-values.js';
import type { PastAnswers } from './past.js';
import { asOf, viewOf } from './universe.js';

export function comparisonRoutes({ engine }: RouteDeps, outcomes: OutcomesByTable, past: PastAnswers): Route[] {
  const reader = new ComparisonReader(engine.catalogue, outcomes);
  const live = new PageCache();
  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds/comparison',
      query: ComparisonQuery,
      headers: CONDITIONAL,
      response: ComparisonBody,
      errors: ['not_found'],
      summary: "All books' prices of one event side by side",
      tags: ['odds'],
      handler: past.handler<ComparisonQuery>((tables, context) => {
        const { event: id, market, sportsbook, state } = context.query;
        const cache = tables === engine ? live : new PageCache();
        const view = viewOf(tables, context, sportsbook);
        const event = eventOf(view.table, id);
        // A name that matched no book may match one since.
        const key = context.questionKey(view.table.booksVersion);
        let answer = cache.get(key, event.version);
        if (answer === undefined || asOf(tables, context) > answer.freshUntilMs) {
          answer = reader.answer({ ...view, event, market, state, asked: context.asked });
          cache.set(key, event.version, answer);
        }
        sendPage(context, tables.clock, answer);
      }),
    }),
  ];
}
