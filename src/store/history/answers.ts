// Answers from history: the changes of rows, raw or as candles, and the opening and closing prices of an event. Answers
// are JSON text, made where the changes are read.

import { BoundedMap } from '../../base/memory/bounded-map.js';
import { growColumns } from '../../base/memory/grown.js';
import { LIMITS } from '../../base/model/limits.js';
import { round6 } from '../../base/model/row-json.js';
import { formatUs } from '../../base/model/time.js';
import { isAmong } from '../../rules/catalogue/private-book.js';
import { type MarketFilter, marketTest } from '../../rules/markets/categories.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import {
  betFields,
  changePoint,
  closeUs,
  type EventFields,
  eventFields,
  type HistoryEvent,
  type HistoryRow,
  type Point,
} from './event-record.js';
import { byRow, type ChangeVisitor, FLAG } from './page.js';
import type { Recorder } from './recorder.js';

// Changes of an event's rows for queries: column by column, in memory that the next query reuses.

const START_PLACES = 4_096;
/** Larger memory is released after the query that needed it. */
const CHANGES_RETAINED = 262_144;

class Changes {
  count = 0;
  /** The row's index in the event. */
  row = new Uint32Array(START_PLACES);
  atUs = new Float64Array(START_PLACES);
  american = new Float64Array(START_PLACES);
  decimal = new Float64Array(START_PLACES);
  /** NaN if it has none. */
  line = new Float64Array(START_PLACES);
  flags = new Uint8Array(START_PLACES);

  readonly add: ChangeVisitor = (row, atUs, american, decimal, line, flags) => {
    const { count } = this;
    if (count === this.row.length) growColumns(this, count * 2);
    this.row[count] = row;
    this.atUs[count] = atUs;
    this.american[count] = american;
    this.decimal[count] = decimal;
    this.line[count] = line;
    this.flags[count] = flags;
    this.count++;
  };
}

/** A cursor: the row, and the time (Unix µs) of its last point in the page. */
export interface HistoryPlace {
  /** Number of the game in history, where more than one is asked about. */
  game?: number;
  row: number;
  atUs: number;
}

export interface HistoryQuestion {
  /** One row; null with exactly one event, and with `everyGame`. */
  oddsId: string | null;
  /** Of all games that match, not of one. */
  everyGame: boolean;
  /** Null means all, as in the next. */
  events: readonly string[] | null;
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
  markets: MarketFilter | null;
  books: readonly string[] | null;
  /** Name or type, in lower case. */
  selection: string | null;
  /** Only points at this line. */
  line: number | null;
  /** Whether the removals of rows are told, and counted as points; never of candles or of one line. */
  removals: boolean;
  /** Unix µs, both inclusive. */
  fromUs: number;
  toUs: number;
  /** Length of a candle (µs); 0 returns every change. */
  intervalUs: number;
  /** Maximum number of points, over all rows. */
  limit: number;
  after: HistoryPlace | null;
}

export interface HistoryAnswer {
  /** A JSON array of rows. */
  rows: string;
  /** Points in this page, and over all pages: null of many games, which are not counted ahead. */
  count: number;
  total: number | null;
  /** Null on the last page. */
  next: HistoryPlace | null;
  /** Intervals of the requested time in which changes may be missing (Unix µs). */
  gaps: { fromUs: number; toUs: number }[];
  /** Of many games: nothing after it has been read (Unix µs). */
  toUs?: number;
}

/** Of the query being answered. */
let changes = new Changes();

/** Undefined if history does not know the row or event; `book` if the row's book is hidden from the caller. */
export function answerHistory(
  recorder: Recorder,
  question: HistoryQuestion,
  types: MarketTypes,
): HistoryAnswer | { hidden: string } | undefined {
  const { oddsId, events, fromUs, toUs } = question;
  const event = oddsId === null ? recorder.find(events![0]!) : recorder.findByRow(oddsId);
  if (event === undefined) return undefined;
  const own = oddsId === null ? undefined : event.byId.get(oddsId);
  if (own !== undefined && !isAmong(question.books, own.book)) return { hidden: own.book };
  const has =
    (oddsId === null || events === null || events.some((id) => recorder.find(id) === event)) && isOf(event, question);
  const hasMarket = question.markets === null ? null : marketTest(question.markets, types);
  const rows = !has ? [] : own === undefined ? event.rows : [own];
  const wanted = wantedOf(event, rows, question, hasMarket);
  const order = ordered(recorder, event, question, wanted);
  const gaps = recorder.gaps.within(event.shard, fromUs, toUs).map((gap) => ({ fromUs: gap.fromUs, toUs: gap.toUs }));
  return { ...write(event, order, question), gaps };
}

