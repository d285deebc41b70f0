// The control of the detection bench: the same arbitrage, low hold, EV and middles over plain objects and fresh arrays,
// each price change starting from nothing, as one would write it first.
import { devig } from '../src/detect/maths/devig.js';
import { middleProbability, middleReturns } from '../src/detect/maths/middle.js';
import { centreFromPrice, resultModel } from '../src/detect/maths/result-model.js';
import type { Row } from '../src/shard/state.js';

export interface PlainQuote {
  book: string;
  owner: string;
  side: number;
  row: Row;
}

export interface PlainMarket {
  quotes: PlainQuote[];
  universes: (Set<string> | null)[];
  sharpBook: string;
  lines: boolean;
}

export interface PlainFinding {
  kind: string;
  edge: number;
  books: string[];
}

const MODEL = resultModel('basketball', 'nba', 'total_points')!;

export function plainEvaluation(market: PlainMarket, nowMs: number): PlainFinding[] {
  const found: PlainFinding[] = [];
  const fresh = market.quotes.filter(({ row }) => nowMs - row.seenMs <= 300_000);
  const lines = new Map<number | null, PlainQuote[]>();
  for (const quote of fresh) lines.set(quote.row.line, [...(lines.get(quote.row.line) ?? []), quote]);
  for (const quotes of lines.values()) {
    const sides = market.lines ? 2 : 3;
    const fair = fairByBook(quotes, sides);
    for (const universe of market.universes) {
      const inside = quotes.filter(({ book }) => universe === null || universe.has(book));
      const best = Array.from({ length: sides }, (_, side) => bestOf(inside, side));
      if (best.every((quote) => quote !== undefined)) {
        const sum = best.reduce((total, quote) => total + 1 / quote.row.decimal, 0);
        const books = best.map((quote) => quote.book);
        if (sum < 1) found.push({ kind: 'arbitrage', edge: 100 * (1 / sum - 1), books });
        else if (sum <= 1.2) found.push({ kind: 'low_hold', edge: 100 * (sum - 1), books });
      }
      for (const { book, owner, side, row } of inside) {
        const p = referenceFor(fair, market.sharpBook, owner, side);
        const ev = 100 * (p * row.decimal - 1);
        if (ev >= 0) found.push({ kind: 'ev', edge: ev, books: [book] });
      }
    }
  }
  if (market.lines) found.push(...middles(lines, market.universes));
  return found;
}

function bestOf(quotes: readonly PlainQuote[], side: number): PlainQuote | undefined {
  return quotes.filter((quote) => quote.side === side).sort((a, b) => b.row.decimal - a.row.decimal)[0];
}

interface Fair {
  owner: string;
  p: number[];
}

function fairByBook(quotes: readonly PlainQuote[], sides: number): Map<string, Fair> {
  const fair = new Map<string, Fair>();
  for (const book of new Set(quotes.map((quote) => quote.book))) {
    const own = quotes.filter((quote) => quote.book === book).sort((a, b) => a.side - b.side);
    const p: number[] = [];
    const implied = own.map(({ row }) => 1 / row.decimal);
    if (own.length === sides && devig('power', implied, sides, p)) fair.set(book, { owner: own[0]!.owner, p });
  }
  return fair;
}

function referenceFor(fair: Map<string, Fair>, sharp: string, owner: string, side: number): number {
  const own = fair.get(sharp);
  if (own !== undefined) return own.owner === owner ? Number.NaN : own.p[side]!;
  const opinions = new Map<string, number[]>();
  for (const one of fair.values())
    if (one.owner !== owner) opinions.set(one.owner, [...(opinions.get(one.owner) ?? []), one.p[side]!]);
  if (opinions.size < 3) return Number.NaN;
  const values = [...opinions.values()].map((p) => p.reduce((a, b) => a + b, 0) / p.length).sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

function middles(lines: Map<number | null, PlainQuote[]>, universes: PlainMarket['universes']): PlainFinding[] {
  const found: PlainFinding[] = [];
  const sorted = [...lines].sort(([a], [b]) => a! - b!);
  const chances = new Float64Array(3);
  const returns = new Float64Array(3);
  for (const [low, overs] of sorted)
    for (const [high, unders] of sorted) {
      if (low! >= high!) continue;
      const fair = [...fairByBook(overs, 2).values()][0];
      if (fair === undefined) continue;
      middleProbability(MODEL, low!, high!, centreFromPrice(MODEL, low!, fair.p[0]!), chances);
      for (const universe of universes) {
        const allowed = ({ book }: PlainQuote) => universe === null || universe.has(book);
        const over = bestOf(overs.filter(allowed), 0);
        const under = bestOf(unders.filter(allowed), 1);
        if (over === undefined || under === undefined) continue;
        middleReturns(low!, high!, over.row.decimal, under.row.decimal, chances, returns);
        if (returns[0]! >= 0) found.push({ kind: 'middle', edge: returns[0]!, books: [over.book, under.book] });
      }
    }
  return found;
}
