// GET /odds/history, /odds/opening and /odds/closing: price history within the caller's books and time.

import type { Static, TSchema } from 'typebox';
import { historyFromUs } from '../../accounts/access.js';
import { type CsvColumn, columnsOf } from '../../answers/csv.js';
import { cursorOfOtherFilters, notACursor } from '../../answers/cursor.js';
import { digestOfText } from '../../answers/etag.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { isOddsId } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import { present } from '../../base/model/present.js';
import { DAY_MS, formatMs, formatUs } from '../../base/model/time.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { isPrivateBook } from '../../rules/catalogue/private-book.js';
import { bookAboveTier } from '../../rules/catalogue/tier-refusals.js';
import { objectBody } from '../../schema/envelope.js';
import {
  Candle,
  ClosingDay,
  ClosingDayQuery,
  EventLines,
  HistoryBody,
  HistoryPoint,
  HistoryQuery,
  INTERVALS,
  LinesQuery,
  PointOf,
} from '../../schema/history.js';
import type { HistoryAnswer, HistoryPlace, HistoryQuestion } from '../../store/history/answers.js';
import { requestedOfHistory } from '../../tables/filter/requested-names.js';
import { splitList, type Universe } from '../../tables/filter/universe.js';
import { type RequestContext, type Route, route } from '../http/context.js';
import { asksWhole, LISTED, type Meta, metaOf, READS_ODDS, sendsForm, sendWhole } from './answer.js';
import { type AskFor, COST } from './cost.js';
import type { RouteDeps } from './deps.js';
import { callersUniverse, periodUsOf } from './view.js';

const PIECE = LIMITS.wholePiece.max;
type Context = RequestContext<Static<typeof HistoryQuery>>;

const COMMON = {
  ...READS_ODDS,
  right: 'history',
  errors: ['not_found'],
  tags: ['history'],
} as const;

export function historyRoutes(deps: RouteDeps, askFor: AskFor): Route[] {
  return [
    changesRoute(deps, askFor),
    linesRoute(deps, askFor, 'opening', "An event's opening prices, by sportsbook"),
    linesRoute(deps, askFor, 'closing', "An event's closing prices, by sportsbook"),
  ];
}

function changesRoute({ engine }: RouteDeps, askFor: AskFor): Route {
  const { catalogue, clock, table } = engine;
  return route({
    ...COMMON,
    path: '/api/v1/odds/history',
    query: HistoryQuery,
    response: HistoryBody,
    ...LISTED,
    summary: 'Price history: every change, or candles',
    handler: async (context) => {
      const { query } = context;
      const universe = callersUniverse(engine, context, query.sportsbook);
      const time = timeOf(context, Math.floor(clock.now() * 1000), table.position);
      const events = query.event === undefined ? null : splitList(query.event);
      const everyGame = query.odds_id === undefined && events?.length !== 1;
      if (everyGame && query.from === undefined)
        throw new ApiError('invalid_request', 'odds_id, one event or from: one of them is needed');
      const { unknown, ...names } = requestedOfHistory(catalogue, table, query);
      const books = booksOf(catalogue, universe);
      const filters = digestOfText(JSON.stringify([books, context.asked.filters]));
      const whole = asksWhole(context);
      if (whole && everyGame)
        throw new ApiError('invalid_request', 'limit=all is of one row or one event: name odds_id or one event');
      const removals = query.include === 'removals';
      if (removals && (query.line !== undefined || query.interval !== undefined || query.format === 'csv'))
        throw new ApiError('invalid_request', 'include=removals: not with line, interval or format=csv');
      const question: HistoryQuestion = {
        removals,
        oddsId: query.odds_id === undefined ? null : numericId(query.odds_id),
        everyGame,
        events,
        ...names,
        books,
        selection: query.selection?.trim().toLowerCase() ?? null,
        line: query.line ?? null,
        fromUs: time.fromUs,
        toUs: time.toUs,
        intervalUs: query.interval === undefined ? 0 : INTERVALS[query.interval] * 1e6,
        limit: whole ? PIECE : query.limit,
        after: query.cursor === undefined ? null : placeOf(query.cursor, filters),
      };
      const ask = askFor(context);
      const answerTo = async (asked: HistoryQuestion): Promise<HistoryAnswer> => {
        const found = await ask('history', asked);
        if (found === null || ('hidden' in found && isPrivateBook(found.hidden)))
          throw unknownTo(query.odds_id ?? query.event);
        return 'hidden' in found ? ofHidden(catalogue, universe, found.hidden) : found;
      };
      const answer = await answerTo(question);
      const form = FORMS[query.interval === undefined ? 'changes' : 'candles'];
      if (whole) return sendWholeHistory(context, form, answer, (after) => answerTo({ ...question, after }));
      const { count, total } = answer;
      if (query.format !== undefined && query.format !== 'json') {
        const rows = form.rows(answer, query.format);
        const nextCursor = answer.next === null ? undefined : cursorOf(answer.next, filters);
        sendsForm(context, 'history', rows, { total, nextCursor }, form.columns);
        return undefined;
      }
      const meta = {
        count,
        ...(total === null ? {} : { total }),
        ...time.meta,
        ...(answer.toUs === undefined ? {} : { to: formatUs(answer.toUs) }),
        ...gapsOf(answer),
        unknown: [...universe.unknown, ...unknown],
      };
      sendText(context, clock, answer.rows, meta, pageOf(answer, query.limit, filters));
      return undefined;
    },
  });
}