/**
 * The changes of all games that match, game by game. A page ends where it is full, and where it has taken enough work;
 * `recordedUs`: up to there everything has been read.
 */
export function answerGames(
  recorder: Recorder,
  question: HistoryQuestion,
  types: MarketTypes,
  recordedUs: number,
): HistoryAnswer {
  const { fromUs, after } = question;
  const toUs = Math.min(question.toUs, recordedUs);
  const hasMarket = question.markets === null ? null : marketTest(question.markets, types);
  const only = question.events?.flatMap((id) => recorder.find(id)?.hno ?? []);
  const texts: string[] = [];
  let left = question.limit;
  let work = 0;
  let next: HistoryPlace | null = null;
  for (const hno of recorder.changedSince(fromUs, only)) {
    if (after !== null && hno < after.game!) continue;
    const fields = recorder.fieldsOf(hno);
    if (fields === undefined || !isOf(fields, question)) continue;
    if (left === 0 || work >= LIMITS.historyWork.max) {
      next = { game: hno, row: 0, atUs: -1 };
      break;
    }
    const event = recorder.event(hno)!;
    const wanted = wantedOf(event, event.rows, question, hasMarket);
    const order = ordered(recorder, event, { ...question, toUs }, wanted);
    work += event.rows.length + order.length;
    const ofGame = after?.game === hno ? after : null;
    const page = write(event, order, { ...question, limit: left, after: ofGame });
    if (page.count > 0) texts.push(page.rows.slice(1, -1));
    left -= page.count;
    if (page.next === null) continue;
    next = { ...page.next, game: hno };
    break;
  }
  const gaps = recorder.gaps.list.filter((gap) => gap.toUs > fromUs && gap.fromUs < toUs);
  return {
    rows: `[${texts.join()}]`,
    count: question.limit - left,
    total: null,
    next,
    gaps: gaps.map((gap) => ({ fromUs: gap.fromUs, toUs: gap.toUs })),
    toUs,
  };
}

function isOf({ sport, league }: EventFields, { sports, leagues }: HistoryQuestion): boolean {
  return (sports === null || sports.includes(sport)) && (leagues === null || leagues.includes(league));
}

function wantedOf(
  event: HistoryEvent,
  rows: readonly HistoryRow[],
  question: HistoryQuestion,
  hasMarket: ((type: string) => boolean) | null,
): Uint8Array {
  const wanted = new Uint8Array(event.rows.length);
  for (const row of rows) wanted[row.place] = isWanted(row, question, hasMarket) ? 1 : 0;
  return wanted;
}

/** Collects the changes; returns their indices, row after row, each in order of time. */
function ordered(
  recorder: Recorder,
  event: HistoryEvent,
  { fromUs, toUs, line, removals }: HistoryQuestion,
  wanted: Uint8Array,
): Uint32Array {
  if (changes.row.length > CHANGES_RETAINED) changes = new Changes();
  changes.count = 0;
  const atLine: ChangeVisitor = (row, atUs, american, decimal, at, flags) => {
    if (at === line) changes.add(row, atUs, american, decimal, at, flags);
  };
  if (removals) recorder.changesAndRemovals(event, fromUs, toUs, changes.add, wanted);
  else recorder.changes(event, fromUs, toUs, line === null ? changes.add : atLine, wanted);
  return byRow(changes.row.subarray(0, changes.count));
}

function isWanted(
  row: HistoryRow,
  { books, selection }: HistoryQuestion,
  hasMarket: ((type: string) => boolean) | null,
): boolean {
  return (
    (hasMarket === null || hasMarket(row.market)) &&
    isAmong(books, row.book) &&
    (selection === null || row.selection.toLowerCase() === selection || row.selectionType === selection)
  );
}

