// Grades of bets on recorded games by the close, computed from the polls alone: margins removed by power, and the
// median over the other owners' books.
import type { Game } from './polls.js';

/** Books that are skins of another one. */
const OWNERS: Record<string, string> = { lowvig: 'betonline' };
const OPINIONS_MIN = 3;
/** A price that nobody saw for longer before the start is no reference. */
const UNSEEN_MS = 1_800_000;

export interface JudgedBet {
  book: string;
  side: 'home' | 'away';
  american: number;
  atMs: number;
  /** Fair probability at the close; null if too few books have a price. */
  probability: number | null;
}

/** A bet on every moneyline at its opening price, at books that closed with both sides. */
export function judgedBets({ startMs, prices, shown }: Game, pollsMs: readonly number[]): JudgedBet[] {
  const closing = (place: string): number | undefined =>
    isStanding(shown.get(place) ?? [], startMs, pollsMs)
      ? prices.get(place)?.findLast(([ms]) => ms < startMs)?.[1]
      : undefined;
  const books = [...new Set([...prices.keys()].map((place) => place.split('|')[0]!))];
  const homes = new Map<string, number>();
  for (const book of books) {
    const [home, away] = [closing(`${book}|home`), closing(`${book}|away`)];
    if (home !== undefined && away !== undefined) homes.set(book, fairHome(impliedBy(home), impliedBy(away)));
  }
  return [...homes.keys()].flatMap((book) =>
    (['home', 'away'] as const).map((side): JudgedBet => {
      const [atMs, american] = prices.get(`${book}|${side}`)![0]!;
      const home = medianOfOthers(homes, book);
      return { book, side, american, atMs, probability: home === null || side === 'home' ? home : 1 - home };
    }),
  );
}

/** Seen shortly before the start, and not removed by then: by the first poll that does not contain it. */
function isStanding(
  shown: NonNullable<ReturnType<Game['shown']['get']>>,
  startMs: number,
  pollsMs: readonly number[],
): boolean {
  const last = shown.findLast(({ pollMs }) => pollMs < startMs);
  if (last === undefined || last.seenMs < startMs - UNSEEN_MS) return false;
  const nextMs = pollsMs.find((ms) => ms > last.pollMs) ?? Number.POSITIVE_INFINITY;
  return nextMs >= startMs;
}

function medianOfOthers(homes: ReadonlyMap<string, number>, judged: string): number | null {
  const ownerOf = (book: string): string => OWNERS[book] ?? book;
  const byOwner = new Map<string, number[]>();
  for (const [book, home] of homes)
    if (ownerOf(book) !== ownerOf(judged)) byOwner.set(ownerOf(book), [...(byOwner.get(ownerOf(book)) ?? []), home]);
  const opinions = [...byOwner.values()].map((of) => of.reduce((sum, home) => sum + home, 0) / of.length);
  if (opinions.length < OPINIONS_MIN) return null;
  opinions.sort((a, b) => a - b);
  const middle = opinions.length >> 1;
  return opinions.length % 2 === 1 ? opinions[middle]! : (opinions[middle - 1]! + opinions[middle]!) / 2;
}

function impliedBy(american: number): number {
  return american > 0 ? 100 / (american + 100) : -american / (100 - american);
}

/** The first of two implied probabilities, raised to the power at which both sum to 1 (by bisection). */
function fairHome(home: number, away: number): number {
  let [least, most] = [0.1, 10];
  for (let i = 0; i < 80; i++) {
    const power = (least + most) / 2;
    if (home ** power + away ** power > 1) least = power;
    else most = power;
  }
  return home ** least;
}
