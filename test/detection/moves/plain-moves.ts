// Moves by their definitions, computed from a list of all polls: the reference for the shards' moves.
import { decimalFromAmerican } from '../../../src/base/model/price.js';

export const SIDES = ['Over', 'Under'] as const;

/** A book's prices of a total at one time: both sides at its only line. */
export interface Poll {
  book: string;
  /** Position (Unix µs). */
  us: number;
  line: number;
  /** American, over and under. */
  prices: readonly [number, number];
  active: boolean;
}

export interface PlainMove {
  kind: string;
  direction: string;
  selection: string;
  lines: [from: number, to: number];
  /** Book, from, to, position. */
  books: [string, number, number, number][];
  lastUs: number;
  key: string;
}

const MINUTE_US = 60e6;
const KAMBI = ['betrivers', 'ballybet', 'betparx'];
const EPSILON = 1e-9;

/** The active moves among these books after all polls, each of which is a batch of its own. */
export function plainMoves(polls: readonly Poll[]): PlainMove[] {
  const moves: PlainMove[] = [];
  let main = Number.NaN;
  for (let n = 0; n < polls.length; n++) {
    const seen = polls.slice(0, n + 1);
    const now = polls[n]!;
    for (const side of [0, 1] as const) {
      if (lastMove(seen, now.book, side, 0)?.us !== now.us) continue;
      for (const found of dropsOf(seen, now, side)) join(moves, found, true, 10 * MINUTE_US);
      for (const found of steamOf(seen, now, side))
        join(moves, found, isSteam(found.books.map(([book]) => book)), MINUTE_US);
    }
    const before = latest(polls.slice(0, n), now.book);
    if (before !== undefined && before.line === now.line && before.active === now.active) continue;
    const consensus = mainLine(seen, now.us, main);
    if (!Number.isNaN(main) && !Number.isNaN(consensus) && main !== consensus) {
      const move = lineMove(seen, now, main, consensus);
      if (move.books.length > 0) moves.push(move);
    }
    main = consensus;
  }
  const end = polls.at(-1)!.us;
  return moves.filter(({ lastUs }) => lastUs + 15 * MINUTE_US >= end);
}

function isSteam(books: readonly string[]): boolean {
  return new Set(books.map(ownerOf)).size >= 3;
}

function ownerOf(book: string): string {
  return KAMBI.includes(book) ? 'kambi' : book;
}

/** A book that keeps a margin of more than 15 %, or that would lose more than 3 %, does not mean its prices. */
function isMeant({ prices, active }: Poll): boolean {
  const hold = 1 / decimalFromAmerican(prices[0]) + 1 / decimalFromAmerican(prices[1]) - 1;
  return active && hold >= -0.03 && hold <= 0.15;
}

const latest = (polls: readonly Poll[], book: string): Poll | undefined => polls.findLast((poll) => poll.book === book);

/** The book's price changes of a side since a position, newest first, at the line it has now: of prices that it meant. */
function changes(polls: readonly Poll[], book: string, side: 0 | 1, sinceUs: number): { before: number; us: number }[] {
  const all = polls.filter((poll) => poll.book === book);
  const lined = all.findLastIndex(({ line }) => line !== all.at(-1)!.line);
  const own = all.slice(lined + 1).filter((poll) => !poll.active || isMeant(poll));
  const found: { before: number; us: number }[] = [];
  for (let i = own.length - 1; i > 0; i--) {
    const [before, after] = [own[i - 1]!, own[i]!];
    if (after.us < sinceUs) break;
    if (before.prices[side] !== after.prices[side]) found.push({ before: before.prices[side], us: after.us });
  }
  return found;
}

interface PriceMove {
  from: number;
  to: number;
  us: number;
  up: boolean;
}

function lastMove(polls: readonly Poll[], book: string, side: 0 | 1, sinceUs: number): PriceMove | undefined {
  const made = changes(polls, book, side, sinceUs);
  const [last] = made;
  const poll = latest(polls, book);
  if (last === undefined || poll === undefined) return undefined;
  const to = poll.prices[side];
  const chance = (american: number): number => 1 / decimalFromAmerican(american);
  const up = chance(to) > chance(last.before);
  const farthest = made.reduce(
    (best, { before }) => (up === chance(before) < chance(best) ? before : best),
    last.before,
  );
  return { from: farthest, to, us: last.us, up };
}