/** @param order indices of the changes, row after row, each in order of time */
function write(
  event: HistoryEvent,
  order: Uint32Array,
  { intervalUs, limit, after, removals }: HistoryQuestion,
): Omit<HistoryAnswer, 'gaps'> {
  const texts: string[] = [];
  let left = limit;
  let total = 0;
  let next: HistoryPlace | null = null;
  for (let begin = 0, end: number; begin < order.length; begin = end) {
    const row = changes.row[order[begin]!]!;
    for (end = begin + 1; end < order.length && changes.row[order[end]!] === row; ) end++;
    const ofRow = order.subarray(begin, end);
    const starts = intervalUs === 0 ? undefined : startsOf(ofRow, intervalUs);
    const count = starts === undefined ? ofRow.length : starts.length;
    total += count;
    if (next !== null || (after !== null && row < after.row)) continue;
    const timeAt = (point: number): number =>
      starts === undefined ? changes.atUs[ofRow[point]!]! : candleUs(ofRow[starts[point]!]!, intervalUs);
    let from = 0;
    if (after?.row === row) while (from < count && timeAt(from) <= after.atUs) from++;
    const to = Math.min(count, from + left);
    const points: string[] = [];
    const gone: string[] = [];
    for (let point = from; point < to; point++)
      if (starts !== undefined) points.push(candleText(ofRow.subarray(starts[point], starts[point + 1]), intervalUs));
      else if (isRemoval(ofRow[point]!)) gone.push(`"${formatUs(timeAt(point))}"`);
      else points.push(changeText(ofRow[point]!));
    if (to > from) {
      const told = removals ? `,"removals":[${gone.join()}]` : '';
      texts.push(`${headOf(event, event.rows[row]!, lineOf(ofRow))},"points":[${points.join()}]${told}}`);
    }
    left -= to - from;
    // No point of the row has been returned: all are still to come.
    if (to < count) next = { row, atUs: to === from && from === 0 ? -1 : timeAt(to - 1) };
  }
  return { rows: `[${texts.join()}]`, count: limit - left, total, next };
}

function isRemoval(change: number): boolean {
  return changes.flags[change]! >= FLAG.removed;
}

/** That of the last price among the row's changes. */
function lineOf(ofRow: Uint32Array): number {
  const last = ofRow.findLast((change) => !isRemoval(change));
  return last === undefined ? Number.NaN : changes.line[last]!;
}

/** Which of a row's changes are the first of a candle. */
function startsOf(ofRow: Uint32Array, intervalUs: number): number[] {
  const starts: number[] = [];
  let before = Number.NaN;
  for (let i = 0; i < ofRow.length; i++) {
    const us = candleUs(ofRow[i]!, intervalUs);
    if (us !== before) starts.push(i);
    before = us;
  }
  return starts;
}

function candleUs(change: number, intervalUs: number): number {
  return Math.floor(changes.atUs[change]! / intervalUs) * intervalUs;
}

function headOf(event: HistoryEvent, row: HistoryRow, line: number): string {
  const { event_id, sport, league } = eventFields(event);
  const { id, book, alternate, opening, removedUs } = row;
  const head = {
    event_id,
    sport,
    league,
    odds_id: id,
    sportsbook: book,
    ...betFields(row),
    is_alternate_line: alternate,
    line: Number.isNaN(line) ? null : line,
    opening: openingFields(opening),
    removed_at: removedUs === 0 ? null : formatUs(removedUs),
  };
  return JSON.stringify(head).slice(0, -1);
}

/** A row's opening, as rows show it with include=opening. */
export interface OpeningFields {
  odds_american: number;
  odds_decimal: number;
  indicative?: true;
  line: number | null;
  /** RFC 3339. */
  at: string;
}

export function openingFields({ american, decimal, line, atUs, indicative }: Point): OpeningFields {
  const price = { odds_american: american, odds_decimal: round6(decimal), ...(indicative ? { indicative } : {}) };
  return { ...price, line, at: formatUs(atUs) };
}

function changeText(change: number): string {
  const { atUs, american, decimal, line, flags } = changes;
  return `{"at":"${formatUs(atUs[change]!)}","odds_american":${american[change]},"odds_decimal":${decimalText(decimal[change]!)},"line":${lineText(line[change]!)}${stateText(flags[change]!)}}`;
}

/** By decimal odds: formatting a double costs as much as the rest of a price, and prices repeat. */
const decimalTexts = new BoundedMap<number, string>(LIMITS.priceTexts.max);

function decimalText(decimal: number): string {
  const known = decimalTexts.get(decimal);
  if (known !== undefined) return known;
  const text = String(round6(decimal));
  decimalTexts.set(decimal, text);
  return text;
}

function lineText(line: number): string {
  return Number.isNaN(line) ? 'null' : String(line);
}

function stateText(flags: number): string {
  const indicative = (flags & FLAG.indicative) === 0 ? '' : ',"indicative":true';
  return `,"is_live":${(flags & FLAG.live) !== 0},"is_active":${(flags & FLAG.inactive) === 0}${indicative}`;
}

