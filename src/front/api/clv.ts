// GET /historical/clv and POST /clv: whether the close confirmed the engine's edges, and a caller's own bets.

import type { Static } from 'typebox';
import { bookOwnerOf } from '../../accounts/key-record.js';
import { columnsOf } from '../../answers/csv.js';
import { ApiError } from '../../base/model/errors.js';
import { isOddsId } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import { americanFromDecimal, parseAmerican, roundTo } from '../../base/model/price.js';
import { round6 } from '../../base/model/row-json.js';
import { formatUs } from '../../base/model/time.js';
import type { Engine } from '../../engine/engine.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { privateBook } from '../../rules/catalogue/private-book.js';
import { BetGrade, BetsBody, Clv, ClvQuery, Prediction, PredictionsQuery } from '../../schema/clv.js';
import { listBody, objectBody } from '../../schema/envelope.js';
import type { Bet } from '../../store/clv/grader.js';
import type { ClosedAt, ClvQuestion, GradedBet, GradedPrediction } from '../../store/clv/queries.js';
import { requestedOfHistory } from '../../tables/filter/requested-names.js';
import { splitList } from '../../tables/filter/universe.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { asksWhole, LISTED, sendItems, sendList, sendObject, sendWhole } from './answer.js';
import { type AskFor, COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { periodUsOf, timeUsOf } from './view.js';

const tags = ['history'];
const right = 'clv';
const PREDICTED_MAX = LIMITS.predictedEvents.max;
const WHOLE_MAX = LIMITS.wholePredictions.max;
const COLUMNS = columnsOf(Prediction);

export function clvRoutes({ engine }: RouteDeps, askFor: AskFor): Route[] {
  const { catalogue, clock, table } = engine;
  const nowUs = (): number => Math.floor(clock.now() * 1000);
  /** What the name may mean: it need not be in the table any more. */
  const againstOf = ({ key, tier }: RequestContext<unknown, unknown>, name: string | undefined): string[] | null => {
    if (name === undefined) return null;
    const book = catalogue.bookId(name);
    const account = bookOwnerOf(key);
    const own = account === undefined ? [] : [privateBook(book, account)];
    return catalogue.tierAllows(tier, book) ? [...own, book] : own;
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/historical/clv',
      auth: 'required',
      // It grades every price above fair that was detected.
      viewers: 'ev',
      right,
      query: ClvQuery,
      response: objectBody(Clv),
      errors: ['not_found'],
      summary: 'Whether the close confirmed the prices that were detected above fair',
      tags,
      handler: async (context) => {
        const { query } = context;
        const { fromUs, toUs } = periodUsOf(query);
        const { sports, leagues, unknown } = requestedOfHistory(catalogue, table, query);
        const ask = askFor(context);
        const question: ClvQuestion = {
          groupBy: query.group_by,
          fromUs: fromUs ?? 0,
          toUs: toUs ?? Number.MAX_SAFE_INTEGER,
          sports,
          leagues,
          books: booksOf(catalogue, query.sportsbook),
          devigBooks: booksOf(catalogue, query.devig_book),
          against: againstOf(context, query.against),
          nowUs: nowUs(),
        };
        context.spend(COST.report);
        const groups = await ask('clv', question);
        const range = {
          from: fromUs === undefined ? null : formatUs(fromUs),
          to: toUs === undefined ? null : formatUs(toUs),
        };
        sendObject(context, clock, { date_range: range, groups }, { unknown });
      },
    }),
    predictionsRoute(engine, askFor),
    route({
      method: 'POST',
      path: '/api/v1/clv',
      auth: 'required',
      right,
      body: BetsBody,
      response: listBody(BetGrade),
      errors: ['not_found'],
      summary: 'Whether the close confirmed bets of your own',
      tags,
      handler: async (context) => {
        const bets = context.body.bets.map(betOf);
        const against = againstOf(context, context.body.devig_book);
        const ask = askFor(context);
        context.spend(bets.length * COST.bet);
        const graded = await ask('grade', { bets, nowUs: nowUs(), against });
        sendList(context, clock, graded.map(gradeFields));
      },
    }),
  ];
}

