// What met nothing, as shown to an operator: with the nearest known names, and the entry of an overlay that would join
// them. Beside the noted names, starts and players in the table that one book alone has.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { LIMITS } from '../base/model/limits.js';
import { formatMs } from '../base/model/time.js';
import type { Unmatched } from '../base/model/unmatched.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { NearestNames } from '../rules/catalogue/nearest-names.js';
import { nearestOf } from '../rules/catalogue/nearest-names.js';
import { canonicalPlayerName } from '../rules/catalogue/player-name.js';
import { isPrivateBook, ownName, privateBook } from '../rules/catalogue/private-book.js';
import { type JoinedName, rosterMatch } from '../rules/catalogue/roster.js';
import type { UnmatchedItem } from '../schema/unmatched.js';
import type { TableEvent } from '../tables/events.js';
import type { OddsTable } from '../tables/table.js';

type Candidate = UnmatchedItem['candidates'][number];

const ROWS_MAX = LIMITS.unmatchedRows.max;
/** Between two pauses: one that is new takes half a millisecond. */
const STEP_NAMES = 20;
const GAMES_MAX = LIMITS.unmatchedGames.max;
const PAIRS_MAX = LIMITS.unmatchedPairs.max;
const BOOKS_MAX = LIMITS.unmatchedBooks.max;
const CANDIDATES_MAX = LIMITS.nearestNames.max;
/** Games of the same teams that are further apart are two games. */
const SAME_GAME_MS = 36 * 3_600_000;
/** Of one game in two leagues' lists. */
const SAME_START_MS = 1_800_000;

interface Asked {
  table: OddsTable;
  catalogue: Catalogue;
  near: NearestNames;
  nowMs: number;
  /** Whose private books are named. */
  account: string;
}

/** The most frequent first. It pauses after each few names. */
export async function unmatchedItems(
  noted: readonly Unmatched[],
  { table, catalogue, near, nowMs, account }: Asked,
): Promise<UnmatchedItem[]> {
  const named: UnmatchedItem[] = [];
  for (const [i, each] of noted.entries()) {
    if ((i + 1) % STEP_NAMES === 0) await nextTurn();
    named.push(namedItem(each, catalogue, near));
  }
  return [...named, ...lonelyItems(table, catalogue, formatMs(nowMs))]
    .flatMap((item) => shownTo(account, item))
    .sort((a, b) => b.times - a.times);
}

/** Without private books of other accounts, and not at all if only these have it. */
function shownTo(account: string, item: UnmatchedItem): UnmatchedItem[] {
  const seen = item.sportsbooks.filter((id) => !isPrivateBook(id) || id === privateBook(ownName(id), account));
  if (seen.length === 0 && item.sportsbooks.length > 0) return [];
  return [{ ...item, sportsbooks: seen.map(ownName) }];
}

function namedItem(each: Unmatched, catalogue: Catalogue, near: NearestNames): UnmatchedItem {
  const { kind, reason, name, league, why, books, times, firstMs, lastMs, meant } = each;
  const isName = reason !== 'refused';
  const alias = (id: string, shown: string): Candidate => ({ id, name: shown, overlay: { id, aliases: [name] } });
  let candidates: Candidate[] = [];
  let file: string | null = null;
  if (isName && kind === 'team' && league !== null) {
    file = `teams/${league}.overlay.json`;
    candidates = (meant === undefined ? near.teams(league, name) : [meant]).map((team) =>
      alias(catalogue.resolveTeam(league, team).token, team),
    );
  } else if (isName && kind === 'league') {
    file = 'leagues.overlay.json';
    candidates = near.leagues(name).map((id) => alias(id, catalogue.league(id)?.name ?? id));
  } else if (isName && kind === 'sportsbook') {
    const ids = near.books(name);
    file = ids.some((id) => catalogue.book(id) !== undefined) ? 'books.overlay.json' : 'unlisted-books.overlay.json';
    candidates = ids.map((id) => alias(id, catalogue.book(id)?.name ?? id));
  } else if (isName && kind === 'market')
    candidates = near.markets(name).map((id) => ({ id, name: id, overlay: null }));
  return {
    kind,
    reason,
    name,
    league,
    event_id: null,
    why,
    sportsbooks: books,
    times,
    first_at: formatMs(firstMs),
    last_at: formatMs(lastMs),
    candidates,
    overlay_file: file,
  };
}

