// Player props as a list: player × market in one row, under their game; and every line of them, one row each, where a
// player was searched for.
import type { BoardSort } from './address.js';
import { type Arrangement, bookOfSort, edgeOf, fits, matches } from './arrange.js';
import { baseLine } from './block.js';
import type { Block, Board } from './board.js';
import { words } from './odds-format.js';

/** A heading above its rows, or a row. */
type PropItem = { kind: 'heading'; key: string; text: string; count: number } | { kind: 'block'; block: Block };

export interface PropsWanted extends Arrangement {
  /** A market type; '' means all. */
  prop: string;
}

/** Games whose every line is shown at once: each is a game of the search. */
export const SEARCHED_GAMES_MAX = 8;

/** `player_points_rebounds` as `points rebounds`. */
export function propName(market: string): string {
  return words(market.replace(/^player_/, ''));
}

/** Games with a player, or a bet on one, that was searched for; none where the search is of more games than are shown whole. */
export function searchedGames(board: Board, wanted: PropsWanted, nowMs: number): string[] {
  if (wanted.q === '') return [];
  const games = new Set<string>();
  for (const block of board.blocks.values()) {
    if (!fitsProp(block, wanted, nowMs) || !matches(wanted.q, `${block.who} ${propName(block.market)}`)) continue;
    games.add(block.eventId);
    if (games.size > SEARCHED_GAMES_MAX) return [];
  }
  return [...games].sort();
}

function fitsProp(block: Block, wanted: PropsWanted, nowMs: number): boolean {
  if (block.who === '' || (wanted.prop !== '' && block.market !== wanted.prop)) return false;
  if (!fits(block, { ...wanted, q: '' }, nowMs)) return false;
  return matches(
    wanted.q,
    `${block.who} ${propName(block.market)} ${block.away} ${block.home} ${block.league} ${block.sport}`,
  );
}

/** @param linesOf the rows that a block is shown as: by default one, its main line */
export function arrangeProps(
  board: Board,
  wanted: PropsWanted,
  nowMs: number,
  linesOf: (block: Block) => readonly Block[] = (block) => [block],
): PropItem[] {
  const found: Block[] = [];
  for (const block of board.blocks.values()) {
    if (!fitsProp(block, wanted, nowMs)) continue;
    for (const line of linesOf(block)) if (isWorth(board, line, wanted.edge, nowMs)) found.push(line);
  }
  const order = orderOf(board, wanted.sort, nowMs);
  if (order !== undefined) {
    const by = new Map(found.map((block) => [block, order(block)]));
    found.sort((a, b) => by.get(a)! - by.get(b)! || compare(a, b));
    return found.map((block) => ({ kind: 'block', block }));
  }
  found.sort(compare);
  return underGames(found);
}

const isWorth = (board: Board, block: Block, edge: number, nowMs: number): boolean =>
  edge === 0 || edgeOf(board, block, nowMs) >= edge;

/** What is sorted by, ascending; undefined: by game. */
function orderOf(board: Board, sort: BoardSort, nowMs: number): ((block: Block) => number) | undefined {
  // Whoever has no price comes last, and infinity less infinity is no order.
  const finite = (value: number): number =>
    Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
  const book = bookOfSort(sort);
  if (book !== undefined) return (block) => finite(-edgeOf(board, block, nowMs, book));
  if (sort === 'edge') return (block) => finite(-edgeOf(board, block, nowMs));
  if (sort === 'hold') return (block) => finite(board.view(block, nowMs).hold ?? Number.POSITIVE_INFINITY);
  return undefined;
}

/** Games in play first, then by start; of a game by player, market and line. */
function compare(a: Block, b: Block): number {
  return (
    Number(b.isLive) - Number(a.isLive) ||
    a.startMs - b.startMs ||
    before(a.eventId, b.eventId) ||
    before(a.who, b.who) ||
    before(a.market, b.market) ||
    (a.atLine ?? 0) - (b.atLine ?? 0)
  );
}

const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function underGames(blocks: readonly Block[]): PropItem[] {
  const items: PropItem[] = [];
  let heading: Extract<PropItem, { kind: 'heading' }> | undefined;
  for (const block of blocks) {
    const key = `game|${block.eventId}`;
    if (heading?.key !== key) {
      heading = { kind: 'heading', key, text: `${block.away} @ ${block.home}`, count: 0 };
      items.push(heading);
    }
    heading.count++;
    items.push({ kind: 'block', block });
  }
  return items;
}

/** The lines of blocks as blocks of their own, kept as long as their prices stay. */
export class LineBlocks {
  readonly #lines = new Map<Block, Map<string, Block>>();

  of(block: Block): Block[] {
    let lines = this.#lines.get(block);
    if (lines === undefined) {
      lines = new Map();
      this.#lines.set(block, lines);
      split(block, lines);
    }
    return [...lines.values()].filter(({ rows }) => rows.size > 0);
  }

  /** These changed: returns their lines. */
  take(changed: Iterable<Block>): Set<Block> {
    const all = new Set<Block>();
    for (const block of changed) {
      const lines = this.#lines.get(block);
      if (lines === undefined) continue;
      split(block, lines);
      for (const line of lines.values()) all.add(line);
    }
    return all;
  }

  clear(): void {
    this.#lines.clear();
  }
}

/** The same objects for the same lines: what is on the screen is known by them. */
function split(block: Block, lines: Map<string, Block>): void {
  for (const line of lines.values()) {
    line.rows.clear();
    line.view = undefined;
    line.isLive = block.isLive;
    line.startMs = block.startMs;
    line.isAlternate = true;
  }
  for (const row of block.rows.values()) {
    const at = baseLine(row);
    const key = `${block.key}|${at ?? ''}`;
    let line = lines.get(key);
    if (line === undefined) {
      line = { ...block, key, atLine: at, isAlternate: true, rows: new Map(), view: undefined };
      lines.set(key, line);
    }
    line.rows.set(row.id, row);
    if (!row.is_alternate_line) line.isAlternate = false;
  }
}
