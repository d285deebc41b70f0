// GET /odds/best and GET /odds/comparison.

import { BestReader } from '../../answers/best.js';
import { ComparisonReader } from '../../answers/comparison.js';
import { BEST_COLUMNS } from '../../answers/csv.js';
import { PageCache } from '../../answers/page.js';
import { BestQuery, ComparisonQuery } from '../../schema/odds.js';
import { BestBody, ComparisonBody } from '../../schema/odds-answers.js';
import type { BestOdds } from '../../schema/odds-items.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { asksWhole, CONDITIONAL, LISTED, READS_ODDS, sendPage, sendsForm, sendWhole } from './answer.js';
import { COST, spendOnAll } from './cost.js';
import type { RouteDeps } from './deps.js';
import type { PastAnswers } from './past.js';
import { asOf, cacheKey, eventOf, type ServedTables, viewOf } from './view.js';

export function bestRoutes({ engine }: RouteDeps, past: PastAnswers): Route[] {
  const reader = new BestReader(engine.catalogue);
  const live = new PageCache();

  function send(tables: ServedTables, context: RequestContext<BestQuery>): void {
    const cache = tables === engine ? live : new PageCache();
    const view = viewOf(tables, context, context.query.sportsbook);
    const { table } = view;
    const key = cacheKey(context, view);
    let answer = cache.get(key, table.position);
    if (answer === undefined || asOf(tables, context) > answer.freshUntilMs) {
      spendOnAll(context, table, COST.candidate);
      answer = reader.answer({ ...view, params: context.query, asked: context.asked });
      cache.set(key, table.position, answer);
    }
    sendPage(context, tables.clock, answer);
  }

  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/odds/best',
      query: BestQuery,
      headers: CONDITIONAL,
      response: BestBody,
      ...LISTED,
      summary: 'The best fresh price of every selection',
      tags: ['odds'],
      handler: past.handler<BestQuery>((tables, context) => {
        if (context.query.format === 'json') {
          send(tables, context);
          return undefined;
        }
        const view = viewOf(tables, context, context.query.sportsbook);
        spendOnAll(context, view.table, COST.candidate);
        if (asksWhole(context)) {
          const { total, items: rows } = reader.whole({ ...view, params: context.query, asked: context.asked });
          return sendWhole(context, { name: 'best-odds', total, rows, columns: BEST_COLUMNS, csvRow });
        }
        const { items, total } = reader.page({ ...view, params: context.query, asked: context.asked });
        const rows = context.query.format === 'csv' ? items.map(csvRow) : items;
        sendsForm(context, 'best-odds', rows, { total, without: tables.notKept, tagged: true }, BEST_COLUMNS);
        return undefined;
      }),
    }),
  ];
}

function csvRow(item: BestOdds) {
  const { american, decimal, probability } = item.best_odds;
  return {
    ...item,
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    book_count: item.all_books.length,
  };
}

export function comparisonRoutes({ engine }: RouteDeps, past: PastAnswers): Route[] {
  const reader = new ComparisonReader(engine.catalogue);
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
        const key = cacheKey(context, view);
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