/** Starts and players that one book alone has, beside similar ones of others. */
function lonelyItems(table: OddsTable, catalogue: Catalogue, at: string): UnmatchedItem[] {
  const items: UnmatchedItem[] = [];
  const rosters = new Rosters(catalogue);
  const ofTeams = new Map<string, TableEvent[]>();
  let rows = 0;
  const compared = { pairs: 0 };
  for (const event of table.events.ordered()) {
    if (event.rows.count === 0) continue;
    const { league, homeToken, awayToken } = event;
    const key = `${league}|${[homeToken, awayToken].sort().join('|')}`;
    const games = ofTeams.get(key);
    if (games === undefined) ofTeams.set(key, [event]);
    else {
      const apart = latest(games).find((game) => isApart(game, event));
      games.push(event);
      if (apart !== undefined) items.push(startItem(table, apart, event, at));
    }
    if (event.status === 'ended') continue;
    items.push(...rosters.apart(table, event, at));
    rows += event.rows.count;
    if (rows <= ROWS_MAX) items.push(...lonelyPlayers(table, event, at, compared));
  }
  return items;
}

/**
 * Games of the same teams near each other that no book has both of. One may have ended: a start that is a day late shows
 * then, when the price of what has long been decided looks like that of a game to come.
 */
function isApart(a: TableEvent, b: TableEvent): boolean {
  if (a.status === 'ended' && b.status === 'ended') return false;
  if (Math.abs(a.startMs - b.startMs) > SAME_GAME_MS) return false;
  return isOfOtherBooks(a, b);
}

/** Those whose starts are nearest: games come in the order of theirs. */
function latest(games: readonly TableEvent[]): readonly TableEvent[] {
  return games.length > GAMES_MAX ? games.slice(-GAMES_MAX) : games;
}

