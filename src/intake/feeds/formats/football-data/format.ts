// football-data.co.uk: a season of a league, or all seasons of a league in one file. A row is a game with every
// bookmaker's first and closing prices, and what became of it.

import { DAY_MS, formatMs, HOUR_MS, MINUTE_MS } from '../../../../base/model/time.js';
import { columnsOf, numberOf, type TableHead } from '../../files/table.js';
import {
  bookMessage,
  type FileFormat,
  type FormatContext,
  type Game,
  type MarketPrices,
  type NamedRow,
  namedRows,
  type OpenedFile,
  type Stated,
  type StatedResult,
  scoreIn,
  selectionsOf,
} from '../format.js';
import { closeBefore, dayOf, RESULT_TOLD_AFTER_MS, WallClock } from '../times.js';

// The leagues of football-data.co.uk: its divisions, and the countries whose leagues have one file for all seasons.

/** By `Div`. */
const LEAGUE_OF_DIVISION: ReadonlyMap<string, string> = new Map([
  ['E0', 'epl'],
  ['E1', 'efl-championship'],
  ['E2', 'efl-league-one'],
  ['E3', 'efl-league-two'],
  ['EC', 'national-league'],
  ['SC0', 'scottish-premiership'],
  ['SC1', 'scottish-championship'],
  ['SC2', 'scottish-league-one'],
  ['SC3', 'scottish-league-two'],
  ['D1', 'bundesliga'],
  ['D2', '2-bundesliga'],
  ['I1', 'serie-a'],
  ['I2', 'serie-b'],
  ['SP1', 'la-liga'],
  ['SP2', 'la-liga-2'],
  ['F1', 'ligue-1'],
  ['F2', 'ligue-2'],
  ['N1', 'eredivisie'],
  ['B1', 'belgian-pro-league'],
  ['P1', 'primeira-liga'],
  ['T1', 'super-lig'],
  ['G1', 'super-league-greece'],
]);

/** By `Country`, in lower case. */
const LEAGUE_OF_COUNTRY: ReadonlyMap<string, string> = new Map([
  ['argentina', 'argentina-primera'],
  ['austria', 'austrian-bundesliga'],
  ['brazil', 'brasileirao'],
  ['china', 'chinese-super-league'],
  ['denmark', 'danish-superliga'],
  ['finland', 'veikkausliiga'],
  ['ireland', 'league-of-ireland'],
  ['japan', 'j-league'],
  ['mexico', 'liga-mx'],
  ['norway', 'eliteserien'],
  ['poland', 'ekstraklasa'],
  ['romania', 'romanian-superliga'],
  ['russia', 'russian-premier-league'],
  ['sweden', 'allsvenskan'],
  ['switzerland', 'swiss-super-league'],
  ['usa', 'mls'],
]);

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
  const prices = priceColumns(head);
  for (const letters of prices.unknown)
    report.leftOut(`no bookmaker is known by the letters ${letters}`, { file: file.name, line: 1 });
  const dates = new SeasonDates<NamedRow>();
  for await (const row of namedRows(file, report)) {
    const { cell, place } = row;
    const season = `${cell('Div')}${cell('Country')} ${cell('Season')}`;
    const day = dayOf(cell('Date'));
    if (day === undefined) report.fault('Date is not a day', place);
    else for (const dated of dates.add(season, day, row)) yield* readGame(dated, prices, head, context);
  }
  for (const dated of dates.end()) yield* readGame(dated, prices, head, context);
}

