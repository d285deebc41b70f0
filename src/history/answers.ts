// What is asked of history: the changes of rows, as they were or as candles, and the opening and closing prices of an
// event. Answers are JSON text, made where the changes are read.
import { round6 } from '../model/row-json.js';
import { formatMs, formatUs } from '../model/time.js';
import { changePoint, closeUs, type HistoryEvent, type HistoryRow, type Point } from './event-record.js';
import { FLAG } from './page.js';
import type { Recorder } from './recorder.js';

/** A place in an answer: the row's, and the time (Unix µs) of its last point told. */
export interface HistoryPlace {
  row: number;
  atUs: number;
}

export interface HistoryQuestion {
  /** One of the two. */
  oddsId: string | null;
  event: string | null;
  /** Null is all, as in the next. */
  markets: { exact: readonly string[]; prefixes: readonly string[] } | null;
  books: readonly string[] | null;
  /** Name or type, in lower case. */
  selection: string | null;
  /** Points at this line alone. */
  line: number | null;
  /** Unix µs, both included. */
  fromUs: number;
  toUs: number;
  /** Of candles (µs); 0 is every change. */
  intervalUs: number;
  /** Points, over all rows. */
  limit: number;
  after: HistoryPlace | null;
}

export interface HistoryAnswer {
  /** A JSON array of rows. */
  rows: string;
  /** Points told, and over all pages. */
  count: number;
  total: number;
  /** Where there is more. */
  next: HistoryPlace | null;
  /** Stretches of the time asked for in which changes may be missing (Unix µs). */
  gaps: { fromUs: number; toUs: number }[];
}

/** Points of one row, column by column. */
class Points {
  readonly atUs: number[] = [];
  readonly american: number[] = [];
  readonly decimal: number[] = [];
  readonly line: number[] = [];
  readonly flags: number[] = [];

  add(atUs: number, american: number, decimal: number, line: number, flags: number): void {
    this.atUs.push(atUs);
    this.american.push(american);
    this.decimal.push(decimal);
    this.line.push(line);
    this.flags.push(flags);
  }
}

/** Undefined where history knows nothing of the row or event; `book` where the row is of one that may not be told. */
export function answerHistory(
  recorder: Recorder,
  question: HistoryQuestion,
): HistoryAnswer | { hidden: string } | undefined {
  const { oddsId, event: id, fromUs, toUs, intervalUs, line } = question;
  const event = oddsId === null ? recorder.find(id!) : recorder.findByRow(oddsId);
  if (event === undefined) return undefined;
  const own = oddsId === null ? undefined : event.byId.get(oddsId);
  if (own !== undefined && question.books !== null && !question.books.includes(own.book)) return { hidden: own.book };
  const wanted = own === undefined ? event.rows.filter((row) => isWanted(row, question)) : [own];
  const points: (Points | undefined)[] = [];
  for (const row of wanted) points[row.place] = new Points();
  recorder.changes(event, fromUs, toUs, (row, atUs, american, decimal, at, flags) => {
    if (line === null || at === line) points[row]?.add(atUs, american, decimal, at, flags);
  });
  const gaps = recorder.gaps.within(event.shard, fromUs, toUs).map((gap) => ({ fromUs: gap.fromUs, toUs: gap.toUs }));
  return { ...write(wanted, points, intervalUs, question), gaps };
}

function isWanted(row: HistoryRow, { markets, books, selection }: HistoryQuestion): boolean {
  return (
    (markets === null ||
      markets.exact.includes(row.market) ||
      markets.prefixes.some((prefix) => row.market.startsWith(prefix))) &&
    (books === null || books.includes(row.book)) &&
    (selection === null || row.selection.toLowerCase() === selection || row.selectionType === selection)
  );
}

function write(
  rows: readonly HistoryRow[],
  points: readonly (Points | undefined)[],
  intervalUs: number,
  { limit, after }: HistoryQuestion,
): Omit<HistoryAnswer, 'gaps'> {
  const texts: string[] = [];
  let left = limit;
  let total = 0;
  let next: HistoryPlace | null = null;
  for (const row of rows) {
    const ofRow = points[row.place];
    if (ofRow === undefined || ofRow.atUs.length === 0) continue;
    const starts = startsOf(ofRow, intervalUs);
    total += starts.length;
    if (next !== null || (after !== null && row.place < after.row)) continue;
    let from = 0;
    if (after?.row === row.place)
      while (from < starts.length && timeOf(ofRow, starts[from]!, intervalUs) <= after.atUs) from++;
    const end = Math.min(starts.length, from + left);
    const told = starts.slice(from, end).map((start, i) => {
      if (intervalUs === 0) return changeText(ofRow, start);
      return candleText(ofRow, start, starts[from + i + 1] ?? ofRow.atUs.length, intervalUs);
    });
    if (told.length > 0) texts.push(`${headOf(row, ofRow.line.at(-1)!)},"points":[${told.join()}]}`);
    left -= told.length;
    // Of a row of which nothing was told all is to come.
    if (end < starts.length)
      next = { row: row.place, atUs: end === from && from === 0 ? -1 : timeOf(ofRow, starts[end - 1]!, intervalUs) };
  }
  return { rows: `[${texts.join()}]`, count: limit - left, total, next };
}

/** Places of the changes to tell: all, or the first of each candle. */
function startsOf({ atUs }: Points, intervalUs: number): number[] {
  const starts: number[] = [];
  for (let i = 0; i < atUs.length; i++)
    if (intervalUs === 0 || i === 0 || Math.floor(atUs[i]! / intervalUs) !== Math.floor(atUs[i - 1]! / intervalUs))
      starts.push(i);
  return starts;
}

