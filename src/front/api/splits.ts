// GET /splits and GET /splits/history.

import { columnsOf } from '../../answers/csv.js';
import { listSplits, splitsHistory } from '../../answers/splits.js';
import { ApiError } from '../../base/model/errors.js';
import { parseTimeMs } from '../../base/model/time.js';
import {
  SplitsBody,
  SplitsGame,
  SplitsHistoryBody,
  SplitsHistoryEntry,
  SplitsHistoryQuery,
  SplitsQuery,
} from '../../schema/splits.js';
import { readSplitsHistory } from '../../store/extras-store.js';
import { SplitsBoard } from '../../tables/splits.js';
import { type Route, route } from '../http/context.js';
import { CONDITIONAL, LISTED, READS_ODDS } from './answer.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './universe.js';
import { asksWhole, sendItems, sendWhole, wholeOf } from './whole.js';

const tags = ['splits'];
const FORMS = { name: 'splits', columns: columnsOf(SplitsGame), tagged: true } as const;
const HISTORY_FORMS = { ...FORMS, columns: columnsOf(SplitsHistoryEntry) };
const ALL = { limit: Number.POSITIVE_INFINITY, offset: 0 };

export function splitsRoutes({ engine }: RouteDeps): Route[] {
  const { table, catalogue, clock } = engine;
  const { envs } = engine.directory;
  const board = new SplitsBoard(table, envs);
  engine.onDelta((_applied, delta) => board.apply(delta));

  return [
    route({
      ...READS_ODDS,
      undelayed: true,
      path: '/api/v1/splits',
      query: SplitsQuery,
      headers: CONDITIONAL,
      response: SplitsBody,
      ...LISTED,
      summary: 'Shares of money and tickets, by event and source',
      tags,
      handler: (context) => {
        const params = context.query;
        // The sources are not sportsbooks of a universe: every tier sees both.
        const { universe } = viewOf(engine, context, undefined);
        const listed = { table, catalogue, board };
        if (asksWhole(context)) {
          const all = listSplits(listed, universe, { ...params, ...ALL }).items;
          return sendWhole(context, wholeOf(FORMS, all));
        }
        const { items, total, unknown } = listSplits(listed, universe, params);
        const { limit, offset } = params;
        return sendItems(context, clock, FORMS, items, { limit, offset, total }, { unknown });
      },
    }),
    route({
      ...READS_ODDS,
      undelayed: true,
      path: '/api/v1/splits/history',
      query: SplitsHistoryQuery,
      headers: CONDITIONAL,
      response: SplitsHistoryBody,
      ...LISTED,
      summary: "One event's splits of the last 48 hours, every 5 minutes",
      tags,
      handler: (context) => {
        const { event_id: eventId, sportsbook, start_time, end_time, limit, offset } = context.query;
        const entries = envs.flatMap((env) => readSplitsHistory(env, eventId));
        const { items, total, unknown, ...span } = splitsHistory(catalogue, entries, clock.now(), {
          sportsbook,
          startMs: timeOf('start_time', start_time) ?? Number.NEGATIVE_INFINITY,
          endMs: timeOf('end_time', end_time) ?? Number.POSITIVE_INFINITY,
          ...(asksWhole(context) ? ALL : { limit, offset }),
        });
        if (context.asked.whole) return sendWhole(context, wholeOf(HISTORY_FORMS, items));
        const meta = { event_id: eventId, ...span, unknown };
        return sendItems(context, clock, HISTORY_FORMS, items, { limit, offset, total }, meta);
      },
    }),
  ];
}

/** Unix ms of RFC 3339 or Unix seconds; undefined if absent. */
function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,12}(\.\d{1,9})?$/.test(text)) return Number(text) * 1000;
  // An unescaped plus sign arrives as a blank.
  const ms = parseTimeMs(text.replace(/ (\d\d:\d\d)$/, '+$1'));
  if (ms === undefined) throw new ApiError('invalid_request', `${name} must be an RFC 3339 time or Unix seconds`);
  return ms;
}
