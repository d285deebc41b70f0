// Parses Kalshi's events into games with their contracts. Pure. The winner, the spread and the total of one game are
// three events of three series; their tickers agree in the part after the series.

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import { LocalCalendar } from '../../../rules/catalogue/local-date.js';
import type { ResolvedTeam } from '../../../rules/catalogue/types.js';
import { lineTypes } from '../../../rules/markets/aliases.js';
import { type Fields, numberOf, objectsOf, textOf, timeOf } from '../kit/field-readers.js';
import type { VenueTeams } from '../kit/teams.js';
import type { ContractSide } from './contract-book.js';
import { type Fees, feesIn, type Series } from './series.js';

/** A source of an outcome's price. */
export interface PricedContract {
  ticker: string;
  side: ContractSide;
}

export interface ListedOutcome {
  selection: string;
  selectionType: string;
  line?: number;
  /** The outcome's price is that of the cheapest of these. */
  sources: PricedContract[];
}

export interface ListedContract {
  ticker: string;
  /** Ticker of its event. */
  event: string;
  /** Ticker of its series. */
  series: string;
  type: string;
  outcomes: ListedOutcome[];
  /** Those of its event alone. */
  fees: Fees;
  open: boolean;
  volume24h: number | null;
  openInterest: number | null;
}

export interface ListedGame {
  /** League and the part of the tickers that identifies the game. */
  id: string;
  league: string;
  home: ResolvedTeam;
  away: ResolvedTeam;
  /** Tickers of its events, for looking up its start. */
  events: string[];
  /** Unix ms; undefined if the events do not state it. */
  startMs: number | undefined;
  /** Its start is estimated. */
  startEstimated: boolean;
  contracts: ListedContract[];
}

export type SportOf = (league: string) => string;

const TITLE = /^(?:game \d+:\s*)?(.+?)\s+(at|@|vs\.?|v)\s+(.+?)(?:\s*:.*|\s+winner\??|\?)?$/i;
const WINS_BY = /^(.+?)\s+(?:wins?|to win)\s+by\s+(?:over|more than)\s+[\d.]+/i;
const LEAGUES_WITH_TIES = new Set(['nfl']);

/** Adds an event's contracts to its game in `games`; false if it does not belong to a game. */
export function addEvent(
  event: Fields,
  series: Series,
  sportOf: SportOf,
  teams: VenueTeams,
  games: Map<string, ListedGame>,
): boolean {
  const ticker = textOf(event['event_ticker']) ?? textOf(event['ticker']);
  if (ticker === undefined || !ticker.startsWith(`${series.ticker}-`)) return false;
  const id = `${series.league}-${ticker.slice(series.ticker.length + 1)}`;
  const markets = objectsOf(event['markets']).filter(isBinary);
  const known = games.get(id);
  const sport = sportOf(series.league);
  const pair = known ?? pairOf(event, markets, sport, series, teams);
  if (pair === undefined) return false;
  const game: ListedGame = known ?? {
    id,
    league: series.league,
    home: pair.home,
    away: pair.away,
    events: [],
    startMs: undefined,
    startEstimated: false,
    contracts: [],
  };
  const own = { event: ticker, fees: feesIn(event, '_override') };
  const contracts = contractsOf(markets, series, sport, game, teams, own);
  if (contracts.length === 0) return false;
  game.events.push(ticker);
  game.startMs ??= statedStart(event);
  game.contracts.push(...contracts);
  games.set(id, game);
  return true;
}

function isBinary(market: Fields): boolean {
  // Combinations of several games use the same words in their titles.
  return (market['market_type'] ?? 'binary') === 'binary' && market['mve_selected_legs'] == null;
}

interface Pair {
  home: ResolvedTeam;
  away: ResolvedTeam;
}

function pairOf(
  event: Fields,
  markets: readonly Fields[],
  sport: string,
  { league, kind }: Series,
  teams: VenueTeams,
): Pair | undefined {
  const title = TITLE.exec(textOf(event['title']) ?? '') ?? TITLE.exec(textOf(event['sub_title']) ?? '');
  if (title === null) return undefined;
  const first = teams.ofGame(league, title[1]!);
  const second = teams.ofGame(league, title[3]!);
  if (first === undefined || second === undefined || first.token === second.token) return undefined;
  // Soccer names the home team first, unless it is at the other's; other sports the away team.
  const pair =
    sport === 'soccer' && !/^(?:at|@)$/i.test(title[2]!)
      ? { home: first, away: second }
      : { home: second, away: first };
  if (kind !== 'winner') return pair;
  // A winner market's contracts are about exactly these teams.
  const named = markets.filter((market) => !isTie(market)).map((market) => teamOf(market, league, teams)?.token);
  return named.every((token) => token === pair.home.token || token === pair.away.token) ? pair : undefined;
}