function* readGame(
  { of, isApart }: { of: NamedRow; isApart: boolean },
  prices: PriceColumns,
  head: TableHead,
  { settings, report }: FormatContext,
): Generator<Stated, void> {
  const { cell, cells, place } = of;
  if (isApart) return report.fault('Date lies a year or more from the rest of its season', place);
  const home_team = cell('HomeTeam') || cell('Home');
  const away_team = cell('AwayTeam') || cell('Away');
  if (home_team === '' || away_team === '') return report.fault('a team is missing', place);
  const start = startOf(cell('Date'), cell('Time'))!;
  if (start.isAssumed) report.assumed('a start without a time is at 15:00 in London', place);
  const league = settings.league ?? leagueOf(cell('Div'), cell('Country'));
  const game: Game = { league, home_team, away_team, start_time: formatMs(start.ms) };
  const nobodys = prices.nobodys.filter((index) => (cells[index] ?? '') !== '').length;
  report.leftOut("Max, Avg and Bb… are nobody's prices", place, nobodys);
  for (const columns of prices.books) {
    const markets = marketsOf(columns, game, cells, head, (what) => report.fault(what, place));
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
  game: Game,
  cells: readonly string[],
  head: TableHead,
  bad: (reason: string) => void,
): MarketPrices[] {
  const markets: MarketPrices[] = [];
  const { home, draw, away, over, under } = selectionsOf(game);
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
  add('moneyline', winner, [home, draw, away]);
  add('total_goals', total, [
    { ...over, line: GOALS },
    { ...under, line: GOALS },
  ]);
  const given = lineOf(cells[line], head);
  if (given !== undefined)
    add('point_spread', handicap, [
      { ...home, line: given },
      { ...away, line: 0 - given },
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

// Tells a game's wrong date by the games beside it in its season's file, which is in the order of their dates.

interface Dated<Of> {
  day: number;
  of: Of;
}

interface Judged<Of> {
  of: Of;
  /** A year or more from the rest of its season. */
  isApart: boolean;
}

/** Games on either side that a date is compared with. */
const BESIDE = 20;
const APART_MS = 365 * DAY_MS;
/** With one other game nothing says which of the two is wrong. */
const GAMES_LEAST = 3;

class SeasonDates<Of> {
  #season = '';
  #games: Dated<Of>[] = [];
  /** How many at the beginning are judged and are kept for those after them. */
  #judged = 0;

  /** Returns what is judged by now. */
  *add(season: string, day: number, of: Of): Generator<Judged<Of>, void> {
    if (season !== this.#season) {
      yield* this.end();
      this.#season = season;
    }
    this.#games.push({ day, of });
    if (this.#games.length - this.#judged <= BESIDE) return;
    yield this.#judge(this.#judged++);
    if (this.#judged > BESIDE) {
      this.#games.shift();
      this.#judged--;
    }
  }

  *end(): Generator<Judged<Of>, void> {
    while (this.#judged < this.#games.length) yield this.#judge(this.#judged++);
    this.#games = [];
    this.#judged = 0;
  }

  #judge(index: number): Judged<Of> {
    const { day, of } = this.#games[index]!;
    if (this.#games.length < GAMES_LEAST) return { of, isApart: false };
    const days = this.#games.map((game) => game.day).sort((a, b) => a - b);
    return { of, isApart: Math.abs(day - days[days.length >> 1]!) >= APART_MS };
  }
}

// What became of a game of football-data.co.uk: goals with those of the halves, corners and cards.

/** By our statistic: the columns of both teams, those of a second card of the same kind. */
const STATS = {
  corners: [['HC'], ['AC']],
  yellow_cards: [['HY'], ['AY']],
  red_cards: [['HR'], ['AR']],
  cards: [
    ['HY', 'HR'],
    ['AY', 'AR'],
  ],
  shots: [['HS'], ['AS']],
  shots_on_target: [['HST'], ['AST']],
  fouls: [['HF'], ['AF']],
} as const;

/** Undefined for a game that is not over. */
function readResult(row: NamedRow, game: Game, bad: (reason: string) => void): StatedResult | undefined {
  const stated = (names: readonly string[]): string[] => names.map(row.cell).filter((text) => text !== '');
  const scores = [
    ['FTHG', 'HG'],
    ['FTAG', 'AG'],
  ].map((names) => stated(names)[0]);
  if (scores.every((text) => text === undefined)) return undefined;
  const [home_score, away_score] = scores.map(scoreIn) as [number, number];
  if (Number.isNaN(home_score + away_score)) {
    bad('a score is not a whole number');
    return undefined;
  }
  return {
    ...game,
    status: 'final',
    home_score,
    away_score,
    ...halvesOf(row, home_score, away_score),
    ...statsOf(row),
  };
}

function halvesOf(row: NamedRow, home: number, away: number): StatedResult {
  const [first, second] = [scoreIn(row.cell('HTHG')), scoreIn(row.cell('HTAG'))];
  if (!(first <= home && second <= away)) return {};
  return {
    parts: [
      { part: 'h1', home_score: first, away_score: second },
      { part: 'h2', home_score: home - first, away_score: away - second },
    ],
  };
}

function statsOf(row: NamedRow): StatedResult {
  const stats: Record<string, { home: number; away: number }> = {};
  for (const [name, sides] of Object.entries(STATS)) {
    const [home, away] = sides.map((columns) =>
      columns.reduce((sum, column) => sum + scoreIn(row.cell(column)), 0),
    ) as [number, number];
    if (!Number.isNaN(home + away)) stats[name] = { home, away };
  }
  return Object.keys(stats).length === 0 ? {} : { stats };
}

// Which columns of a football-data.co.uk table hold whose prices. A column's name is the bookmaker's letters, C at the
// close, and the side; totals are of 2.5 goals, and the Asian handicap of all bookmakers is in one column, or in one of
// the bookmaker's own.

/** Sportsbook ids with their letters; Pinnacle has PS in the winner and P elsewhere. */
const BOOKS: readonly (readonly [book: string, ...letters: string[]])[] = [
  ['onexbet', '1XB'],
  ['bet365', 'B365'],
  ['betfair_sb_uk', 'BF'],
  ['betfred_uk', 'BFD'],
  ['betfair', 'BFE'],
  ['betmgm', 'BMGM'],
  ['bluesquare', 'BS'],
  ['betvictor', 'BV', 'VC'],
  ['bwin', 'BW'],
  ['coral', 'CL'],
  ['gamebookers', 'GB'],
  ['interwetten', 'IW'],
  ['ladbrokes_uk', 'LB'],
  ['pinnacle', 'P', 'PS'],
  ['sportingbet', 'SB'],
  ['stanjames', 'SJ'],
  ['sportingodds', 'SO'],
  ['stanleybet', 'SY'],
  ['williamhill', 'WH'],
];

/** Highest and mean prices are offered by nobody. */
const NOBODYS = /^(?:Max|Avg|Bb)/;
/** A winner's price of letters that are not known. */
const WINNER = /^([A-Z0-9]{2,5}?)(C?)([HDA])$/;

/** Where in a row one bookmaker's prices of one time are; -1: nowhere. */
interface BookColumns {
  book: string;
  isClose: boolean;
  /** Home, draw, away. */
  winner: readonly number[];
  /** Over, under 2.5. */
  total: readonly number[];
  /** Home, away. */
  handicap: readonly number[];
  /** Of the home team. */
  line: number;
}

interface PriceColumns {
  books: readonly BookColumns[];
  /** Of nobody's prices. */
  nobodys: readonly number[];
  /** Letters of bookmakers that are not known. */
  unknown: readonly string[];
}

function priceColumns(head: TableHead): PriceColumns {
  const at = columnsOf(head);
  const named = (name: string): number => at.get(name) ?? -1;
  /** Those of the first letters that have all of the columns; the last ones' otherwise. */
  const firstOf = (letters: readonly string[], columnsOfLetters: (of: string) => string[]): readonly number[] => {
    const found = letters.map((of) => columnsOfLetters(of).map(named));
    return found.find((indexes) => !indexes.includes(-1)) ?? found.at(-1)!;
  };
  const books: BookColumns[] = [];
  const known = new Set<string>();
  for (const close of ['', 'C'])
    for (const [book, ...all] of BOOKS) {
      const letters = all.map((of) => of + close);
      const winnerOf = (of: string): string[] => ['H', 'D', 'A'].map((side) => `${of}${side}`);
      for (const name of letters.flatMap(winnerOf)) known.add(name);
      const columns = {
        winner: firstOf(letters, winnerOf),
        total: firstOf(letters, (of) => [`${of}>2.5`, `${of}<2.5`]),
        handicap: firstOf(letters, (of) => [`${of}AHH`, `${of}AHA`]),
      };
      if (Object.values(columns).every((indexes) => indexes.includes(-1))) continue;
      const lines = [...letters.map((of) => `${of}AH`), `AH${close}h`, `Bb${close}AHh`];
      const line = lines.map(named).find((index) => index !== -1) ?? -1;
      books.push({ book, isClose: close !== '', ...columns, line });
    }
  const nobodys = [...at].filter(([name]) => NOBODYS.test(name) && !name.endsWith('h')).map(([, index]) => index);
  return { books, nobodys, unknown: unknownIn(at, known) };
}

function unknownIn(at: ReadonlyMap<string, number>, known: ReadonlySet<string>): string[] {
  const letters = new Set<string>();
  for (const name of at.keys()) {
    const [, of, close] = WINNER.exec(name) ?? [];
    if (of === undefined || known.has(name) || NOBODYS.test(name)) continue;
    if (['H', 'D', 'A'].every((side) => at.has(`${of}${close}${side}`))) letters.add(of);
  }
  return [...letters];
}
