// Tables with one price a row, under our names of columns or others that --map gives.

import { unescapeFormulas } from '../../../../base/model/formula-text.js';
import { jsonOf } from '../../../../base/model/json-map.js';
import { LIMITS } from '../../../../base/model/limits.js';
import {
  americanFromDecimal,
  decimalFromAmerican,
  parseAmerican,
  parseDecimal,
  plainMinus,
  roundTo,
} from '../../../../base/model/price.js';
import { formatMs } from '../../../../base/model/time.js';
import { ownName } from '../../../../rules/catalogue/private-book.js';
import { agrees } from '../../../ingest/fields.js';
import type { IngestMessage } from '../../../ingest/message.js';
import { columnsOf, numberOf, rowsOf, type TableHead, type TableRow, withPoint } from '../../files/table.js';
import { type ExportedLine, exportedMessages, SELECTIONS_TOGETHER, statedPrice } from '../exported-rows.js';
import {
  type Beginning,
  bookMessage,
  type FileFormat,
  type FormatCatalogue,
  type FormatContext,
  type FormatSettings,
  type Game,
  type MarketPrices,
  type MessageMaker,
  type OpenedFile,
  type Stated,
} from '../format.js';
import { LocalTimes, type MonthPlace, monthIn } from '../times.js';

/** Other names of columns that mean the same without --map. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  at: ['polled_at', 'timestamp'],
  sportsbook: ['book', 'bookmaker'],
  event_start_time: ['start_time', 'commence_time'],
};
const NEEDED = ['at', 'sportsbook', 'home_team', 'away_team', 'event_start_time', 'market_type'];
/** The columns of these say which book, game and time a row is of. */
const SIGHTING = ['at', 'sportsbook', 'league', 'home_team', 'away_team', 'event_start_time', 'is_live', 'kind'];
const OF_SELECTION = ['selection', 'selection_type', 'line', 'odds_american', 'odds_decimal'];
const OF_MARKET = ['market_type', 'player_name', 'team', 'stat_category', 'commission'];
const MARKS = ['is_active', 'is_alternate_line', 'indicative', 'is_removed'];
const YES_OR_NO = [...MARKS, 'is_live'];
/** Columns of exports of history, where every decimal price has all its places. */
const OF_EXPORT = ['odds_id', 'event_id'];
/** All that a row may have, under our names. */
export const COLUMNS: readonly string[] = [
  ...new Set([...NEEDED, ...SIGHTING, ...OF_SELECTION, ...OF_MARKET, ...MARKS, ...OF_EXPORT]),
];
/** An id that a spreadsheet took for a number, of which it keeps 15 digits: several rows may have it. */
const ROUNDED_ID = /^\d(?:[.,]\d+)?E\+\d+$|^\d{15}0+$/i;

export const csv: FileFormat = {
  name: 'csv',
  about: "one price a row under this program's names of columns, or others with `--map`",
  recognises: ({ table }: Beginning) => table !== undefined && missingIn(columnsOf(table), undefined).length === 0,
  read: readTable,
  ordered,
};

function indexOf(
  at: ReadonlyMap<string, number>,
  name: string,
  names: ReadonlyMap<string, string> | undefined,
): number {
  const theirs = names?.get(name);
  if (theirs !== undefined) return at.get(theirs) ?? -1;
  return [name, ...(SYNONYMS[name] ?? [])].map((each) => at.get(each) ?? -1).find((index) => index !== -1) ?? -1;
}

function missingIn(at: ReadonlyMap<string, number>, names: ReadonlyMap<string, string> | undefined): string[] {
  const has = (name: string): boolean => indexOf(at, name, names) !== -1;
  const missing = NEEDED.filter((name) => !has(name));
  if (!has('odds_american') && !has('odds_decimal')) missing.push('odds_decimal or odds_american');
  if (!has('selection') && !has('selection_type')) missing.push('selection');
  return missing;
}

interface Gathered {
  sighting: Sighting;
  markets: Map<string, MarketPrices>;
  selections: number;
}

