// Which blocks the board shows, in what order, under which headings.
import type { BoardSort } from './address.js';
import type { Block, Board } from './board.js';
import { words } from './odds-format.js';

export interface Arrangement {
  leagues: readonly string[];
  sport: string;
  live: 'all' | 'live' | 'prematch';
  /** Maximum hours to the start; 0 means no limit. */
  hours: number;
  /** Words, each of which must be the beginning of a word of teams, player, league or sport. */
  q: string;
  /** Minimum percent by which a best price is above the consensus; 0 means any. */
  edge: number;
  sort: BoardSort;
}

export type BoardItem = { kind: 'heading'; key: string; text: string; count: number } | { kind: 'block'; block: Block };

export function arrange(board: Board, wanted: Arrangement, nowMs: number): BoardItem[] {
  const edges = new Map<Block, number>();
  const edge = (block: Block): number => {
    const known = edges.get(block) ?? edgeOf(board, block, nowMs);
    edges.set(block, known);
    return known;
  };
  const found = [...board.blocks.values()].filter(
    (block) => fits(block, wanted, nowMs) && (wanted.edge === 0 || edge(block) >= wanted.edge),
  );
  const hold = (block: Block): number => board.view(block, nowMs).hold ?? Number.POSITIVE_INFINITY;
  const { sort } = wanted;
  const book = bookOfSort(sort);
  const ofBook = new Map(book === undefined ? [] : found.map((block) => [block, edgeOf(board, block, nowMs, book)]));
  if (book !== undefined) found.sort((a, b) => compare(ofBook.get(b)!, ofBook.get(a)!) || byTime(a, b));
  else if (sort === 'hold') found.sort((a, b) => compare(hold(a), hold(b)) || byTime(a, b));
  else if (sort === 'time' || sort === 'league') return underLeagues(found, sort === 'time');
  else found.sort((a, b) => compare(edge(b), edge(a)) || byTime(a, b));
  return found.map((block) => ({ kind: 'block', block }));
}

/** Largest percent by which a best price of the block, or a price of this book, is above the consensus. */
export function edgeOf(board: Board, block: Block, nowMs: number, book?: string): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const { best, fair, cells } of board.view(block, nowMs).outcomes) {
    const cell = book === undefined ? best : cells.get(book);
    if (cell == null || fair === null || cell.state !== 'open' || cell.excluded) continue;
    most = Math.max(most, (cell.net * fair - 1) * 100);
  }
  return most;
}

/** The book whose prices decide the order. */
export function bookOfSort(sort: BoardSort): string | undefined {
  return sort.startsWith('book:') ? sort.slice('book:'.length) : undefined;
}

export function fits(block: Block, { leagues, sport, live, hours, q }: Arrangement, nowMs: number): boolean {
  if (leagues.length > 0 && !leagues.includes(block.league)) return false;
  if (sport !== '' && block.sport !== sport) return false;
  if (live !== 'all' && block.isLive !== (live === 'live')) return false;
  if (hours > 0 && !block.isLive && block.startMs > nowMs + hours * 3_600_000) return false;
  return matches(q, `${block.away} ${block.home} ${block.who} ${block.league} ${block.sport}`);
}

/** Whether each word of the search is the beginning of a word of the text. */
export function matches(q: string, text: string): boolean {
  if (q === '') return true;
  const known = wordsOf(text);
  return wordsOf(q).every((asked) => known.some((word) => word.startsWith(asked)));
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** Leagues in the order of their first event (those in play first), or by name; events by start. */
function underLeagues(blocks: Block[], firstFirst: boolean): BoardItem[] {
  blocks.sort(byTime);
  const byLeague = new Map<string, Block[]>();
  for (const block of blocks) {
    const list = byLeague.get(block.league);
    if (list === undefined) byLeague.set(block.league, [block]);
    else list.push(block);
  }
  const leagues = [...byLeague];
  if (!firstFirst) leagues.sort(([a], [b]) => a.localeCompare(b));
  return leagues.flatMap(([league, list]): BoardItem[] => [
    { kind: 'heading', key: `league|${league}`, text: words(league), count: list.length },
    ...list.map((block): BoardItem => ({ kind: 'block', block })),
  ]);
}

function byTime(a: Block, b: Block): number {
  return (
    Number(b.isLive) - Number(a.isLive) ||
    a.startMs - b.startMs ||
    compare(a.eventId, b.eventId) ||
    compare(a.market, b.market) ||
    compare(a.who, b.who)
  );
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