/** First, highest, lowest and last price among the candle's changes. */
function candleText(ofCandle: Uint32Array, intervalUs: number): string {
  const { american, decimal, line, flags } = changes;
  const open = ofCandle[0]!;
  const close = ofCandle.at(-1)!;
  let high = open;
  let low = open;
  for (const change of ofCandle) {
    if (decimal[change]! > decimal[high]!) high = change;
    if (decimal[change]! < decimal[low]!) low = change;
  }
  const odds = (change: number): string => decimalText(decimal[change]!);
  return `{"at":"${formatUs(candleUs(open, intervalUs))}","open":${odds(open)},"high":${odds(high)},"low":${odds(low)},"close":${odds(close)},"american":{"open":${american[open]},"high":${american[high]},"low":${american[low]},"close":${american[close]}},"line":${lineText(line[close]!)},"changes":${ofCandle.length}${stateText(flags[close]!)}}`;
}

/** A row's opening or closing price. */
export interface Line {
  row: HistoryRow;
  point: Point;
  /** Whether the row was active at that time; of a closing price: at the close, which may be later. */
  active: boolean;
  /** When its book had taken the row down, if it was not in the table at that time (Unix µs); else 0. */
  removedUs: number;
}

/** Opening prices: for each row the first before its book closed. */
export function openingLines(event: HistoryEvent): Line[] {
  return event.rows
    .filter((row) => row.opening.atUs < closeUs(event, row.book))
    .map((row) => ({ row, point: row.opening, active: row.opening.active, removedUs: 0 }));
}

/**
 * Closing prices: for each row of a book that has closed by `nowUs`, the last before it did. A market of an exchange that
 * was closed before that was suspended first: what was offered after it, if it was opened once more, is no opinion.
 */
export function closingLines(
  recorder: Recorder,
  event: HistoryEvent,
  nowUs: number,
  isExchange: (book: string) => boolean,
): Line[] {
  const closes = new Map<string, number>();
  let latest = 0;
  for (const { book } of event.rows) {
    if (closes.has(book)) continue;
    const at = closeUs(event, book);
    closes.set(book, at);
    if (at <= nowUs) latest = Math.max(latest, at);
  }
  const last: (Point | null)[] = event.rows.map(({ lastBeforeClose }) => lastBeforeClose);
  const active = last.map((point) => point?.active ?? true);
  const isEnded = event.rows.map(
    ({ book, removedUs }) => removedUs !== 0 && removedUs < closes.get(book)! && isExchange(book),
  );
  /** Of those, the price when they were suspended last. */
  const suspended: (Point | null)[] = event.rows.map(() => null);
  /** A row that came back in play was away at the close all the same. */
  const removed = event.rows.map(() => 0);
  recorder.changesAndRemovals(event, 0, latest - 1, (row, atUs, american, decimal, line, flags) => {
    const close = closes.get(event.rows[row]!.book)!;
    if (close > nowUs || atUs >= close) return;
    const isRemoval = (flags & FLAG.removed) !== 0;
    removed[row] = isRemoval ? atUs : 0;
    if (isRemoval) return;
    active[row] = (flags & FLAG.inactive) === 0;
    const before = last[row];
    if (isEnded[row] && !active[row]) suspended[row] = before ?? null;
    const point = changePoint(atUs, american, decimal, line, flags);
    // If the price only went in play or was suspended, as when another book is early, it was captured before.
    if (before === null || before === undefined || !isSamePrice(before, point)) last[row] = point;
  });
  return event.rows.flatMap((row) => {
    const point = suspended[row.place] ?? last[row.place];
    const close = closes.get(row.book)!;
    if (point === null || point === undefined || close > nowUs) return [];
    const removedUs = row.removedUs < close && row.removedUs !== 0 ? row.removedUs : removed[row.place]!;
    return [{ row, point, active: active[row.place]!, removedUs }];
  });
}

function isSamePrice(a: Point, b: Point): boolean {
  return a.decimal === b.decimal && a.american === b.american && a.line === b.line && a.indicative === b.indicative;
}

/** `data` of GET /odds/opening and /odds/closing, as JSON text. */
export function linesAnswer(event: HistoryEvent, lines: readonly Line[], books: readonly string[] | null): string {
  const byBook: Record<string, object[]> = {};
  let capturedUs = 0;
  for (const { row, point } of lines) {
    if (!isAmong(books, row.book)) continue;
    capturedUs = Math.max(capturedUs, point.atUs);
    byBook[row.book] ??= [];
    byBook[row.book]!.push({
      odds_id: row.id,
      sportsbook: row.book,
      ...betFields(row),
      ...(point.line === null ? {} : { line: point.line }),
      is_alternate_line: row.alternate,
      odds_american: point.american,
      odds_decimal: round6(point.decimal),
      ...(point.indicative ? { indicative: true } : {}),
      captured_at: formatUs(point.atUs),
    });
  }
  return JSON.stringify({
    ...eventFields(event),
    captured_at: capturedUs === 0 ? null : formatUs(capturedUs),
    books: byBook,
  });
}
