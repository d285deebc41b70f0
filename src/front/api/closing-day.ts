// GET /historical/odds/closing: the closing prices of a league's games of a day.

import type { AccountQueue } from '../../accounts/account-queue.js';
import { bookOwnerOf, callerOf } from '../../accounts/caller.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { DAY_MS } from '../../base/model/time.js';
import { objectBody } from '../../schema/envelope.js';
import { ClosingDay, ClosingDayQuery } from '../../schema/history.js';
import { requireHistory } from '../../store/history/queries.js';
import { requestedOfHistory } from '../../tables/filter/requested-names.js';
import { universeOf } from '../../tables/filter/universe.js';
import { type Route, route } from '../http/context.js';
import { COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { booksOf, sendText } from './history.js';

const EVENTS_MAX = LIMITS.closingDayEvents.max;

export function closingDayRoutes({ engine, history }: RouteDeps, costly: AccountQueue): Route[] {
  const { catalogue, clock, table } = engine;
  return [
    route({
      method: 'GET',
      path: '/api/v1/historical/odds/closing',
      auth: 'required',
      viewers: 'odds',
      right: 'closing_day',
      query: ClosingDayQuery,
      response: objectBody(ClosingDay),
      errors: ['not_found'],
      summary: "Closing prices of a league's games of a day, with probabilities without margin",
      tags: ['history'],
      handler: async (context) => {
        const { date, sport: askedSport, league: askedLeague, sportsbook, devig } = context.query;
        const universe = universeOf(catalogue, context.tier, sportsbook, table.knowsBook, bookOwnerOf(context.key));
        const league = catalogue.leagueOf(askedLeague)?.id ?? askedLeague.toLowerCase();
        const sport = [...catalogue.sportsMatching([askedSport]).sports][0] ?? askedSport.toLowerCase();
        const fromMs = Date.parse(`${date}T00:00:00Z`);
        const ask = requireHistory(history);
        const caller = callerOf(context.requireKey());
        const day = { sport, league, fromMs, toMs: fromMs + DAY_MS, limit: EVENTS_MAX + 1 };
        const events = await costly.run(caller, () => ask('day', day));
        if (events.length > EVENTS_MAX)
          throw new ApiError('invalid_request', `more than ${EVENTS_MAX} games of ${league} on ${date}`);
        const books = booksOf(catalogue, universe);
        const nowUs = Math.floor(clock.now() * 1000);
        const texts: string[] = [];
        let lines = 0;
        // Game by game: others are answered between them, and each is counted before the next.
        for (const event of events) {
          const closed = await costly.run(caller, () => ask('closed', { event, books, method: devig, nowUs }));
          if (closed === null) continue;
          context.spend(closed.lines * COST.evaluated);
          texts.push(closed.text);
          lines += closed.lines;
        }
        const head = JSON.stringify({ date, sport, league }).slice(0, -1);
        const data = `${head},"events":[${texts.join()}],"total_events":${texts.length},"total_lines":${lines}}`;
        const { unknown } = requestedOfHistory(catalogue, table, context.query);
        sendText(context, clock, data, { unknown: [...universe.unknown, ...unknown] });
      },
    }),
  ];
}
