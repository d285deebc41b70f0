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
import { CONDITIONAL, LISTED, type Page, READS_ODDS, sendListed } from './answer.js';
import type { RouteDeps } from './deps.js';
import { viewOf } from './view.js';

const tags = ['splits'];
const FORMS = { name: 'splits', columns: columnsOf(SplitsGame), tagged: true } as const;
const HISTORY_FORMS = { ...FORMS, columns: columnsOf(SplitsHistoryEntry) };

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
        // The sources are not sportsbooks of a universe: every tier sees both.
        const { universe } = viewOf(engine, context, undefined);
        const list = (page: Page) => listSplits({ table, catalogue, board }, universe, { ...context.query, ...page });
        return sendListed(context, clock, FORMS, list);
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
        const { event_id, sportsbook, start_time, end_time } = context.query;
        const entries = envs.flatMap((env) => readSplitsHistory(env, event_id));
        const period = {
          startMs: timeOf('start_time', start_time) ?? Number.NEGATIVE_INFINITY,
          endMs: timeOf('end_time', end_time) ?? Number.POSITIVE_INFINITY,
        };
        return sendListed(context, clock, HISTORY_FORMS, (page) => ({
          event_id,
          ...splitsHistory(catalogue, entries, clock.now(), { sportsbook, ...period, ...page }),
        }));
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
