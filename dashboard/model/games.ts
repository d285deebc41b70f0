// One row a game: its spread, total and moneyline beside each other; which games are shown, and in what order.
import type { Result } from '../../src/client/client.js';
import { type Arrangement, bookOfSort, edgeOf, fits, matches } from './arrange.js';
import type { Block, Board } from './board.js';
import { type CommonMarket, gameTypesOf } from './market-choice.js';

export const GAME_MARKETS = ['spread', 'total', 'moneyline'] as const satisfies readonly CommonMarket[];
export type GameMarket = (typeof GAME_MARKETS)[number];

export interface Game {
  eventId: string;
  league: string;
  home: string;
  away: string;
  startMs: number;
  isLive: boolean;
  markets: Partial<Record<GameMarket, Block>>;
}

export type GameItem =
  | { kind: 'heading'; key: string; text: string; count: number }
  | { kind: 'game'; key: string; game: Game }
  | { kind: 'result'; key: string; result: Result };

const PLACE = new Map(GAME_MARKETS.flatMap((market) => gameTypesOf(market).map((type) => [type, market] as const)));
/** Market types of all three. */
export const GAME_TYPES: readonly string[] = [...PLACE.keys()];

/** Lines that a game's row needs: of its market with the most outcomes. */
export function linesOf(game: Game, board: Board, nowMs: number): number {
  return Math.max(2, ...Object.values(game.markets).map((block) => board.view(block, nowMs).outcomes.length));
}

export function gamesOf(blocks: Iterable<Block>): Game[] {
  const games = new Map<string, Game>();
  for (const block of blocks) {
    const place = PLACE.get(block.market);
    if (place === undefined || block.who !== '') continue;
    const { eventId, league, home, away, startMs, isLive } = block;
    let game = games.get(eventId);
    if (game === undefined) {
      game = { eventId, league, home, away, startMs, isLive, markets: {} };
      games.set(eventId, game);
    }
    game.markets[place] = block;
  }
  return [...games.values()];
}

/** Pinned games first, then by league and start, or by what the sort says. */
export function arrangeGames(
  board: Board,
  wanted: Arrangement,
  pinned: ReadonlySet<string>,
  nowMs: number,
): GameItem[] {
  const blocks = [...board.blocks.values()].filter((block) => fits(block, wanted, nowMs));
  const { sort } = wanted;
  const edge = (game: Game, markets: readonly GameMarket[] = GAME_MARKETS, book?: string): number =>
    Math.max(
      ...markets.map((name) => {
        const block = game.markets[name];
        return block === undefined ? Number.NEGATIVE_INFINITY : edgeOf(board, block, nowMs, book);
      }),
    );
  const hold = (game: Game): number =>
    Math.min(...Object.values(game.markets).map((block) => board.view(block, nowMs).hold ?? Number.POSITIVE_INFINITY));
  const games = gamesOf(blocks).filter((game) => wanted.edge === 0 || edge(game) >= wanted.edge);
  const book = bookOfSort(sort);
  const by: (a: Game, b: Game) => number =
    sort === 'hold'
      ? (a, b) => compare(hold(a), hold(b))
      : sort === 'edge'
        ? (a, b) => compare(edge(b), edge(a))
        : sort === 'spread' || sort === 'total' || sort === 'moneyline'
          ? (a, b) => compare(edge(b, [sort]), edge(a, [sort]))
          : book !== undefined
            ? (a, b) => compare(edge(b, GAME_MARKETS, book), edge(a, GAME_MARKETS, book))
            : () => 0;
  games.sort((a, b) => by(a, b) || byTime(a, b));
  const kept = games.filter(({ eventId }) => pinned.has(eventId));
  const rest = games.filter(({ eventId }) => !pinned.has(eventId));
  const items = kept.length === 0 ? [] : underHeading('pinned', kept);
  return [
    ...items,
    ...(sort === 'time' || sort === 'league' ? underLeagues(rest, sort === 'league') : rest.map(itemOf)),
  ];
}

/** Games that are over, below those that are listed. */
export function resultItems(
  results: readonly Result[],
  listed: ReadonlySet<string>,
  { leagues, sport, live, q, edge }: Arrangement,
): GameItem[] {
  if (live !== 'all' || edge > 0) return [];
  const found = results.filter(
    (result) =>
      !listed.has(result.event_id) &&
      (leagues.length === 0 || leagues.includes(result.league)) &&
      (sport === '' || result.sport === sport) &&
      matches(q, `${result.away_team} ${result.home_team} ${result.league} ${result.sport}`),
  );
  if (found.length === 0) return [];
  return [
    { kind: 'heading', key: 'heading|results', text: 'results', count: found.length },
    ...found.map((result): GameItem => ({ kind: 'result', key: result.event_id, result })),
  ];
}

function underLeagues(games: readonly Game[], byName: boolean): GameItem[] {
  const byLeague = new Map<string, Game[]>();
  for (const game of games) byLeague.set(game.league, [...(byLeague.get(game.league) ?? []), game]);
  const leagues = [...byLeague];
  if (byName) leagues.sort(([a], [b]) => a.localeCompare(b));
  return leagues.flatMap(([league, list]) => underHeading(league, list));
}

function underHeading(text: string, games: readonly Game[]): GameItem[] {
  return [{ kind: 'heading', key: `heading|${text}`, text, count: games.length }, ...games.map(itemOf)];
}

const itemOf = (game: Game): GameItem => ({ kind: 'game', key: game.eventId, game });

function byTime(a: Game, b: Game): number {
  return Number(b.isLive) - Number(a.isLive) || a.startMs - b.startMs || (a.eventId < b.eventId ? -1 : 1);
}

function compare(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
