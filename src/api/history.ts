// GET /odds/history, /odds/opening and /odds/closing: price history within the caller's books and time.

import type { Static } from 'typebox';
import { expandMarkets } from '../catalogue/market-filter.js';
import { TIER_RULES } from '../catalogue/tiers.js';
import { passedOver } from '../filter/passed-over.js';
import { splitList, type Universe, universeOf } from '../filter/universe.js';
import { type RequestContext, type Route, route } from '../front/http/context.js';
import type { HistoryAnswer, HistoryPlace } from '../history/answers.js';
import type { HistorySource } from '../history/source.js';
import { ApiError } from '../model/errors.js';
import { formatMs, formatUs, parseTimeUs } from '../model/time.js';
import { objectBody } from '../schema/envelope.js';
import { EventLines, HistoryBody, HistoryQuery, INTERVALS, LinesQuery } from '../schema/history.js';
import type { RouteDeps } from './deps.js';

const tags = ['history'];

export function historyRoutes({ engine, history }: RouteDeps): Route[] {
  const { catalogue, clock, table } = engine;

  const universe = (context: RequestContext<{ sportsbook?: string }, unknown>): Universe =>
    universeOf(catalogue, context.tier, context.query.sportsbook, (book) => table.books.find(book) >= 0);

  /** Null means every book, listed or not. */
  const booksOf = ({ requested, tier }: Universe): readonly string[] | null =>
    requested ?? (catalogue.tierAllows(tier, '') ? null : catalogue.tierBooks(tier));

  const sendText = (context: RequestContext, data: string, meta: object, pagination?: object): void => {
    const updatedAt = formatMs(clock.now());
    const ignored = context.ignored.length > 0 ? { ignored: context.ignored } : {};
    const page = pagination === undefined ? {} : { pagination };
    const foot = JSON.stringify({
      ...page,
      meta: { ...meta, ...ignored, ...page, updated_at: updatedAt },
      updated_at: updatedAt,
    });
    context.sendBuffer(200, 'application/json', Buffer.from(`{"success":true,"data":${data},${foot.slice(1)}`));
  };

  const lines = (kind: 'opening' | 'closing', summary: string): Route =>
    route({
      method: 'GET',
      path: `/api/v1/odds/${kind}`,
      auth: 'required',
      minTier: 'pro',
      query: LinesQuery,
      response: objectBody(EventLines),
      errors: ['not_found'],
      summary,
      tags,
      handler: async (context) => {
        const { event_id: event } = context.query;
        const ofCaller = universe(context);
        const nowUs = Math.floor(clock.now() * 1000);
        const text = await orFail(history).lines({ kind, event, books: booksOf(ofCaller), nowUs });
        if (text === null) throw new ApiError('not_found', `there is no event ${event}`);
        sendText(context, text, passedOver(ofCaller.unknown));
      },
    });

  return [
    route({
      method: 'GET',
      path: '/api/v1/odds/history',
      auth: 'required',
      minTier: 'pro',
      query: HistoryQuery,
      response: HistoryBody,
      errors: ['not_found'],
      summary: 'Price history: every change, or candles',
      tags,
      handler: async (context) => {
        const { query } = context;
        const ofCaller = universe(context);
        const time = timeOf(context, Math.floor(clock.now() * 1000), engine.table.position);
        if (query.odds_id === undefined && query.event === undefined)
          throw new ApiError('invalid_request', 'odds_id or event: one of them is needed');
        const answer = await orFail(history).history({
          oddsId: query.odds_id === undefined ? null : numericId(query.odds_id),
          event: query.event ?? null,
          markets: query.market === undefined ? null : marketsOf(query.market),
          books: booksOf(ofCaller),
          selection: query.selection?.trim().toLowerCase() ?? null,
          line: query.line ?? null,
          fromUs: time.fromUs,
          toUs: time.toUs,
          intervalUs: query.interval === undefined ? 0 : INTERVALS[query.interval] * 1e6,
          limit: query.limit,
          after: query.cursor === undefined ? null : placeOf(query.cursor),
        });
        if (answer === null)
          throw new ApiError('not_found', `history knows nothing of ${query.odds_id ?? query.event}`);
        if ('hidden' in answer) throw hiddenBook(answer.hidden);
        const meta = { ...time.meta, ...gapsOf(answer), ...passedOver(ofCaller.unknown) };
        const { count, total } = answer;
        sendText(context, answer.rows, { count, total, ...meta }, pageOf(answer, query.limit));
      },
    }),
    lines('opening', "An event's opening prices, by sportsbook"),
    lines('closing', "An event's closing prices, by sportsbook"),
  ];

  function hiddenBook(book: string): ApiError {
    const tier = catalogue.book(book)?.requiresTier ?? 'sharp';
    return new ApiError('tier_restricted', `sportsbook ${book} needs the ${tier} tier`, { tier });
  }
}

/** In a form that a message to another process can carry. */
function marketsOf(text: string): { exact: string[]; prefixes: string[] } {
  const { exact, prefixes } = expandMarkets(splitList(text));
  return { exact: [...exact], prefixes };
}

/** Throws if the server is configured to store none. */
function orFail(history: HistorySource | undefined): HistorySource {
  if (history === undefined) throw new ApiError('not_found', 'this server keeps no history (--history 0)');
  return history;
}

/** The requested time, and its fields of `meta`. After the clock was set back the newest change lies ahead of it. */
function timeOf(
  { query, tier }: RequestContext<Static<typeof HistoryQuery>>,
  nowUs: number,
  headUs: number,
): { fromUs: number; toUs: number; meta: object } {
  const seconds = TIER_RULES[tier].historySeconds;
  const earliestUs = seconds === null ? 0 : nowUs - seconds * 1e6;
  const requested = read('from', query.from);
  const fromUs = Math.max(requested ?? 0, earliestUs);
  const toUs = read('to', query.to) ?? Math.max(nowUs, headUs);
  const clamped = requested !== undefined && requested < earliestUs ? { clamped: true } : {};
  return { fromUs, toUs, meta: { from: formatUs(fromUs), to: formatUs(toUs), ...clamped } };
}

function read(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const us = parseTimeUs(text);
  if (us === undefined) throw new ApiError('invalid_request', `${name}: not an RFC 3339 time between 2000 and 2100`);
  return us;
}

const ODDS_ID = /^\d{19}$/;

function numericId(id: string): string {
  if (!ODDS_ID.test(id)) throw new ApiError('not_found', `history knows nothing of ${id}`);
  return id;
}

function gapsOf({ gaps }: HistoryAnswer): object {
  if (gaps.length === 0) return {};
  return { gaps: gaps.map(({ fromUs, toUs }) => ({ from: formatUs(fromUs), to: formatUs(toUs) })) };
}

function pageOf({ count, total, next }: HistoryAnswer, limit: number): object {
  const cursor = next === null ? {} : { next_cursor: cursorOf(next) };
  return { limit, offset: 0, count, total, has_more: next !== null, next_offset: null, ...cursor };
}

function cursorOf({ row, atUs }: HistoryPlace): string {
  return Buffer.from(`${row}:${atUs}`).toString('base64url');
}

function placeOf(cursor: string): HistoryPlace {
  const match = /^(\d{1,9}):(-1|\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) throw new ApiError('invalid_request', 'cursor: not one of this endpoint');
  return { row: Number(match[1]), atUs: Number(match[2]) };
}
