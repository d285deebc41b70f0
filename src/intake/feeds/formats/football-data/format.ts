// football-data.co.uk: a season of a league, or all seasons of a league in one file. A row is a game with every
// bookmaker's first and closing prices, and what became of it.
import { DAY_MS, formatMs, HOUR_MS, MINUTE_MS } from '../../../../base/model/time.js';
import { columnsOf, numberOf, rowsOf, type TableHead, type TableRow } from '../../files/table.js';
import { WallClock } from '../../files/zoned-time.js';
import { dayOf } from '../days.js';
import {
  bookMessage,
  type FileFormat,
  type FormatContext,
  type Game,
  type MarketPrices,
  type OpenedFile,
  type Stated,
} from '../format.js';
import type { Place } from '../read-report.js';
import { closeBefore, RESULT_TOLD_AFTER_MS } from '../times.js';
import { type BookColumns, type PriceColumns, priceColumns } from './columns.js';
import { LEAGUE_OF_COUNTRY, LEAGUE_OF_DIVISION } from './leagues.js';
import { readResult, type SeasonRow } from './results.js';
import { SeasonDates } from './season-dates.js';

const SEASON = ['Div', 'Date', 'HomeTeam', 'AwayTeam'];
const ALL_SEASONS = ['Country', 'League', 'Season', 'Date', 'Home', 'Away'];
const has = ({ columns }: TableHead, names: readonly string[]): boolean =>
  names.every((name) => columns.includes(name));

export const footballData: FileFormat = {
  name: 'football-data',
  about: 'football-data.co.uk',
  recognises: ({ table }) => table !== undefined && (has(table, SEASON) || has(table, ALL_SEASONS)),
  read: readSeason,
};

async function* readSeason(file: OpenedFile, context: FormatContext): AsyncGenerator<Stated, void> {
  const { report } = context;
  const head = file.beginning.table!;
  const at = columnsOf(head);
  const prices = priceColumns(head);
  for (const letters of prices.unknown)
    report.leftOut(`no bookmaker is known by the letters ${letters}`, { file: file.name, line: 1 });
  const dates = new SeasonDates<SeasonRow>();
  const bad = (line: number, reason: string): void => report.fault(reason, { file: file.name, line });
  for await (const row of rowsOf(file.bytes, head, bad)) {
    report.rows++;
    const cell = (name: string): string => row.cells[at.get(name) ?? -1] ?? '';
    const season = `${cell('Div')}${cell('Country')} ${cell('Season')}`;
    const day = dayOf(cell('Date'));
    if (day === undefined) bad(row.line, 'Date is not a day');
    else
      for (const dated of dates.add(season, day, { row, cell, number: (name) => numberOf(cell(name), head) }))
        yield* readGame(dated, file.name, prices, head, context);
  }
  for (const dated of dates.end()) yield* readGame(dated, file.name, prices, head, context);
}

function* readGame(
  { of, isApart }: { of: SeasonRow; isApart: boolean },
  file: string,
  prices: PriceColumns,
  head: TableHead,
  { settings, report }: FormatContext,
): Generator<Stated, void> {
  const { row, cell } = of;
  const place: Place = { file, line: row.line };
  if (isApart) return report.fault('Date lies a year or more from the rest of its season', place);
  const home_team = cell('HomeTeam') || cell('Home');
  const away_team = cell('AwayTeam') || cell('Away');
  if (home_team === '' || away_team === '') return report.fault('a team is missing', place);
  const start = startOf(cell('Date'), cell('Time'))!;
  if (start.isAssumed) report.assumed('a start without a time is at 15:00 in London', place);
  const league = settings.league ?? leagueOf(cell('Div'), cell('Country'));
  const game: Game = { league, home_team, away_team, start_time: formatMs(start.ms) };
  const nobodys = prices.nobodys.filter((index) => (row.cells[index] ?? '') !== '').length;
  report.leftOut("Max, Avg and Bb… are nobody's prices", place, nobodys);
  for (const columns of prices.books) {
    const markets = marketsOf(columns, game, row, head, (what) => report.fault(what, place));
    if (markets.length === 0) continue;
    const atMs = columns.isClose ? closeBefore(start.ms) : collectedBefore(start.ms);
    yield { atMs, message: bookMessage(columns.book, formatMs(atMs), game, markets) };
  }
  const result = readResult(of, game, (what) => report.fault(what, place));
  if (result !== undefined) yield { atMs: start.ms + RESULT_TOLD_AFTER_MS, result };
}