function predictionsRoute({ catalogue, clock, table }: Engine, askFor: AskFor): Route {
  return route({
    method: 'GET',
    path: '/api/v1/historical/predictions',
    auth: 'required',
    viewers: 'ev',
    right,
    query: PredictionsQuery,
    response: listBody(Prediction),
    ...LISTED,
    errors: ['not_found'],
    summary: 'Prices above fair that were detected in events: as they were, as they closed, how they ended',
    tags,
    handler: async (context) => {
      const { query } = context;
      const events = listOf(query.event) ?? [];
      if (events.length === 0 || events.length > PREDICTED_MAX)
        throw new ApiError('invalid_request', `event must name 1 to ${PREDICTED_MAX} events`);
      const ask = askFor(context);
      const whole = asksWhole(context);
      const { unknown, ...names } = requestedOfHistory(catalogue, table, query);
      const question = {
        events,
        ids: listOf(query.id),
        ...names,
        books: booksOf(catalogue, query.sportsbook),
        limit: whole ? WHOLE_MAX : query.limit,
      };
      const { found, total } = await ask('predicted', question);
      const nowUs = Math.floor(clock.now() * 1000);
      // A game may have thousands: what is not shown is not graded.
      const rows = async (from: number, to: number) => {
        const of = found.slice(from, to);
        return (await ask('predictions', { of, nowUs })).map(predictionItem);
      };
      if (whole) {
        if (total > found.length)
          throw new ApiError('invalid_request', `limit=all has at most ${WHOLE_MAX} of these: name fewer events`);
        await sendWhole(context, { name: 'predictions', total, columns: COLUMNS, rows });
        return;
      }
      const items = await rows(0, found.length);
      context.spend(items.length * COST.bet);
      sendItems(context, clock, { name: 'predictions', columns: COLUMNS }, items, { total }, { unknown });
    },
  });
}

function booksOf(catalogue: Catalogue, names: string | undefined): string[] | null {
  return listOf(names)?.map((name) => catalogue.bookId(name)) ?? null;
}

function listOf(text: string | undefined): string[] | null {
  return text === undefined ? null : splitList(text);
}

function betOf(bet: Static<typeof BetsBody>['bets'][number], place: number): Bet {
  const decimal = bet.odds_american === undefined ? (bet.odds_decimal ?? null) : null;
  const american =
    bet.odds_american === undefined
      ? decimal === null
        ? null
        : americanFromDecimal(decimal)
      : parseAmerican(bet.odds_american);
  if (american === undefined)
    throw new ApiError('invalid_request', `bets[${place}].odds_american: ${bet.odds_american} is no price`);
  return {
    oddsId: bet.odds_id === undefined ? null : isOddsId(bet.odds_id) ? bet.odds_id : '0',
    event: bet.event ?? bet.event_id ?? null,
    market: bet.market ?? bet.market_type ?? null,
    selection: bet.selection ?? bet.selection_type ?? null,
    sportsbook: bet.sportsbook ?? bet.book ?? null,
    line: bet.line ?? null,
    player: bet.player_name ?? null,
    team: bet.team ?? null,
    american,
    decimal,
    atUs: timeUsOf(`bets[${place}].at`, bet.at) ?? 0,
  };
}

function gradeFields(grade: GradedBet): BetGrade {
  const { closing, clv, reason } = grade;
  return {
    odds_id: grade.oddsId === '0' ? null : grade.oddsId,
    event_id: grade.event,
    market_type: grade.market,
    selection: grade.selection,
    sportsbook: grade.sportsbook,
    line: grade.line,
    odds_american: grade.american,
    ...closeFields(closing, clv),
    ...(reason === null ? {} : { reason }),
  };
}

function closeFields(closing: ClosedAt | null, clv: number | null) {
  return {
    closing_odds_american: closing?.american ?? null,
    closing_odds_decimal: closing === null ? null : round6(closing.decimal),
    closing_no_vig_probability: closing?.probability == null ? null : round6(closing.probability),
    devig_book: closing?.devigBook ?? null,
    clv_percent: clv === null ? null : roundTo(clv, 4),
  };
}

function predictionItem(prediction: GradedPrediction): Prediction {
  const { result, reason, profit_units, revision } = prediction.settled;
  return {
    id: prediction.id,
    odds_id: prediction.oddsId,
    event_id: prediction.event,
    market_type: prediction.market,
    selection: prediction.selection,
    player_name: prediction.player,
    team_name: prediction.teamName,
    sportsbook: prediction.book,
    line: prediction.line,
    odds_decimal_net: round6(prediction.decimalNet),
    ev_percentage: roundTo(prediction.ev, 4),
    detected_at: formatUs(prediction.atUs),
    ...closeFields(prediction.closing, prediction.clv),
    result,
    result_reason: reason,
    profit_units: profit_units === null ? null : round6(profit_units),
    revision,
  };
}
