// Parses Gamma's events into games with their markets. Pure. An event is a game by its league, both teams and its
// start; a series, a championship or a question about two games has the same words in its title and is none.

import { lineTypes } from '../../../rules/markets/aliases.js';
import { type Fields, fieldsOf, numberOf, objectsOf, textOf, textsOf, timeOf } from '../kit/field-readers.js';
import type { GameFacts } from '../kit/market-ids.js';
import type { VenueTeams } from '../kit/teams.js';

export interface ListedMarket {
  id: string;
  question: Question;
  /** Whether orders are accepted; otherwise its prices do not count. */
  open: boolean;
  volume24h: number | null;
  openInterest: number | null;
  /** The taker's fee: `rate * (p (1 - p)) ** exponent`; undefined if the market does not state it. */
  fee: { rate: number; exponent: number } | undefined;
}

export interface ListedGame {
  /** The game's slug. */
  id: string;
  league: string;
  /** Names of the catalogue. */
  home: string;
  away: string;
  homeToken: string;
  awayToken: string;
  startMs: number;
  live: boolean;
  ended: boolean;
  /** What the venue says of a game that is not played as it was to be. */
  calledOff: 'postponed' | 'cancelled' | undefined;
  markets: ListedMarket[];
}

export interface TaggedLeague {
  league: string;
  sport: string;
  /** Slugs of the league's games begin with one of these. */
  codes: readonly string[];
  /** Whose name comes first if the teams do not state who is at home. */
  firstIs: 'home' | 'away';
}

const GAME_SLUG = /^([a-z0-9]+)-[a-z0-9]+-[a-z0-9]+-\d{4}-\d\d-\d\d/;

interface Draft extends ListedGame {
  gameId: string | undefined;
}

/** The games among the events of one league. */
export function readGames(events: readonly unknown[], source: TaggedLeague, teams: VenueTeams): ListedGame[] {
  const drafts: Draft[] = [];
  // Events that only add markets to a game (`…-more-markets`) come after the games themselves.
  const listed = objectsOf(events).sort((a, b) => (textOf(a['slug'])?.length ?? 0) - (textOf(b['slug'])?.length ?? 0));
  for (const event of listed) {
    const slug = textOf(event['slug']);
    const base = GAME_SLUG.exec(slug ?? '');
    if (slug === undefined || base === null || !source.codes.includes(base[1]!) || !isListed(event)) continue;
    const draft = draftOf(event, slug, source, teams);
    const known = drafts.find((other) => isPartOf(event, base[0], other, draft));
    const into = known ?? draft;
    if (into === undefined) continue;
    const sides = { league: into.league, sport: source.sport, home: into.homeToken, away: into.awayToken };
    for (const market of objectsOf(event['markets'])) {
      const one = marketOf(market, sides, into.startMs, teams);
      if (one !== undefined && !into.markets.some(({ id }) => id === one.id)) into.markets.push(one);
    }
    if (known === undefined) drafts.push(into);
  }
  return drafts.filter(({ markets }) => markets.length > 0);
}

function isListed(event: Fields): boolean {
  // Outcomes may still be added to an augmented event: the meaning of "other" changes.
  return (
    event['closed'] !== true &&
    event['archived'] !== true &&
    event['active'] !== false &&
    event['negRiskAugmented'] !== true
  );
}

/** Whether an event only adds markets to a known game: same name, and no contradiction. */
function isPartOf(event: Fields, base: string, game: Draft, own: Draft | undefined): boolean {
  if (!game.id.startsWith(base)) return false;
  const gameId = textOf(event['gameId']);
  if (gameId !== undefined && game.gameId !== undefined) return gameId === game.gameId;
  return own === undefined ? timeOf(event['startTime']) === undefined : own.startMs === game.startMs;
}

function draftOf(event: Fields, slug: string, source: TaggedLeague, teams: VenueTeams): Draft | undefined {
  const pair = teamsOf(event, source, teams);
  const startMs =
    timeOf(event['startTime']) ??
    objectsOf(event['markets'])
      .map(startOf)
      .find((ms) => ms !== undefined);
  if (pair === undefined || startMs === undefined) return undefined;
  return {
    id: slug,
    league: source.league,
    ...pair,
    startMs,
    live: event['live'] === true,
    ended: event['ended'] === true,
    calledOff: CALLED_OFF.get(textOf(event['gameStatus'])?.toLowerCase() ?? ''),
    markets: [],
    gameId: textOf(event['gameId']),
  };
}

