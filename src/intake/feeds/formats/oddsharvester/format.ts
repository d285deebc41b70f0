// OddsHarvester's JSON and CSV: a match with a list of bookmakers' prices for each market, as they were scraped, and where
// it was asked for the history of each price.
import { isMap, jsonOf } from '../../../../base/model/json-map.js';
import { LIMITS } from '../../../../base/model/limits.js';
import { decimalFromFraction, isDecimalPrice, plainMinus } from '../../../../base/model/price.js';
import { formatMs } from '../../../../base/model/time.js';
import { lineTypes } from '../../../../rules/markets/aliases.js';
import { jsonValues } from '../../files/lines.js';
import {
  type Beginning,
  bookMessage,
  type FileFormat,
  type FormatContext,
  type Game,
  namedRows,
  type OpenedFile,
  type Stated,
  scoreIn,
  selectionsOf,
} from '../format.js';
import type { Place } from '../read-report.js';
import { closeBefore, isSurelyOver, LocalTimes, RESULT_TOLD_AFTER_MS } from '../times.js';

const MARKET = /_market$/;
/** What a match has that was scraped while it was played, in its link, or as a field. */
const IN_PLAY_LINK = /\/inplay-odds\b/;
const IN_PLAY_FIELDS = ['live_period', 'live_score_raw'];