function dropsOf(polls: readonly Poll[], { book, us, active, line }: Poll, side: 0 | 1): PlainMove[] {
  const move = lastMove(polls, book, side, us - 10 * MINUTE_US);
  if (!active || move === undefined) return [];
  if (Math.abs(decimalFromAmerican(move.to) / decimalFromAmerican(move.from) - 1) <= 0.1 + EPSILON) return [];
  return [found('drop', `drop|${book}|${side}|${move.up}`, side, line, [[book, move]])];
}

function steamOf(polls: readonly Poll[], now: Poll, side: 0 | 1): PlainMove[] {
  const movers: [string, PriceMove][] = [];
  for (const book of new Set(polls.map((poll) => poll.book))) {
    const poll = latest(polls, book)!;
    const move = lastMove(polls, book, side, now.us - MINUTE_US);
    if (!isMeant(poll) || poll.line !== now.line || move === undefined) continue;
    const by = 1 / decimalFromAmerican(move.to) - 1 / decimalFromAmerican(move.from);
    if (Math.abs(by) >= 0.01 - EPSILON) movers.push([book, move]);
  }
  return [true, false].flatMap((up) => {
    const same = movers.filter(([, move]) => move.up === up);
    if (!same.some(([, move]) => move.us === now.us)) return [];
    return [found('steam', `steam|${now.line}|${side}|${up}`, side, now.line, same)];
  });
}

function found(kind: string, key: string, side: 0 | 1, line: number, movers: [string, PriceMove][]): PlainMove {
  return {
    kind,
    key,
    direction: movers[0]![1].up ? 'up' : 'down',
    selection: SIDES[side],
    lines: [line, line],
    books: movers.map(([book, { from, to, us }]) => [book, from, to, us]),
    lastUs: Math.max(...movers.map(([, { us }]) => us)),
  };
}

function join(moves: PlainMove[], next: PlainMove, whole: boolean, windowUs: number): void {
  const open = moves.findLast(({ key }) => key === next.key);
  if (open === undefined || next.lastUs - open.lastUs > windowUs) {
    if (whole) moves.push(next);
    return;
  }
  open.lastUs = next.lastUs;
  for (const [book, from, to, us] of next.books) {
    const known = open.books.find(([name]) => name === book);
    if (known === undefined) open.books.push([book, from, to, us]);
    else [known[2], known[3]] = [to, us];
  }
}

/**
 * The line that most owners' books have, by their prices of the last five minutes; the previous one if it is equally common.
 */
function mainLine(polls: readonly Poll[], us: number, before: number): number {
  const owners = new Map<number, Set<string>>();
  for (const book of new Set(polls.map((poll) => poll.book))) {
    const poll = latest(polls, book)!;
    if (!isMeant(poll) || poll.us < us - 5 * MINUTE_US) continue;
    owners.set(poll.line, (owners.get(poll.line) ?? new Set()).add(ownerOf(book)));
  }
  if (owners.size === 0) return Number.NaN;
  const counts = new Map([...owners].map(([line, at]) => [line, at.size]));
  const most = Math.max(...counts.values());
  if (most < 2) return before;
  const lines = [...counts.keys()].filter((line) => counts.get(line) === most).sort((a, b) => a - b);
  return lines.includes(before) ? before : lines[0]!;
}

function lineMove(polls: readonly Poll[], now: Poll, from: number, to: number): PlainMove {
  const books: PlainMove['books'] = [];
  for (const book of new Set(polls.map((poll) => poll.book))) {
    const own = polls.filter((poll) => poll.book === book);
    const last = own.at(-1)!;
    if (last.line !== to || !isMeant(last) || last.us < now.us - 5 * MINUTE_US) continue;
    const at = own.findLastIndex((poll, i) => i > 0 && own[i - 1]!.line !== poll.line);
    if (at >= 0 && own[at]!.us >= now.us - 10 * MINUTE_US) books.push([book, own[at - 1]!.line, to, own[at]!.us]);
  }
  return {
    kind: 'line',
    key: `line|${now.us}`,
    direction: 'up',
    selection: SIDES[to > from ? 0 : 1],
    lines: [from, to],
    books,
    lastUs: now.us,
  };
}
