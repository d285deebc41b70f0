// A market of futures: every outcome with each book's price and the best of them, and what their probabilities add up
// to. Outcomes of which one wins (a champion, a player of the year) add up as a whole; those with a line (a team's wins)
// by line, over and under.
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { FutureOdds } from '../../src/client/client.js';
import { lineText } from './odds-format.js';

export interface FuturePrice {
  decimal: number;
  american: number;
  /** Unix ms of the poll that showed it. */
  atMs: number;
}

export interface FutureOutcome {
  key: string;
  name: string;
  /** Book id → its price. */
  prices: Map<string, FuturePrice>;
  best: FuturePrice;
  /** Books with exactly that price. */
  bestBooks: string[];
}

export interface FutureGroup {
  /** The line that its outcomes share; '' for a market as a whole. */
  line: string;
  outcomes: FutureOutcome[];
  /** What the probabilities of the best prices add up to, 1 being no margin; null where that says nothing. */
  sum: number | null;
  /** Book → the same of its own prices; of books with a price of each outcome alone. */
  sums: Map<string, number>;
}

/** @param isMine whether a book's price may be the best */
export function futureGroups(
  rows: readonly FutureOdds[],
  isMine: (book: string) => boolean = () => true,
): FutureGroup[] {
  const groups = new Map<string, Map<string, FutureOutcome>>();
  for (const row of rows) {
    // Over and under of each line are a question of their own; outcomes that exclude each other are one.
    const pairs = row.future_type === 'OVER_UNDER' || row.future_type === 'YES_NO';
    const line = row.line === undefined ? '' : lineText(row.line, '');
    const of = getOrInsert(groups, pairs ? line : '', () => new Map<string, FutureOutcome>());
    const key = `${row.selection}|${line}`;
    const price = { decimal: row.odds_decimal, american: row.odds_american, atMs: Date.parse(row.timestamp) };
    const outcome = getOrInsert(of, key, () => ({
      key,
      name: [row.selection, line].filter(Boolean).join(' '),
      prices: new Map(),
      best: price,
      bestBooks: [],
    }));
    outcome.prices.set(row.sportsbook, price);
  }
  return [...groups]
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([line, outcomes]) => groupOf(line, [...outcomes.values()], isMine));
}

function groupOf(line: string, outcomes: FutureOutcome[], isMine: (book: string) => boolean): FutureGroup {
  const books = new Set<string>();
  for (const outcome of outcomes) {
    const prices = [...outcome.prices].filter(([book]) => isMine(book));
    const offered = prices.length > 0 ? prices : [...outcome.prices];
    outcome.best = offered.reduce((best, [, price]) => (price.decimal > best.decimal ? price : best), offered[0]![1]);
    outcome.bestBooks = offered.flatMap(([book, { decimal }]) => (decimal === outcome.best.decimal ? [book] : []));
    for (const book of outcome.prices.keys()) books.add(book);
  }
  outcomes.sort((a, b) => a.best.decimal - b.best.decimal || (a.name < b.name ? -1 : 1));
  const sums = new Map<string, number>();
  if (outcomes.length > 1)
    for (const book of books) {
      const prices = outcomes.map(({ prices }) => prices.get(book));
      if (prices.every((price) => price !== undefined)) sums.set(book, sumOf(prices));
    }
  return { line, outcomes, sums, sum: outcomes.length > 1 ? sumOf(outcomes.map(({ best }) => best)) : null };
}

const sumOf = (prices: readonly FuturePrice[]): number => prices.reduce((sum, { decimal }) => sum + 1 / decimal, 0);