async function* readTable(
  file: OpenedFile,
  { settings, leagues, report }: FormatContext,
): AsyncGenerator<Stated, void> {
  const head = file.beginning.table;
  if (head === undefined) return report.fault('no table', { file: file.name });
  const read = new RowReader(head, settings, leagues);
  if (read.missing.length > 0)
    return report.fault(`no column ${read.missing.join(', ')}: --map names it`, { file: file.name, line: 1 });
  let gathered: Gathered | undefined;
  const bad = (line: number, reason: string): void => report.fault(reason, { file: file.name, line });
  const undecided = (line: number): void => report.assumed(DAY_FIRST, { file: file.name, line });
  for await (const { line, cells } of inOneOrder(rowsOf(file.bytes, head, bad), read, undecided)) {
    report.rows++;
    const price = read.price(cells);
    if (typeof price === 'string') {
      bad(line, price);
      continue;
    }
    if (read.isExport) {
      yield { atMs: price.sighting.atMs, raw: JSON.stringify(read.exported(price, cells)) };
      continue;
    }
    if (
      gathered !== undefined &&
      (gathered.sighting !== price.sighting || gathered.selections >= SELECTIONS_TOGETHER)
    ) {
      yield stated(gathered);
      gathered = undefined;
    }
    gathered ??= { sighting: price.sighting, markets: new Map(), selections: 0 };
    gathered.selections++;
    const { market, selection } = price;
    const known = gathered.markets.get(market.key);
    if (known !== undefined) known.selections.push(selection);
    else gathered.markets.set(market.key, { ...market.fields, selections: [selection] });
  }
  if (gathered !== undefined) yield stated(gathered);
}

const DAY_FIRST = 'dates whose month may be the first or the second number are day before month';
const WAITING_MAX = LIMITS.undecidedRows.max;

/** The rows; where dates may be read in two ways, once a row has one that may not: it tells how the file's are meant. */
async function* inOneOrder(
  rows: AsyncIterable<TableRow>,
  read: RowReader,
  undecided: (line: number) => void,
): AsyncGenerator<TableRow, void> {
  // As texts: arrays of cells take several times the memory.
  const waiting: string[] = [];
  let firstLine = 0;
  let isDecided = false;
  for await (const row of rows) {
    const month: MonthPlace = isDecided ? undefined : read.monthIn(row.cells);
    if (month === 'either') firstLine ||= row.line;
    if (month === 'either' && waiting.length < WAITING_MAX) {
      waiting.push(JSON.stringify(row));
      continue;
    }
    if (month === 'either') undecided(firstLine);
    isDecided ||= month !== undefined;
    if (month === 'first') read.readMonthsFirst();
    if (isDecided) for (const text of waiting.splice(0)) yield JSON.parse(text) as TableRow;
    yield row;
  }
  if (waiting.length > 0) undecided(firstLine);
  for (const text of waiting) yield JSON.parse(text) as TableRow;
}

/** Of an export, whose rows stand game by game: those of one instant are gathered once all is in order. */
function ordered(): MessageMaker {
  let lines: ExportedLine[] = [];
  let lastMs = 0;
  return {
    messages: (atMs, raw) => {
      lastMs = atMs;
      lines.push(JSON.parse(raw) as ExportedLine);
      return [];
    },
    instant: () => {
      const told = lines;
      lines = [];
      return exportedMessages(formatMs(lastMs), told);
    },
  };
}

/** A row says nothing of prices that have no row. */
function stated({ sighting: { atMs, book, game, isLive, isModel }, markets }: Gathered): Stated {
  const message = bookMessage(book, formatMs(atMs), game, [...markets.values()], isLive ? { is_live: true } : {});
  return { atMs, message: { ...message, ...(isModel ? { kind: 'model' } : {}), scope: 'none' } as IngestMessage };
}

type Selection = MarketPrices['selections'][number];

/** Which book showed which game when. */
interface Sighting {
  atMs: number;
  book: string;
  game: Game;
  isLive: boolean;
  isModel: boolean;
}

interface PriceRow {
  /** One object for rows of one message that follow each other. */
  sighting: Sighting;
  market: { key: string; fields: MarketFields };
  selection: Selection;
}

type MarketFields = Omit<MarketPrices, 'selections'>;

class RowReader {
  readonly missing: readonly string[];
  readonly isExport: boolean;
  readonly #head: TableHead;
  readonly #at = new Map<string, number>();
  readonly #league: string | undefined;
  readonly #leagues: FormatCatalogue;
  readonly #timezone: string | undefined;
  #times: LocalTimes;
  /** Of the cells that say which book, game and time a row is of. */
  readonly #sightingAt: readonly number[];
  #last: { cells: readonly string[]; sighting: Sighting } | undefined;