const CALLED_OFF: ReadonlyMap<string, 'postponed' | 'cancelled'> = new Map([
  ['postponed', 'postponed'],
  ['canceled', 'cancelled'],
  ['cancelled', 'cancelled'],
]);

/** One that was postponed is so until it has a start ahead. */
export function statusOf(
  { ended, calledOff, startMs }: ListedGame,
  nowMs: number,
): NonNullable<GameFacts['status']> | undefined {
  if (ended) return 'ended';
  return calledOff === 'postponed' && startMs > nowMs ? undefined : calledOff;
}

function startOf(market: Fields): number | undefined {
  return timeOf(market['gameStartTime']) ?? timeOf(market['eventStartTime']);
}

type Pair = Pick<ListedGame, 'home' | 'away' | 'homeToken' | 'awayToken'>;

function teamsOf(event: Fields, source: TaggedLeague, teams: VenueTeams): Pair | undefined {
  const listed = objectsOf(event['teams']);
  const first = listed.length === 2 ? readTeam(listed[0]!, source.league, teams) : titled(event, 0, source, teams);
  const second = listed.length === 2 ? readTeam(listed[1]!, source.league, teams) : titled(event, 1, source, teams);
  if (first === undefined || second === undefined || first.token === second.token) return undefined;
  const [one, other] = listed.map((team) => textOf(team['ordering']));
  const stated = one === 'home' || other === 'away' ? 'home' : one === 'away' || other === 'home' ? 'away' : undefined;
  const [home, away] = (stated ?? source.firstIs) === 'home' ? [first, second] : [second, first];
  return { home: home.name, away: away.name, homeToken: home.token, awayToken: away.token };
}

function readTeam(team: Fields, league: string, teams: VenueTeams) {
  const names = [team['name'], team['alias'], team['abbreviation']].flatMap((name) => textOf(name) ?? []);
  const found = names.map((name) => teams.find(league, name)).find((each) => each !== undefined);
  return found ?? (names.length === 0 ? undefined : teams.ofGame(league, names[0]!));
}

/** Older events have no list of teams: both names are in the title, and nothing else may be. */
function titled(event: Fields, place: number, { league }: TaggedLeague, teams: VenueTeams) {
  const names = textOf(event['title'])?.split(/\s+(?:vs\.?|@|at)\s+/i) ?? [];
  return names.length === 2 ? teams.ofGame(league, names[place]!) : undefined;
}

function marketOf(
  market: Fields,
  sides: Parameters<typeof questionOf>[1],
  gameStartMs: number,
  teams: VenueTeams,
): ListedMarket | undefined {
  const id = textOf(market['id']) ?? textOf(market['conditionId']);
  if (id === undefined || market['closed'] === true || market['archived'] === true) return undefined;
  if (market['active'] === false || market['enableOrderBook'] === false) return undefined;
  const startMs = startOf(market);
  // A question about another game in this game's event.
  if (startMs !== undefined && Math.abs(startMs - gameStartMs) > SAME_START_MS) return undefined;
  const question = questionOf(market, sides, teams);
  if (question === undefined) return undefined;
  return {
    id,
    question,
    open: market['acceptingOrders'] !== false,
    volume24h: numberOf(market['volume24hr']) ?? null,
    openInterest: numberOf(market['openInterest']) ?? null,
    fee: feeOf(market),
  };
}

/** The market's own schedule; one without a rate says nothing. */
function feeOf(market: Fields): ListedMarket['fee'] {
  if (market['feesEnabled'] === false) return { rate: 0, exponent: 1 };
  const schedule = fieldsOf(market['feeSchedule']);
  const rate = numberOf(schedule?.['rate']);
  return rate === undefined ? undefined : { rate, exponent: numberOf(schedule?.['exponent']) ?? 1 };
}

const SAME_START_MS = 12 * 3_600_000;

// The question of a Polymarket market, as a market type. Only the winner, spread and total of the whole game are the
// books' questions, by a list of allowed types; every other market of a game has a market type of its own.

interface GameSides {
  league: string;
  sport: string;
  /** Ids of the teams. */
  home: string;
  away: string;
}

interface Question {
  type: string;
  outcomes: { selection: string; selectionType: string; line?: number; token: string }[];
}