/** Games that may be one although a team of theirs, or their league, has another name. */
class Rosters {
  readonly #catalogue: Catalogue;
  /** By league and team. */
  readonly #ofTeam = new Map<string, TableEvent[]>();
  /** By sport and both teams. */
  readonly #ofTeams = new Map<string, TableEvent[]>();

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Proposals for this game and those before it. */
  apart(table: OddsTable, event: TableEvent, at: string): UnmatchedItem[] {
    const { league, sport, homeToken, awayToken } = event;
    const items: UnmatchedItem[] = [];
    const among = (games: readonly TableEvent[]) => latest(games).filter((game) => isOfOtherBooks(game, event));
    const ofTeam = (token: string): TableEvent[] => getOrInsert(this.#ofTeam, `${league}|${token}`, () => []);
    const found = rosterMatch(this.#catalogue, league, event, (token) => among(ofTeam(token)));
    if (found !== undefined) items.push(this.#team(table, event, found.game, found.joined, at));
    const both = getOrInsert(this.#ofTeams, `${sport}|${[homeToken, awayToken].sort().join('|')}`, () => []);
    const other = among(both).find(
      (game) => game.league !== league && Math.abs(game.startMs - event.startMs) <= SAME_START_MS,
    );
    if (other !== undefined) items.push(leagueItem(table, event, other, at));
    for (const games of [ofTeam(homeToken), ofTeam(awayToken), both]) games.push(event);
    return items;
  }

  #team(table: OddsTable, event: TableEvent, game: TableEvent, { name, meant }: JoinedName, at: string): UnmatchedItem {
    const { token, known } = this.#catalogue.resolveTeam(event.league, meant);
    const named = [event, game].find((each) => each.home === name || each.away === name) ?? event;
    const overlay = known ? { id: token, aliases: [name] } : null;
    const candidates = [{ id: token, name: meant, overlay }];
    const item = lonely(table, named, { kind: 'team', name, books: [...named.byBook.keys()], candidates, at });
    return known ? { ...item, overlay_file: `teams/${event.league}.overlay.json` } : item;
  }
}

function isOfOtherBooks(a: TableEvent, b: TableEvent): boolean {
  return ![...a.byBook.keys()].some((book) => b.byBook.has(book));
}

/** The league of a game that other books have in another one. */
function leagueItem(table: OddsTable, a: TableEvent, b: TableEvent, at: string): UnmatchedItem {
  const [alone, other] = a.byBook.size < b.byBook.size ? [a, b] : [b, a];
  const candidates = [{ id: other.id, name: other.league, overlay: null }];
  return lonely(table, alone, { kind: 'league', name: alone.league, books: [...alone.byBook.keys()], candidates, at });
}

function startItem(table: OddsTable, a: TableEvent, b: TableEvent, at: string): UnmatchedItem {
  const [alone, other] = a.byBook.size < b.byBook.size ? [a, b] : [b, a];
  return lonely(table, alone, {
    kind: 'time',
    name: formatMs(alone.startMs),
    books: [...alone.byBook.keys()],
    candidates: [{ id: other.id, name: formatMs(other.startMs), overlay: null }],
    at,
  });
}

/** @param compared in all games so far: a game may have thousands of players, if somebody says so */
function lonelyPlayers(table: OddsTable, event: TableEvent, at: string, compared: { pairs: number }): UnmatchedItem[] {
  const { player, book } = table.columns;
  const players = new Map<string, { name: string; books: Set<number> }>();
  for (const slot of event.rows.unsorted()) {
    const name = player.at(slot);
    if (name === null) continue;
    const key = canonicalPlayerName(name);
    const known = players.get(key);
    if (known === undefined) players.set(key, { name, books: new Set([book[slot]!]) });
    else known.books.add(book[slot]!);
  }
  const items: UnmatchedItem[] = [];
  for (const [key, { name, books }] of players) {
    if (books.size !== 1) continue;
    compared.pairs += players.size;
    if (compared.pairs > PAIRS_MAX) break;
    const [only] = books;
    // A book that lists both means two players.
    const others = [...players].filter(([, each]) => !each.books.has(only!));
    if (others.length === 0) continue;
    const names = others.map(([, each]) => each.name);
    const like = new Set([...nearestOf(name, names), ...names.filter((each) => isInitialOf(name, each))]);
    if (like.size === 0 || others.some(([other]) => other === key)) continue;
    const candidates = [...like].slice(0, CANDIDATES_MAX).map((each) => ({ id: event.id, name: each, overlay: null }));
    items.push(lonely(table, event, { kind: 'player', name, books: [only!], candidates, at }));
  }
  return items;
}

/** `L. James` and `LeBron James`. */
function isInitialOf(a: string, b: string): boolean {
  const [first, second] = [a, b].map((name) => name.toLowerCase().replaceAll('.', ' ').trim().split(/\s+/)) as [
    string[],
    string[],
  ];
  if (first.length < 2 || second.length < 2 || first.at(-1) !== second.at(-1)) return false;
  const [x, y] = [first[0]!, second[0]!];
  return (x.length === 1 || y.length === 1) && x[0] === y[0];
}

function lonely(
  table: OddsTable,
  { id, league }: TableEvent,
  about: {
    kind: 'time' | 'player' | 'team' | 'league';
    name: string;
    books: number[];
    candidates: Candidate[];
    at: string;
  },
): UnmatchedItem {
  const { kind, name, books, candidates, at } = about;
  return {
    kind,
    reason: 'apart',
    name,
    league,
    event_id: id,
    why: null,
    sportsbooks: books.slice(0, BOOKS_MAX).map((book) => table.books.name(book)),
    times: 1,
    first_at: at,
    last_at: at,
    candidates,
    overlay_file: null,
  };
}