  constructor(head: TableHead, { columns: names, league, timezone }: FormatSettings, leagues: FormatCatalogue) {
    this.#head = head;
    this.#league = league;
    this.#leagues = leagues;
    this.#timezone = timezone;
    this.#times = new LocalTimes(timezone);
    const columns = columnsOf(head);
    this.missing = missingIn(columns, names);
    for (const name of COLUMNS) this.#at.set(name, indexOf(columns, name, names));
    this.isExport = OF_EXPORT.every((name) => columns.has(name));
    this.#sightingAt = SIGHTING.map((name) => this.#at.get(name)!).filter((index) => index !== -1);
    if (league === undefined && this.#at.get('league') === -1) this.missing = [...this.missing, 'league'];
  }

  /** As of a time: what those of the row say of it, all in all. */
  monthIn(cells: readonly string[]): MonthPlace {
    const cell = this.#reader(cells);
    const months = ['at', 'event_start_time'].map((name) => monthIn(cell(name)));
    return months.find((month) => month !== undefined && month !== 'either') ?? months.find((month) => month);
  }

  readMonthsFirst(): void {
    this.#times = new LocalTimes(this.#timezone, true);
  }

  /** Returns why the row is none, if so. */
  price(cells: readonly string[]): PriceRow | string {
    const cell = this.#reader(cells);
    // Read as false, what is not on offer would be a price.
    const unclear = YES_OR_NO.find((name) => flagIn(cell(name)) === undefined);
    if (unclear !== undefined) return `${unclear} is neither true nor false`;
    const sighting = this.#sighting(cells);
    if (typeof sighting === 'string') return sighting;
    const selection = this.#selection(cell, sighting.game);
    if (typeof selection === 'string') return selection;
    const stated = OF_MARKET.map((name) => cell(name));
    if (stated[0] === '') return 'market_type is missing';
    const fields: Record<string, unknown> = {};
    for (const [i, name] of OF_MARKET.entries()) if (stated[i] !== '') fields[name] = stated[i];
    // As people write it: `Match Odds`.
    fields['market_type'] = stated[0]!.trim().toLowerCase().replace(/[ -]+/g, '_');
    if (fields['commission'] !== undefined) {
      const commission = jsonOf(String(fields['commission']));
      if (commission === undefined) return 'commission is no JSON';
      fields['commission'] = commission;
    }
    return { sighting, market: { key: stated.join('\n'), fields: fields as MarketFields }, selection };
  }

  /** A row of an export, as price() has read it. */
  exported({ sighting, market, selection }: PriceRow, cells: readonly string[]): ExportedLine {
    const { book, game: event, isLive, isModel } = sighting;
    const cell = this.#reader(cells);
    const { selection: name, selection_type, is_alternate_line, line } = selection;
    const id = cell('odds_id');
    const oddsId = ROUNDED_ID.test(id)
      ? [market.key, name, selection_type, is_alternate_line ? line : ''].join('\n')
      : id;
    const eventId = cell('event_id');
    return { oddsId, eventId, book, isModel, isLive, event, market: market.fields, selection };
  }

  /** The same object for rows that follow each other and are of one book, game and time. */
  #sighting(cells: readonly string[]): Sighting | string {
    const last = this.#last;
    if (last !== undefined && this.#sightingAt.every((index) => cells[index] === last.cells[index]))
      return last.sighting;
    const cell = this.#reader(cells);
    const [at, start] = [this.#times.read(cell('at')), this.#times.read(cell('event_start_time'))];
    if (typeof at === 'string') return `at is ${at}`;
    if (typeof start === 'string') return `event_start_time is ${start}`;
    const game: Game = {
      league: this.#league ?? cell('league'),
      home_team: cell('home_team'),
      away_team: cell('away_team'),
      start_time: formatMs(start),
    };
    const book = ownName(cell('sportsbook'));
    if (book === '' || game.home_team === '' || game.away_team === '' || game.league === '')
      return 'a sportsbook, league or team is missing';
    const kind = cell('kind').toLowerCase();
    if (!['', 'book', 'model'].includes(kind)) return 'kind is neither book nor model';
    const isModel = kind === 'model';
    const sighting: Sighting = { atMs: at, book, game, isLive: isTrue(cell('is_live')), isModel };
    this.#last = { cells, sighting };
    return sighting;
  }

  #reader(cells: readonly string[]): (name: string) => string {
    return (name) => {
      const text = cells[this.#at.get(name)!] ?? '';
      return text.startsWith("'") ? unescapeFormulas(text) : text;
    };
  }

  #selection(cell: (name: string) => string, game: Game): Selection | string {
    const isRemoved = isTrue(cell('is_removed'));
    const price = isRemoved ? {} : this.#price(cell('odds_american'), cell('odds_decimal'));
    if (typeof price === 'string') return price;
    const line = cell('line') === '' ? undefined : numberOf(cell('line'), this.#head);
    if (line !== undefined && Number.isNaN(line)) return 'line is not a number';
    const type = (cell('selection_type') || typeOf(cell('selection'), game, this.#leagues)).toLowerCase();
    if (type === '') return 'selection is missing';
    const name =
      cell('selection') ||
      (type === 'home' ? game.home_team : type === 'away' ? game.away_team : cell('selection_type'));
    const named = {
      selection: name,
      selection_type: type,
      ...(line === undefined ? {} : { line }),
      ...(isTrue(cell('is_alternate_line')) ? { is_alternate_line: true } : {}),
    };
    if (isRemoved) return { ...named, is_removed: true };
    return {
      ...named,
      ...price,
      ...(flagIn(cell('is_active')) === false ? { is_active: false } : {}),
      ...(isTrue(cell('indicative')) ? { indicative: true } : {}),
    };
  }

  /**
   * The form in which the book stated it, where the row has both. Elsewhere than in an export the decimal one may be rounded
   * to any number of places: it is the stated one only where it says more than the American one would.
   */
  #price(americanCell: string, decimalCell: string): StatedPrice | string {
    const american = parseAmerican(THOUSANDS.test(americanCell) ? americanCell.replaceAll(',', '') : americanCell);
    const decimal = parseDecimal(withPoint(decimalCell, this.#head));
    if (decimal === undefined) return american === undefined ? 'no price above 1' : { odds_american: american };
    if (american === undefined) return { odds_decimal: decimal };
    if (!agrees(decimal, decimalFromAmerican(american))) return 'odds_american and odds_decimal are two prices';
    if (this.isExport) return statedPrice(american, decimal);
    const isAmerican =
      americanFromDecimal(decimal) !== american ||
      roundTo(decimalFromAmerican(american), placesOf(decimalCell)) === decimal;
    return isAmerican ? { odds_american: american } : { odds_decimal: decimal };
  }
}

/** Of American odds, which have no decimals in such a form. */
const THOUSANDS = /^\D?\d{1,3}(?:,\d{3})+$/;

type StatedPrice = { odds_american: number } | { odds_decimal: number };

/** Digits behind the point or comma, up to nine. */
function placesOf(text: string): number {
  return /[.,](\d{1,9})/.exec(text)?.[1]?.length ?? 0;
}

function typeOf(selection: string, game: Game, leagues: FormatCatalogue): string {
  const name = selection.trim().toLowerCase();
  if (/^(?:draw|tie|x)$/.test(name)) return 'draw';
  return /^(?:over|under|yes|no)\b/.exec(name)?.[0] ?? sideNamed(name, game, leagues) ?? name;
}

/** Behind a team its line may stand. */
const LINE_BEHIND = /\s+[+-]?\d+(?:[.,]\d+)?$/;

/** The side of a team in any of its spellings. */
function sideNamed(name: string, { league, home_team, away_team }: Game, leagues: FormatCatalogue) {
  const id = leagues.leagueOf(league)?.id ?? league;
  const token = (team: string): string => leagues.resolveTeam(id, team).token;
  const [home, away] = [token(home_team), token(away_team)];
  for (const each of [name, plainMinus(name).replace(LINE_BEHIND, '')]) {
    if (each === home_team.toLowerCase() || token(each) === home) return 'home';
    if (each === away_team.toLowerCase() || token(each) === away) return 'away';
  }
  return undefined;
}

/** As spreadsheets of other languages print them. */
const TRUE_WORDS =
  'wahr vrai verdadero verdadeiro vero cert waar sant sand sann tosi prawda pravda igaz adevărat doğru istina истина істина';
const FALSE_WORDS =
  'falsch faux falso fals onwaar falskt falsk usann epätosi fałsz nepravda hamis yanliş laž ложь хибність';

/** As programs, databases and data frames print them; null says nothing. */
const FLAGS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['true', 't', 'yes', 'y', '1', '1.0', ...TRUE_WORDS.split(' ')].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', '0.0', ...FALSE_WORDS.split(' ')].map((word) => [word, false] as const),
  ...['', 'null', 'none', 'nan', '\\n'].map((word) => [word, null] as const),
]);

/** Undefined for another word. */
function flagIn(text: string): boolean | null | undefined {
  return text === '' ? null : FLAGS.get(text.toLowerCase());
}

function isTrue(text: string): boolean {
  return flagIn(text) === true;
}