const DRAW = /^(?:draw|tie)\b/i;
const YES_NO = 'yes|no';

/** Undefined if the market cannot be parsed. */
function questionOf(market: Fields, game: GameSides, teams: VenueTeams): Question | undefined {
  const names = textsOf(market['outcomes']);
  const tokens = textsOf(market['clobTokenIds']);
  const kind = textOf(market['sportsMarketType']);
  if (kind === undefined || names.length !== 2 || tokens.length !== 2 || tokens[0] === tokens[1]) return undefined;
  const both: Both = { names: [names[0]!, names[1]!], tokens: [tokens[0]!, tokens[1]!] };
  const same =
    kind === 'moneyline'
      ? winner(market, both, game, teams)
      : kind === 'spreads'
        ? spread(market, both, game, teams)
        : kind === 'totals'
          ? total(market, both, game)
          : undefined;
  return same ?? ownQuestion(market, both, kind);
}

interface Both {
  names: readonly [string, string];
  tokens: readonly [string, string];
}

function winner(market: Fields, { names, tokens }: Both, game: GameSides, teams: VenueTeams): Question | undefined {
  if (names.join('|').toLowerCase() === YES_NO) {
    // Three-way: one market per outcome. Its No is not another outcome.
    const title = textOf(market['groupItemTitle']);
    if (title === undefined || game.sport !== 'soccer') return undefined;
    const side = DRAW.test(title) ? 'draw' : sideOf(title, game, teams);
    if (side === undefined) return undefined;
    return { type: 'moneyline', outcomes: [{ selection: title, selectionType: side, token: tokens[0] }] };
  }
  // In soccer a two-team market states only in its rules what happens on a draw.
  const sides = game.sport === 'soccer' ? undefined : sidesOf(names, game, teams);
  if (sides === undefined) return undefined;
  return {
    type: 'moneyline',
    outcomes: names.map((selection, i) => ({ selection, selectionType: sides[i]!, token: tokens[i]! })),
  };
}

function spread(market: Fields, { names, tokens }: Both, game: GameSides, teams: VenueTeams): Question | undefined {
  // The line belongs to the first outcome, signed.
  const line = numberOf(market['line']);
  const sides = sidesOf(names, game, teams);
  if (line === undefined || !isLine(line) || sides === undefined) return undefined;
  return {
    type: lineTypes(game.sport).spread,
    outcomes: names.map((selection, i) => ({
      selection,
      selectionType: sides[i]!,
      line: i === 0 ? line : -line,
      token: tokens[i]!,
    })),
  };
}

function total(market: Fields, { names, tokens }: Both, game: GameSides): Question | undefined {
  const line = numberOf(market['line']);
  const types = names.map((name) => name.toLowerCase());
  if (line === undefined || !isLine(line) || line <= 0) return undefined;
  if ([...types].sort().join('|') !== 'over|under') return undefined;
  return {
    type: lineTypes(game.sport).total,
    outcomes: names.map((selection, i) => ({ selection, selectionType: types[i]!, line, token: tokens[i]! })),
  };
}

/** Multiples of a quarter; anything finer would be misread. */
function isLine(line: number): boolean {
  return Number.isInteger(line * 4) && Math.abs(line) < 1_000;
}

function sidesOf(names: readonly string[], game: GameSides, teams: VenueTeams): string[] | undefined {
  const sides = names.map((name) => sideOf(name, game, teams));
  return sides.includes('home') && sides.includes('away') ? (sides as string[]) : undefined;
}

function sideOf(name: string, { league, home, away }: GameSides, teams: VenueTeams): 'home' | 'away' | undefined {
  const token = teams.find(league, name)?.token;
  return token === home ? 'home' : token === away ? 'away' : undefined;
}

/**
 * Listed as the venue's own question; a selection of type `contract` has no other side and takes no part in detection.
 */
function ownQuestion(market: Fields, { names, tokens }: Both, kind: string): Question | undefined {
  const type = `polymarket_${kind.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`.slice(0, 64).replace(/_+$/, '');
  const question = textOf(market['question']) ?? textOf(market['groupItemTitle']) ?? textOf(market['id']);
  if (question === undefined) return undefined;
  return {
    type,
    outcomes: names.map((name, i) => ({
      selection: `${question.slice(0, 140)}: ${name.slice(0, 50)}`,
      selectionType: 'contract',
      token: tokens[i]!,
    })),
  };
}