function leagueOf(division: string, country: string): string {
  if (division !== '') return LEAGUE_OF_DIVISION.get(division) ?? division.toLowerCase();
  return LEAGUE_OF_COUNTRY.get(country.toLowerCase()) ?? country.toLowerCase().replaceAll(' ', '-');
}

const GOALS = 2.5;

function marketsOf(
  { winner, total, handicap, line }: BookColumns,
  { home_team, away_team }: Game,
  { cells }: TableRow,
  head: TableHead,
  bad: (reason: string) => void,
): MarketPrices[] {
  const markets: MarketPrices[] = [];
  const priceAt = (index: number): number | undefined => {
    const text = cells[index] ?? '';
    const price = numberOf(text, head);
    if (price > 1) return price;
    if (text !== '') bad('a price is not a number above 1');
    return undefined;
  };
  const add = (market_type: string, indexes: readonly number[], sides: readonly Side[]): void => {
    if (indexes.includes(-1)) return;
    const selections = sides.flatMap((side, i) => {
      const odds_decimal = priceAt(indexes[i]!);
      return odds_decimal === undefined ? [] : [{ ...side, odds_decimal }];
    });
    if (selections.length > 0) markets.push({ market_type, selections });
  };
  add('moneyline', winner, [
    { selection: home_team, selection_type: 'home' },
    { selection: 'Draw', selection_type: 'draw' },
    { selection: away_team, selection_type: 'away' },
  ]);
  add('total_goals', total, [
    { selection: 'Over', selection_type: 'over', line: GOALS },
    { selection: 'Under', selection_type: 'under', line: GOALS },
  ]);
  const given = lineOf(cells[line], head);
  if (given !== undefined)
    add('point_spread', handicap, [
      { selection: home_team, selection_type: 'home', line: given },
      { selection: away_team, selection_type: 'away', line: given === 0 ? 0 : -given },
    ]);
  else if (handicap.some((index) => (cells[index] ?? '') !== '')) bad('an Asian handicap has no line');
  return markets;
}

interface Side {
  selection: string;
  selection_type: string;
  line?: number;
}

/** `-1.25`, and as older files write it `-1,-1.5` or `-1 & -1.5`. */
function lineOf(text: string | undefined, head: TableHead): number | undefined {
  if (text === undefined || text === '') return undefined;
  const whole = numberOf(text, head);
  const halves = Number.isNaN(whole) ? text.split(/\s*[,&]\s*/).map(Number) : [whole];
  const line = halves.reduce((sum, half) => sum + half, 0) / halves.length;
  return Number.isFinite(line) && halves.length <= 2 ? line : undefined;
}

// When football-data.co.uk's prices are of, and when its games begin: it writes times of London.

const london = new WallClock('Europe/London');
const USUAL_START_MS = 15 * HOUR_MS;
const COLLECTED_MS = 17 * HOUR_MS;
const TUESDAY = 2;
const FRIDAY = 5;
const TIME = /^(\d{1,2})[:.](\d{2})(?::\d{2})?$/;

interface Start {
  /** Unix ms. */
  ms: number;
  /** The file states no time. */
  isAssumed: boolean;
}

/** Undefined if the day is none. */
function startOf(date: string, time: string): Start | undefined {
  const day = dayOf(date);
  if (day === undefined) return undefined;
  const [, hour, minute] = TIME.exec(time) ?? [];
  const isAssumed = hour === undefined || Number(hour) > 23 || Number(minute) > 59;
  const intoDay = isAssumed ? USUAL_START_MS : Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
  return { ms: london.instant(day + intoDay), isAssumed };
}

/** First prices are collected on Fridays and Tuesdays at 17:00: the last such time before a start (both Unix ms). */
function collectedBefore(startMs: number): number {
  const shown = london.shown(startMs);
  for (let day = Math.floor(shown / DAY_MS) * DAY_MS; ; day -= DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday !== TUESDAY && weekday !== FRIDAY) continue;
    const collected = london.instant(day + COLLECTED_MS);
    if (collected < startMs) return collected;
  }
}
