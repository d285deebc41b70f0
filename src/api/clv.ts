// GET /historical/clv and POST /clv: whether the close confirmed the engine's edges, and a caller's own bets.
import type { Static } from 'typebox';
import type { Bet } from '../clv/grader.js';
import type { ClvSource, GradedBet } from '../clv/source.js';
import { splitList } from '../filter/universe.js';
import { type Route, route } from '../front/http/context.js';
import { ApiError } from '../model/errors.js';
import { parseAmerican } from '../model/price.js';
import { round6 } from '../model/row-json.js';
import { formatUs, parseTimeUs } from '../model/time.js';
import { BetGrade, BetsBody, Clv, ClvQuery } from '../schema/clv.js';
import { listBody, objectBody } from '../schema/envelope.js';
import type { RouteDeps } from './deps.js';
import { sendList, sendObject } from './envelope.js';

const tags = ['history'];
const minTier = 'enterprise';

export function clvRoutes({ engine, clv }: RouteDeps): Route[] {
  const { catalogue, clock } = engine;
  const nowUs = (): number => Math.floor(clock.now() * 1000);
  const book = (name: string): string => catalogue.book(name)?.id ?? name.toLowerCase();
  return [
    route({
      method: 'GET',
      path: '/api/v1/historical/clv',
      auth: 'required',
      minTier,
      query: ClvQuery,
      response: objectBody(Clv),
      errors: ['not_found'],
      summary: 'Whether the close confirmed the prices that were detected above fair',
      tags,
      handler: async (context) => {
        const { query } = context;
        const fromUs = timeOf('from', query.from);
        const toUs = timeOf('to', query.to);
        const groups = await orFail(clv).clv({
          groupBy: query.group_by,
          fromUs: fromUs ?? 0,
          toUs: toUs ?? Number.MAX_SAFE_INTEGER,
          sports: query.sport === undefined ? null : [...catalogue.sportsMatching(splitList(query.sport)).sports],
          leagues: listOf(query.league),
          books: listOf(query.sportsbook)?.map(book) ?? null,
          devigBooks: listOf(query.devig_book)?.map(book) ?? null,
          nowUs: nowUs(),
        });
        const range = {
          from: fromUs === undefined ? null : formatUs(fromUs),
          to: toUs === undefined ? null : formatUs(toUs),
        };
        sendObject(context, clock, { date_range: range, groups });
      },
    }),
    route({
      method: 'POST',
      path: '/api/v1/clv',
      auth: 'required',
      minTier,
      body: BetsBody,
      response: listBody(BetGrade),
      errors: ['not_found'],
      summary: 'Whether the close confirmed bets of your own',
      tags,
      handler: async (context) => {
        const bets = context.body.bets.map(betOf);
        const graded = await orFail(clv).gradeBets(bets, nowUs());
        sendList(context, clock, graded.map(gradeFields));
      },
    }),
  ];
}

function orFail(clv: ClvSource | undefined): ClvSource {
  if (clv === undefined) throw new ApiError('not_found', 'this server keeps no history (--history 0)');
  return clv;
}

function listOf(text: string | undefined): string[] | null {
  return text === undefined ? null : splitList(text);
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const us = parseTimeUs(text);
  if (us === undefined) throw new ApiError('invalid_request', `${name}: not an RFC 3339 time between 2000 and 2100`);
  return us;
}

function betOf(bet: Static<typeof BetsBody>['bets'][number], place: number): Bet {
  const american = bet.odds_american === undefined ? null : parseAmerican(bet.odds_american);
  if (american === undefined)
    throw new ApiError('invalid_request', `bets[${place}].odds_american: ${bet.odds_american} is no price`);
  return {
    oddsId: bet.odds_id === undefined ? null : /^\d{19}$/.test(bet.odds_id) ? bet.odds_id : '0',
    event: bet.event ?? null,
    market: bet.market ?? null,
    selection: bet.selection ?? null,
    sportsbook: bet.sportsbook ?? null,
    line: bet.line ?? null,
    american,
    atUs: timeOf(`bets[${place}].at`, bet.at)!,
  };
}

function gradeFields(grade: GradedBet): Static<typeof BetGrade> {
  const { closing, clv, reason } = grade;
  return {
    odds_id: grade.oddsId === '0' ? null : grade.oddsId,
    event_id: grade.event,
    market_type: grade.market,
    selection: grade.selection,
    sportsbook: grade.sportsbook,
    line: grade.line,
    odds_american: grade.american,
    closing_odds_american: closing?.american ?? null,
    closing_odds_decimal: closing === null ? null : round6(closing.decimal),
    closing_no_vig_probability: closing?.probability == null ? null : round6(closing.probability),
    devig_book: closing?.devigBook ?? null,
    clv_percent: clv === null ? null : Math.round(clv * 1e4) / 1e4,
    ...(reason === null ? {} : { reason }),
  };
}