/** In a table each point is a line, with what its row is. */
class HistoryForm {
  readonly columns: readonly CsvColumn[];
  readonly #own: readonly string[];

  constructor(point: TSchema) {
    this.#own = Object.keys(PointOf.properties);
    this.columns = [...this.#own, ...columnsOf(point)];
  }

  rows({ rows }: HistoryAnswer, format: string | undefined): object[] {
    const found = JSON.parse(rows) as ({ points: object[] } & Record<string, unknown>)[];
    if (format !== 'csv') return found;
    return found.flatMap(({ points, ...row }) => {
      const own = Object.fromEntries(this.#own.map((name) => [name, row[name]]));
      return points.map((point) => ({ ...own, ...point }));
    });
  }
}

const FORMS = { changes: new HistoryForm(HistoryPoint), candles: new HistoryForm(Candle) };

/** @param first what comes first of it */
function sendWholeHistory(
  context: Context,
  form: HistoryForm,
  first: HistoryAnswer,
  answerTo: (after: HistoryPlace) => Promise<HistoryAnswer>,
): Promise<void> {
  let last: HistoryAnswer | undefined;
  const rows = async () => {
    if (last === undefined) last = first;
    else if (last.next === null) return [];
    else last = await answerTo(last.next);
    return form.rows(last, context.query.format);
  };
  return sendWhole(context, { name: 'history', total: first.total ?? 0, columns: form.columns, rows });
}

function linesRoute({ engine }: RouteDeps, askFor: AskFor, kind: 'opening' | 'closing', summary: string): Route {
  const { catalogue, clock } = engine;
  return route({
    ...COMMON,
    path: `/api/v1/odds/${kind}`,
    query: LinesQuery,
    response: objectBody(EventLines),
    summary,
    handler: async (context) => {
      const { event_id: event, sportsbook } = context.query;
      const universe = callersUniverse(engine, context, sportsbook);
      const books = booksOf(catalogue, universe);
      const nowUs = Math.floor(clock.now() * 1000);
      const text = await askFor(context)('lines', { kind, event, books, nowUs });
      if (text === null) throw new ApiError('not_found', `there is no event ${event}`);
      sendText(context, clock, text, { unknown: universe.unknown });
    },
  });
}

/** `data` is JSON as history made it. */
export function sendText(context: RequestContext, clock: Clock, data: string, meta: Meta, pagination?: object): void {
  const updatedAt = formatMs(clock.now());
  const page = pagination === undefined ? {} : { pagination };
  const suffix = JSON.stringify({
    ...page,
    meta: { ...metaOf(context, meta), ...page, updated_at: updatedAt },
    updated_at: updatedAt,
  });
  context.sendBuffer(200, 'application/json', Buffer.from(`{"success":true,"data":${data},${suffix.slice(1)}`));
}

/** Null means every book, listed or not. */
export function booksOf(catalogue: Catalogue, { requested, tier }: Universe): readonly string[] | null {
  return requested ?? catalogue.booksOf(tier);
}

/** The requested time, and its fields of `meta`. After the clock was set back the newest change lies ahead of it. */
function timeOf(
  { query, tier }: Context,
  nowUs: number,
  headUs: number,
): { fromUs: number; toUs: number; meta: object } {
  const earliestUs = historyFromUs(tier, nowUs);
  const { fromUs: requested, toUs = Math.max(nowUs, headUs) } = periodUsOf(query);
  const fromUs = Math.max(requested ?? 0, earliestUs);
  const clamped = requested !== undefined && requested < earliestUs ? { clamped: true } : {};
  return { fromUs, toUs, meta: { from: formatUs(fromUs), to: formatUs(toUs), ...clamped } };
}

/** A row of a book that the caller did not ask for. Throws tier_restricted if the caller may not see the book. */
function ofHidden(catalogue: Catalogue, { tier, requested }: Universe, book: string): HistoryAnswer {
  if (requested === null || !catalogue.tierAllows(tier, book))
    throw bookAboveTier(catalogue, book, `sportsbook ${book}`);
  return { rows: '[]', count: 0, total: 0, next: null, gaps: [] };
}

function numericId(id: string): string {
  if (!isOddsId(id)) throw unknownTo(id);
  return id;
}

function unknownTo(id: string | undefined): ApiError {
  return new ApiError('not_found', `history knows nothing of ${id}`);
}

function gapsOf({ gaps }: HistoryAnswer): object {
  if (gaps.length === 0) return {};
  return { gaps: gaps.map(({ fromUs, toUs }) => ({ from: formatUs(fromUs), to: formatUs(toUs) })) };
}

function pageOf({ count, total, next }: HistoryAnswer, limit: number, filters: string): object {
  const place = { limit, offset: 0, count, ...present({ total }), has_more: next !== null, next_offset: null };
  return next === null ? place : { ...place, next_cursor: cursorOf(next, filters) };
}

/** @param filters digest of what chose the points */
function cursorOf({ game, row, atUs }: HistoryPlace, filters: string): string {
  return Buffer.from(`${filters}:${row}:${atUs}${game === undefined ? '' : `:${game}`}`).toString('base64url');
}

/** Throws invalid_request if the text is not a cursor, or is one of other filters. */
function placeOf(cursor: string, filters: string): HistoryPlace {
  const match = /^([^:]+):(\d{1,9}):(-1|\d{1,16})(?::(\d{1,10}))?$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) throw notACursor();
  if (match[1] !== filters) throw cursorOfOtherFilters();
  const place = { row: Number(match[2]), atUs: Number(match[3]) };
  return match[4] === undefined ? place : { ...place, game: Number(match[4]) };
}

// GET /historical/odds/closing: the closing prices of a league's games of a day.

const EVENTS_MAX = LIMITS.closingDayEvents.max;

export function closingDayRoutes({ engine }: RouteDeps, askFor: AskFor): Route[] {
  const { catalogue, clock, table } = engine;
  return [
    route({
      ...READS_ODDS,
      path: '/api/v1/historical/odds/closing',
      right: 'closing_day',
      query: ClosingDayQuery,
      response: objectBody(ClosingDay),
      errors: ['not_found'],
      summary: "Closing prices of a league's games of a day, with probabilities without margin",
      tags: ['history'],
      handler: async (context) => {
        const { date, sport: askedSport, league: askedLeague, sportsbook, devig } = context.query;
        const universe = callersUniverse(engine, context, sportsbook);
        const league = catalogue.leagueOf(askedLeague)?.id ?? askedLeague.toLowerCase();
        const sport = [...catalogue.sportsMatching([askedSport]).sports][0] ?? askedSport.toLowerCase();
        const fromMs = Date.parse(`${date}T00:00:00Z`);
        const ask = askFor(context);
        const events = await ask('day', { sport, league, fromMs, toMs: fromMs + DAY_MS, limit: EVENTS_MAX + 1 });
        if (events.length > EVENTS_MAX)
          throw new ApiError('invalid_request', `more than ${EVENTS_MAX} games of ${league} on ${date}`);
        const books = booksOf(catalogue, universe);
        const nowUs = Math.floor(clock.now() * 1000);
        const texts: string[] = [];
        let lines = 0;
        // Game by game: others are answered between them, and each is counted before the next.
        for (const event of events) {
          if (context.aborted) break;
          const closed = await ask('closed', { event, books, method: devig, nowUs });
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