function timeOf({ atUs }: Points, place: number, intervalUs: number): number {
  return intervalUs === 0 ? atUs[place]! : Math.floor(atUs[place]! / intervalUs) * intervalUs;
}

function headOf(row: HistoryRow, line: number): string {
  const { id, book, market, selection, selectionType, player, stat, team, alternate, opening, removedUs } = row;
  const head = {
    odds_id: id,
    sportsbook: book,
    market_type: market,
    selection,
    selection_type: selectionType,
    ...(player === null ? {} : { player_name: player }),
    ...(stat === null ? {} : { stat_category: stat }),
    ...(team === null ? {} : { team }),
    is_alternate_line: alternate,
    line: Number.isNaN(line) ? null : line,
    opening: openingFields(opening),
    removed_at: removedUs === 0 ? null : formatUs(removedUs),
  };
  return JSON.stringify(head).slice(0, -1);
}

/** A row's opening as rows show it with include=opening. */
export interface OpeningFields {
  odds_american: number;
  odds_decimal: number;
  line: number | null;
  /** RFC 3339. */
  at: string;
}

export function openingFields({ american, decimal, line, atUs }: Point): OpeningFields {
  return { odds_american: american, odds_decimal: round6(decimal), line, at: formatUs(atUs) };
}

function changeText({ atUs, american, decimal, line, flags }: Points, i: number): string {
  return `{"at":"${formatUs(atUs[i]!)}","odds_american":${american[i]},"odds_decimal":${round6(decimal[i]!)},"line":${lineText(line[i]!)},"is_live":${(flags[i]! & FLAG.live) !== 0},"is_active":${(flags[i]! & FLAG.inactive) === 0}}`;
}

function lineText(line: number): string {
  return Number.isNaN(line) ? 'null' : String(line);
}

/** First, highest, lowest and last price of the changes from `open` to before `end`. */
function candleText(points: Points, open: number, end: number, intervalUs: number): string {
  const { american, decimal, line, flags } = points;
  const close = end - 1;
  let high = open;
  let low = open;
  for (let i = open; i < end; i++) {
    if (decimal[i]! > decimal[high]!) high = i;
    if (decimal[i]! < decimal[low]!) low = i;
  }
  const places = { open, high, low, close };
  return JSON.stringify({
    at: formatUs(timeOf(points, open, intervalUs)),
    ...mapped(places, (place) => round6(decimal[place]!)),
    american: mapped(places, (place) => american[place]!),
    line: Number.isNaN(line[close]!) ? null : line[close],
    changes: end - open,
    is_live: (flags[close]! & FLAG.live) !== 0,
    is_active: (flags[close]! & FLAG.inactive) === 0,
  });
}

function mapped<Keys extends string>(places: Record<Keys, number>, value: (place: number) => number): object {
  return Object.fromEntries(Object.entries<number>(places).map(([name, place]) => [name, value(place)]));
}

/** A row's opening or closing price. */
export interface Line {
  row: HistoryRow;
  point: Point;
}

/** Opening prices: of each row the first before its book closed. */
export function openingLines(event: HistoryEvent): Line[] {
  return event.rows
    .filter((row) => row.opening.atUs < closeUs(event, row.book))
    .map((row) => ({ row, point: row.opening }));
}

/** Closing prices: of each row of a book that has closed by `nowUs`, the last before it did. */
export function closingLines(recorder: Recorder, event: HistoryEvent, nowUs: number): Line[] {
  const closes = new Map<string, number>();
  let latest = 0;
  for (const { book } of event.rows) {
    if (closes.has(book)) continue;
    const at = closeUs(event, book);
    closes.set(book, at);
    if (at <= nowUs) latest = Math.max(latest, at);
  }
  const last: (Point | null)[] = event.rows.map(({ kept }) => kept);
  recorder.changes(event, 0, latest - 1, (row, atUs, american, decimal, line, flags) => {
    const close = closes.get(event.rows[row]!.book)!;
    if (close > nowUs || atUs >= close) return;
    const before = last[row];
    // The same price in play or suspended, as it may be where another book is early, has been captured before.
    if (before?.decimal === decimal && before.american === american && Object.is(before.line ?? Number.NaN, line))
      return;
    last[row] = changePoint(atUs, american, decimal, line, flags);
  });
  return event.rows.flatMap((row) => {
    const point = last[row.place];
    return point === null || point === undefined || closes.get(row.book)! > nowUs ? [] : [{ row, point }];
  });
}

/** `data` of GET /odds/opening and /odds/closing, as JSON text. */
export function linesAnswer(event: HistoryEvent, lines: readonly Line[], books: readonly string[] | null): string {
  const byBook: Record<string, object[]> = {};
  let capturedUs = 0;
  for (const { row, point } of lines) {
    if (books !== null && !books.includes(row.book)) continue;
    capturedUs = Math.max(capturedUs, point.atUs);
    byBook[row.book] ??= [];
    byBook[row.book]!.push({
      odds_id: row.id,
      sportsbook: row.book,
      market_type: row.market,
      selection: row.selection,
      selection_type: row.selectionType,
      ...(row.player === null ? {} : { player_name: row.player }),
      ...(row.stat === null ? {} : { stat_category: row.stat }),
      ...(row.team === null ? {} : { team: row.team }),
      ...(point.line === null ? {} : { line: point.line }),
      is_alternate_line: row.alternate,
      odds_american: point.american,
      odds_decimal: round6(point.decimal),
      captured_at: formatUs(point.atUs),
    });
  }
  return JSON.stringify({
    event_id: event.id,
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    event_start_time: formatMs(event.startMs),
    captured_at: capturedUs === 0 ? null : formatUs(capturedUs),
    books: byBook,
  });
}