function isTie(market: Fields): boolean {
  return /-TIE$/.test(textOf(market['ticker']) ?? '') || /^(?:tie|draw)$/i.test(textOf(market['yes_sub_title']) ?? '');
}

/** Only the meaning of YES is parsed: the other text may name the same team. */
function teamOf(market: Fields, league: string, teams: VenueTeams): ResolvedTeam | undefined {
  const name = textOf(market['yes_sub_title']);
  return name === undefined ? undefined : teams.find(league, name);
}

function contractsOf(
  markets: readonly Fields[],
  series: Series,
  sport: string,
  game: Pick<ListedGame, 'home' | 'away' | 'contracts'>,
  teams: VenueTeams,
  event: Pick<ListedContract, 'event' | 'fees'>,
): ListedContract[] {
  const found: ListedContract[] = [];
  for (const market of markets) {
    const ticker = textOf(market['ticker']);
    if (ticker === undefined || game.contracts.some((known) => known.ticker === ticker)) continue;
    const question = questionOf(market, ticker, series, sport, game, teams) ?? ownQuestion(market, ticker, series);
    if (question === undefined) continue;
    const status = textOf(market['status']);
    found.push({
      ticker,
      ...event,
      series: series.ticker,
      ...question,
      open: status === undefined || status === 'active' || status === 'open',
      volume24h: numberOf(market['volume_24h_fp'] ?? market['volume_24h']) ?? null,
      openInterest: numberOf(market['open_interest_fp'] ?? market['open_interest']) ?? null,
    });
  }
  if (series.kind === 'winner') turnOtherSides(found, markets, sport, series.league);
  return found;
}

type Question = Pick<ListedContract, 'type' | 'outcomes'>;

function questionOf(
  market: Fields,
  ticker: string,
  { kind, league }: Series,
  sport: string,
  { home, away }: Pair,
  teams: VenueTeams,
): Question | undefined {
  const yes: PricedContract[] = [{ ticker, side: 'yes' }];
  const no: PricedContract[] = [{ ticker, side: 'no' }];
  const sideOf = (team: ResolvedTeam | undefined): 'home' | 'away' | undefined =>
    team?.token === home.token ? 'home' : team?.token === away.token ? 'away' : undefined;
  if (kind === 'winner') {
    const name = textOf(market['yes_sub_title']);
    const side = isTie(market) ? 'draw' : sideOf(teamOf(market, league, teams));
    if (name === undefined || side === undefined) return undefined;
    return { type: 'moneyline', outcomes: [{ selection: name, selectionType: side, sources: yes }] };
  }
  const strike = numberOf(market['floor_strike']);
  const greater = (textOf(market['strike_type']) ?? 'greater') === 'greater';
  if (strike === undefined || !greater || !Number.isInteger(strike * 4) || Math.abs(strike) >= 1_000) return undefined;
  const { spread, total } = lineTypes(sport);
  if (kind === 'total')
    return {
      type: total,
      outcomes: [
        { selection: 'Over', selectionType: 'over', line: strike, sources: yes },
        { selection: 'Under', selectionType: 'under', line: strike, sources: no },
      ],
    };
  if (kind !== 'spread') return undefined;
  const name = WINS_BY.exec(textOf(market['yes_sub_title']) ?? '')?.[1];
  const side = name === undefined ? undefined : sideOf(teams.find(league, name));
  if (side === undefined) return undefined;
  const [own, other] = side === 'home' ? [home, away] : [away, home];
  return {
    type: spread,
    outcomes: [
      { selection: own.name, selectionType: side, line: -strike, sources: yes },
      { selection: other.name, selectionType: side === 'home' ? 'away' : 'home', line: strike, sources: no },
    ],
  };
}

/** Where one of two teams must win, NO of one is YES of the other. */
function turnOtherSides(
  found: readonly ListedContract[],
  markets: readonly Fields[],
  sport: string,
  league: string,
): void {
  if (sport === 'soccer' || LEAGUES_WITH_TIES.has(league) || markets.length !== 2 || found.length !== 2) return;
  const [one, other] = found.map(({ outcomes }) => outcomes[0]!);
  const sides = [one!.selectionType, other!.selectionType].sort().join();
  if (sides !== 'away,home') return;
  one!.sources.push({ ticker: found[1]!.ticker, side: 'no' });
  other!.sources.push({ ticker: found[0]!.ticker, side: 'no' });
}

/**
 * Listed as the venue's own question; a selection of type `contract` has no other side and takes no part in detection.
 */
function ownQuestion(market: Fields, ticker: string, series: Series): Question | undefined {
  const title = textOf(market['title']) ?? textOf(market['yes_sub_title']);
  if (title === undefined) return undefined;
  const type = `kalshi_${series.ticker.slice(2).toLowerCase()}`.slice(0, 64);
  const outcome = (side: ContractSide): ListedOutcome => ({
    selection: `${title.slice(0, 150)}: ${side === 'yes' ? 'Yes' : 'No'}`,
    selectionType: 'contract',
    sources: [{ ticker, side }],
  });
  return { type, outcomes: [outcome('yes'), outcome('no')] };
}

