// GET /odds/best.
import type { Static } from 'typebox';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import { type BestItem, BestReader } from '../reader/best.js';
import { BEST_COLUMNS } from '../reader/csv.js';
import type { OutcomesByTable } from '../reader/outcomes.js';
import { PageCache } from '../reader/page-cache.js';
import { BestQuery } from '../schema/odds.js';
import { BestBody } from '../schema/odds-answers.js';
import { CONDITIONAL, CSV_HEADERS, sendCsv, sendPage } from './answer.js';
import { COST, spendOnAll } from './cost.js';
import type { RouteDeps } from './deps.js';
import { asOf, viewOf } from './universe.js';

export function bestRoutes({ engine }: RouteDeps, outcomes: OutcomesByTable): Route[] {
  const reader = new BestReader(engine.catalogue, outcomes);
  const cache = new PageCache();

  function send(context: RequestContext<Static<typeof BestQuery>>): void {
    const { table } = viewOf(engine, context, undefined);
    const key = context.questionKey(0);
    let answer = cache.get(key, table.position);
    if (answer === undefined || asOf(engine, context) > answer.freshUntilMs) {
      const question = { ...viewOf(engine, context, context.query.sportsbook), params: context.query };
      spendOnAll(context, table, COST.candidate);
      answer = reader.answer({ ...question, asked: context.asked });
      cache.set(key, table.position, answer);
    }
    sendPage(context, engine.clock, answer);
  }

  return [
    route({
      method: 'GET',
      path: '/api/v1/odds/best',
      auth: 'required',
      query: BestQuery,
      headers: CONDITIONAL,
      response: BestBody,
      produces: ['text/csv'],
      responseHeaders: CSV_HEADERS,
      summary: 'The best fresh price of every selection',
      tags: ['odds'],
      handler: (context) => {
        if (context.query.format === 'json') {
          send(context);
          return;
        }
        const view = viewOf(engine, context, context.query.sportsbook);
        spendOnAll(context, view.table, COST.candidate);
        const { items, total } = reader.page({ ...view, params: context.query, asked: context.asked });
        sendCsv(context, 'best-odds', BEST_COLUMNS, items.map(csvRow), { total, tagged: true });
      },
    }),
  ];
}

function csvRow(item: BestItem) {
  const { american, decimal, probability } = item.best_odds;
  return {
    ...item,
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    book_count: item.all_books.length,
  };
}