export const oddsharvester: FileFormat = {
  name: 'oddsharvester',
  about: 'JSON and CSV of OddsHarvester',
  recognises: ({ text, table }: Beginning) =>
    table !== undefined
      ? ['home_team', 'away_team', 'match_date'].every((name) => table.columns.includes(name)) &&
        table.columns.some((name) => MARKET.test(name) || name === 'match_link')
      : /^\s*[[{]/.test(text) && /"match_date"\s*:/.test(text) && /"(?:[\w+.-]+_market|match_link)"\s*:/.test(text),
  read: readMatches,
};

const UTC = new LocalTimes('UTC');

type Match = Readonly<Record<string, unknown>>;

async function* readMatches(file: OpenedFile, context: FormatContext): AsyncGenerator<Stated, void> {
  // Times of the history are those of the browser that scraped it.
  const times = new LocalTimes(context.settings.timezone ?? 'UTC');
  for await (const { match, place } of matchesIn(file, context))
    yield* new MatchReader(match, place, context, times).read();
}

async function* matchesIn(
  file: OpenedFile,
  { report }: FormatContext,
): AsyncGenerator<{ match: Match; place: Place }, void> {
  const head = file.beginning.table;
  if (head !== undefined) {
    const names = head.columns.filter((name) => name !== '');
    for await (const { place, cell } of namedRows(file, report))
      yield { match: Object.fromEntries(names.map((name) => [name, cell(name)])), place };
    return;
  }
  for await (const { line, text } of jsonValues(file.bytes, LIMITS.exchangeLine.max)) {
    report.rows++;
    const place = { file: file.name, line };
    const match = text === undefined ? undefined : jsonOf(text);
    if (isMap(match)) yield { match, place };
    else report.fault(text === undefined ? 'too long, or cut short' : 'not JSON', place);
  }
}

class MatchReader {
  readonly #match: Match;
  readonly #place: Place;
  readonly #context: FormatContext;
  readonly #times: LocalTimes;

  constructor(match: Match, place: Place, context: FormatContext, times: LocalTimes) {
    this.#match = match;
    this.#place = place;
    this.#context = context;
    this.#times = times;
  }

  *read(): Generator<Stated, void> {
    const startMs = this.#times.read(this.#text('match_date'));
    const [home_team, away_team] = [this.#text('home_team'), this.#text('away_team')];
    if (typeof startMs === 'string') return this.#bad(`match_date is ${startMs}`);
    if (home_team === '' || away_team === '') return this.#bad('a team is missing');
    const path = /oddsportal\.[a-z.]+\/(?:[a-z]{2}\/)?([^#?]*)/.exec(this.#text('match_link'))?.[1]?.split('/') ?? [];
    const league = this.#league(path);
    const said = this.#text('sport') || path[0];
    const sport = said ? sportNamed(said) : (this.#context.leagues.leagueOf(league)?.sport ?? '');
    const game: Game = { league, home_team, away_team, start_time: formatMs(startMs) };
    for (const [name, list] of Object.entries(this.#match))
      if (MARKET.test(name))
        for (const entry of this.#entries(list))
          yield* this.#prices(name.replace(MARKET, ''), entry, sport, game, startMs);
    yield* this.#result(sport, game, startMs);
  }

  /** Of a market: a list, or the text of one. */
  #entries(list: unknown): readonly unknown[] {
    const entries = typeof list === 'string' && list.trim() !== '' ? printedValue(list) : list || null;
    if (Array.isArray(entries)) return entries;
    if (entries !== null) this.#bad('a price list is no list of bookmakers');
    return [];
  }

  /** Unix ms, or what is wrong with it. */
  get #scraped(): number | string {
    const inUtc = this.#text('scraped_at_utc');
    return inUtc === '' ? this.#times.read(this.#text('scraped_date')) : UTC.read(inUtc);
  }

  /** Its prices are those in play, and its score is not the last. */
  get #isInPlay(): boolean {
    return IN_PLAY_LINK.test(this.#text('match_link')) || IN_PLAY_FIELDS.some((name) => this.#text(name) !== '');
  }

  #league(path: readonly string[]): string {
    const { settings, leagues } = this.#context;
    if (settings.league !== undefined) return settings.league;
    const [, country = '', name = ''] = path;
    const plain = name.replace(/-\d{4}(?:-\d{4})?$/, '');
    // A link of two teams names no league.
    const ofPath = country === 'h2h' ? [] : [`${country}-${plain}`, plain];
    const names = [ofPath[0] ?? '', this.#text('league_name'), ofPath[1] ?? ''].filter((each) => /[a-z]/i.test(each));
    const known = names.map((each) => leagues.leagueOf(each)?.id).find((id) => id !== undefined);
    return known ?? (names[0] ?? 'unknown').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  }

  *#prices(name: string, entry: unknown, sport: string, game: Game, startMs: number): Generator<Stated, void> {
    if (!isMap(entry)) return this.#bad('a price list is no list of bookmakers');
    const market = marketOf(name, String(entry['period'] ?? ''), sport, game);
    const book = String(entry['bookmaker_name'] ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '');
    if (market === undefined) return this.#context.report.leftOut(`${name} has no market type here`, this.#place);
    if (book === '') return this.#bad('a bookmaker has no name');
    const say = (atMs: number, prices: Prices, live?: true): Stated[] =>
      this.#stated(atMs, book, game, market, prices, live);
    const isAmerican = isInAmerican(entry, market);
    for (const { atMs, prices } of this.#history(entry, market.selections.length, startMs, isAmerican))
      yield* say(atMs, prices);
    const current = this.#current(entry, market, isAmerican);
    if (current.every((price) => price === undefined)) return this.#bad('a price cannot be read');
    const scraped = this.#scraped;
    if (this.#isInPlay) {
      if (typeof scraped === 'string') return this.#bad(`a price in play whose time is ${scraped}`);
      return yield* say(scraped, current, true);
    }
    const atMs = typeof scraped === 'number' && scraped < startMs ? scraped : closeBefore(startMs);
    if (typeof scraped === 'string')
      this.#context.report.assumed('a price without a time is the closing one', this.#place);
    yield* say(atMs, current);
  }

  /** What the bookmaker showed when it was scraped; what is struck through it did not offer any more. */
  #current(entry: Match, { selections }: LabelledMarket, isAmerican: boolean): Prices {
    const blocked = Array.isArray(entry['blocked_outcomes']) ? entry['blocked_outcomes'] : [];
    const prices = selections.map(({ label }) => priceIn(entry[label], isAmerican));
    const isLost = (price: Price | undefined, i: number): boolean =>
      price === undefined && /[^\s-]/.test(textOf(entry[selections[i]!.label]));
    if (prices.some((price) => price !== undefined) && prices.some(isLost)) this.#bad('a price cannot be read');
    return prices.map((price, i) =>
      price !== undefined && blocked.includes(selections[i]!.label) ? { ...price, is_active: false } : price,
    );
  }

  /** Every state of the market before the start: each change of one price leaves the others as they were. */
  *#history(
    entry: Match,
    outcomes: number,
    startMs: number,
    isAmerican: boolean,
  ): Generator<{ atMs: number; prices: Prices }, void> {
    const blocks = entry['odds_history_data'];
    if (!Array.isArray(blocks)) return;
    const changes = blocks.slice(0, outcomes).flatMap((block, outcome) => {
      if (!isMap(block)) return [];
      return pointsIn(block).flatMap((point) => {
        const atMs = this.#times.read(String(point['timestamp'] ?? ''));
        const price = priceIn(point['odds'], isAmerican);
        return typeof atMs === 'number' && price !== undefined && atMs < startMs ? [{ atMs, outcome, price }] : [];
      });
    });
    if (changes.length > 0 && this.#context.settings.timezone === undefined)
      this.#context.report.assumed('times of the history are UTC: --timezone', this.#place);
    changes.sort((a, b) => a.atMs - b.atMs);
    const prices: (Price | undefined)[] = Array.from({ length: outcomes });
    for (const [i, { atMs, outcome, price }] of changes.entries()) {
      prices[outcome] = price;
      if (changes[i + 1]?.atMs !== atMs) yield { atMs, prices: [...prices] };
    }
  }

  #stated(atMs: number, book: string, game: Game, market: LabelledMarket, prices: Prices, live?: true): Stated[] {
    const selections = market.selections.flatMap(({ label: _label, ...selection }, i) => {
      const price = prices[i];
      return price === undefined ? [] : [{ ...selection, ...price }];
    });
    const state = live === undefined ? {} : { is_live: live };
    const message = bookMessage(book, formatMs(atMs), game, [{ market_type: market.type, selections }], state);
    // Other markets of the bookmaker are messages of their own.
    return selections.length === 0 ? [] : [{ atMs, message: { ...message, scope: 'none' } }];
  }

  *#result(sport: string, game: Game, startMs: number): Generator<Stated, void> {
    const [home_score, away_score] = ['home_score', 'away_score'].map((name) => scoreIn(this.#text(name))) as [
      number,
      number,
    ];
    if (Number.isNaN(home_score + away_score)) {
      const told = ['home_score', 'away_score'].some((name) => /\d/.test(this.#text(name)));
      return told ? this.#bad('a score cannot be read') : undefined;
    }
    const scraped = this.#scraped;
    if (this.#isInPlay || (typeof scraped === 'number' && !isSurelyOver(sport, scraped - startMs)))
      return this.#bad('a score from a time at which the game need not be over');
    const names = { soccer: ['h1', 'h2'], tennis: [1, 2, 3, 4, 5].map((set) => `set_${set}`) }[sport] ?? [];
    const parts = [...this.#text('partial_results').matchAll(/(\d+)\s*[:-]\s*(\d+)/g)].flatMap(([, home, away], i) =>
      names[i] === undefined ? [] : [{ part: names[i], home_score: Number(home), away_score: Number(away) }],
    );
    const result = { ...game, status: 'final', home_score, away_score, ...(parts.length === 0 ? {} : { parts }) };
    yield { atMs: startMs + RESULT_TOLD_AFTER_MS, result };
  }

  #text(name: string): string {
    const value = this.#match[name];
    return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
  }

  #bad(reason: string): void {
    this.#context.report.fault(reason, this.#place);
  }
}

// Values in OddsHarvester's tables are JSON, or as Python prints its lists and dictionaries.

const TOKEN = /'((?:[^'\\]|\\.)*)'|"(?:[^"\\]|\\.)*"|\bNone\b|\bnan\b|\bTrue\b|\bFalse\b/g;
const WORDS: Readonly<Record<string, string>> = { None: 'null', nan: 'null', True: 'true', False: 'false' };

/** Undefined if it is neither. */
function printedValue(text: string): unknown {
  const json = jsonOf(text);
  if (json !== undefined) return json;
  return jsonOf(
    text.replace(TOKEN, (token, quoted: string | undefined) =>
      quoted === undefined ? (WORDS[token] ?? token) : JSON.stringify(quoted.replace(/\\(.)/g, '$1')),
    ),
  );
}

// Prices as OddsHarvester writes them: texts, decimal, American or fractional, whatever was asked for; in histories
// numbers, American ones too.

type Price = ({ odds_american: number } | { odds_decimal: number }) & { is_active?: boolean };
type Prices = readonly (Price | undefined)[];

const FRACTION = /^(\d+)\/(\d+)$/;
const SIGNED = /^[+-]\d+(?:\.0)?$/;

/** Whether one of the prices has a sign: those without one are American, too. */
function isInAmerican(entry: Match, { selections }: LabelledMarket): boolean {
  const blocks = Array.isArray(entry['odds_history_data']) ? entry['odds_history_data'] : [];
  const past = blocks.flatMap((block) => (isMap(block) ? pointsIn(block).map(({ odds }) => odds) : []));
  return [...selections.map(({ label }) => entry[label]), ...past].some((price) => SIGNED.test(textOf(price)));
}

function pointsIn(block: Match): Match[] {
  const { opening_odds, odds_history } = block;
  return [opening_odds, ...(Array.isArray(odds_history) ? odds_history : [])].filter(isMap);
}

function textOf(price: unknown): string {
  return plainMinus(typeof price === 'number' ? String(price) : typeof price === 'string' ? price : '').trim();
}

/** In the form in which it is written; undefined if it is none. */
function priceIn(price: unknown, isAmerican: boolean): Price | undefined {
  const text = textOf(price);
  const [, above, below] = FRACTION.exec(text) ?? [];
  if (above !== undefined) return decimalPrice(decimalFromFraction(Number(above), Number(below)));
  if (/^ev(?:en|s)?$/i.test(text)) return { odds_decimal: 2 };
  const number = text === '' ? Number.NaN : Number(text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'));
  if (isAmerican && Math.abs(number) >= 100) return { odds_american: number };
  return /^[+-]/.test(text) ? undefined : decimalPrice(number);
}

function decimalPrice(decimal: number): Price | undefined {
  return isDecimalPrice(decimal) ? { odds_decimal: decimal } : undefined;
}

// Which market an `…_market` list of OddsHarvester is, and which of its labels is which selection, in the order of the
// outcomes.

interface LabelledMarket {
  type: string;
  selections: readonly { label: string; selection: string; selection_type: string; line?: number }[];
}

const WHOLE = new Set(['', 'fulltime', 'fullincludingot']);
/** `FirstHalf`, `1st Half`. */
const PART = /^(1st|2nd|3rd|[45]th|first|second|third|fourth|fifth)(half|quarter|period|set)$/;
const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5 };
const UNITS: Readonly<Record<string, string>> = { half: 'h', quarter: 'q', period: 'p', set: 'set_' };
/** Their `FullTime` ends before overtime, which `FullIncludingOT` counts. */
const WITH_OVERTIME = new Set(['baseball', 'basketball', 'football', 'hockey']);

/** What stands after a market type for a part of the game; undefined for another one than any known. */
function partOf(period: string): string | undefined {
  if (WHOLE.has(period)) return '';
  const [, ordinal = '', unit] = PART.exec(period) ?? [];
  return unit === undefined ? undefined : `_${UNITS[unit]}${ORDINALS[ordinal] ?? ordinal[0]}`;
}

const LINE =
  /^(over_under|asian_handicap|handicap)(?:_(sets|games|points))?_([+-]?\d+(?:[._]\d+)?)(?:_(sets|games|points))?$/;

/** Undefined for a market that has no type here. */
export function marketOf(name: string, period: string, sport: string, game: Game): LabelledMarket | undefined {
  const plain = period.toLowerCase().replace(/[^a-z0-9]/g, '');
  const part = partOf(plain);
  if (part === undefined) return undefined;
  const { home, draw, away } = selectionsOf(game);
  const of = (type: string, ...selections: LabelledMarket['selections']): LabelledMarket => ({
    type: `${type}${part}`,
    selections,
  });
  const yesNo = (label: string, selection: string) => ({ label, selection, selection_type: selection.toLowerCase() });
  switch (name) {
    case '1x2':
      return of(
        sport === 'soccer' ? 'moneyline' : 'moneyline_3way',
        { label: '1', ...home },
        { label: 'X', ...draw },
        { label: '2', ...away },
      );
    case 'home_away':
      return of('moneyline', { label: '1', ...home }, { label: '2', ...away });
    case 'match_winner':
      return of('moneyline', { label: 'player_1', ...home }, { label: 'player_2', ...away });
    case 'btts':
      return of('both_teams_to_score', yesNo('btts_yes', 'Yes'), yesNo('btts_no', 'No'));
    case 'dnb':
    case 'draw_no_bet':
      return of('draw_no_bet', { label: 'dnb_team1', ...home }, { label: 'dnb_team2', ...away });
    case 'double_chance':
      return of(
        'double_chance',
        { label: '1X', selection: `${game.home_team} or Draw`, selection_type: 'home_or_draw' },
        { label: '12', selection: `${game.home_team} or ${game.away_team}`, selection_type: 'home_or_away' },
        { label: 'X2', selection: `Draw or ${game.away_team}`, selection_type: 'draw_or_away' },
      );
    default: {
      const isRegulation = plain === 'fulltime' && WITH_OVERTIME.has(sport);
      return lineMarket(name, sport, game, isRegulation ? (type, ...sides) => of(`${type}_regulation`, ...sides) : of);
    }
  }
}

function lineMarket(
  name: string,
  sport: string,
  game: Game,
  of: (type: string, ...selections: LabelledMarket['selections']) => LabelledMarket,
): LabelledMarket | undefined {
  const [, kind, before, number, after] = LINE.exec(name) ?? [];
  if (number === undefined) return undefined;
  const line = Number(number.replace('_', '.'));
  const counted = sport === 'tennis' || after === 'sets' || before === 'sets' ? (after ?? before) : undefined;
  const { spread, total } = lineTypes(sport);
  const { home, away, over, under } = selectionsOf(game);
  if (kind === 'over_under')
    return of(
      counted === undefined || counted === 'points' ? total : `total_${counted}`,
      { label: 'odds_over', ...over, line },
      { label: 'odds_under', ...under, line },
    );
  const labels =
    counted === undefined || counted === 'points'
      ? sport === 'soccer'
        ? ['team1_handicap', 'team2_handicap']
        : ['handicap_team_1', 'handicap_team_2']
      : [`${counted}_handicap_player_1`, `${counted}_handicap_player_2`];
  const type = counted === 'sets' ? 'set_handicap' : counted === 'games' ? 'game_handicap' : spread;
  return of(type, { label: labels[0]!, ...home, line }, { label: labels[1]!, ...away, line: 0 - line });
}

const SPORTS: Readonly<Record<string, string>> = {
  football: 'soccer',
  'american-football': 'football',
  'ice-hockey': 'hockey',
  'rugby-league': 'rugby',
  'rugby-union': 'rugby',
  'aussie-rules': 'aussie_rules',
  'table-tennis': 'table_tennis',
};

/** Of the first part of a match's path. */
function sportNamed(name: string): string {
  return SPORTS[name] ?? name;
}