// When a game starts. Milestones state it, and so does a ticker with an hour ("26AUG222040MINSD": 20:40 Eastern). Else
// it is estimated from when its contracts are expected to end; a ticker's date bounds the estimate. Pure.

interface GameStart {
  startMs: number;
  startEstimated: boolean;
}

/** Year, month, day and, in some leagues, hour and minute. */
const TICKER_TIME = /^[A-Z0-9]+-(\d\d)([A-Z]{3})(\d\d)(?:([01]\d|2[0-3])([0-5]\d))?(?![0-9])/;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const EASTERN_DAYS = new LocalCalendar('America/New_York');

/** Usual time from the start to the end; of the other sports three hours. */
const GAME_MS: Readonly<Record<string, number>> = {
  soccer: 2 * HOUR_MS,
  basketball: 2.5 * HOUR_MS,
  hockey: 2.5 * HOUR_MS,
  baseball: 3 * HOUR_MS,
  football: 3.5 * HOUR_MS,
};
const OTHER_GAME_MS = 3 * HOUR_MS;
/** Most of their games are played in New York's evening, when the day is over in Europe: others' in that of Europe. */
const AMERICAN: ReadonlySet<string> = new Set(['basketball', 'hockey', 'baseball', 'football']);
/** A game that is said to end this much after its ticker's day was put off: tickers stay as they are. */
const PUT_OFF_MS = 1.5 * DAY_MS;

/** The start in the event itself or in the milestones beside it. */
function statedStart(event: Fields): number | undefined {
  const ticker = textOf(event['event_ticker']) ?? '';
  return timeOf(event['start_date']) ?? milestoneStart(objectsOf(event['milestones']), [ticker]);
}

/** The start in the milestone that is related to one of a game's events. */
export function milestoneStart(milestones: readonly Fields[], events: readonly string[]): number | undefined {
  for (const milestone of milestones) {
    const related = [milestone['related_event_tickers'], milestone['primary_event_tickers']].flat();
    if (!related.some((ticker) => events.includes(ticker as string))) continue;
    const startMs = timeOf(milestone['start_date']);
    if (startMs !== undefined) return startMs;
  }
  return undefined;
}

/** Of a game without a milestone, from one of its tickers and its contracts; undefined if they say nothing of it. */
export function unstatedStart(ticker: string, sport: string, markets: readonly Fields[]): GameStart | undefined {
  const timesOf = (field: string): number[] => markets.flatMap((market) => timeOf(market[field]) ?? []);
  const occurs = timesOf('occurrence_datetime');
  // The expected expiration of many games is hours after the end.
  const ends = [...occurs, ...timesOf('expected_expiration_time')];
  const estimated = ends.length === 0 ? undefined : Math.min(...ends) - (GAME_MS[sport] ?? OTHER_GAME_MS);
  const stated = tickerTime(ticker);
  const isPutOff = stated !== undefined && Math.min(...occurs) - stated.startMs > PUT_OFF_MS;
  if (stated === undefined || (isPutOff && occurs.length > 0))
    return estimated === undefined ? undefined : { startMs: estimated, startEstimated: true };
  if (stated.hasHour) return { startMs: stated.startMs, startEstimated: false };
  const lastMs = easternMs(stated.date, 23 * HOUR_MS + 59 * MINUTE_MS);
  const startMs = estimated ?? easternMs(stated.date, AMERICAN.has(sport) ? 19 * HOUR_MS : 12 * HOUR_MS);
  return { startMs: Math.min(Math.max(startMs, stated.startMs), lastMs), startEstimated: true };
}

/** The time in a ticker; of one without an hour the beginning of its day. */
function tickerTime(ticker: string): { date: number; startMs: number; hasHour: boolean } | undefined {
  const [, year, month = '', day, hour, minute] = TICKER_TIME.exec(ticker) ?? [];
  if (year === undefined || !MONTHS.includes(month)) return undefined;
  const date = Date.UTC(2000 + Number(year), MONTHS.indexOf(month), Number(day));
  if (new Date(date).getUTCDate() !== Number(day)) return undefined;
  const ofDayMs = hour === undefined ? 0 : Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS;
  return { date, startMs: easternMs(date, ofDayMs), hasHour: hour !== undefined };
}

/** The instant at which clocks in New York show this time of that day (both as if of UTC). */
function easternMs(date: number, ofDayMs: number): number {
  const day = new Date(date).toISOString().slice(0, 10);
  // Half past midnight in summer, of the next day; half past eleven in winter.
  const isWinter = EASTERN_DAYS.date(date + 28.5 * HOUR_MS) === day;
  return date + ofDayMs + (isWinter ? 5 : 4) * HOUR_MS;
}
