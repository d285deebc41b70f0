// The control of the detection bench: the same arbitrage, low hold, EV and middles over plain objects and fresh arrays,
// computed from scratch at each price change, as a first version would be written.

import { freshMs } from '../src/base/model/freshness.js';
import type { BetKind } from '../src/base/model/opportunity.js';
import { ALL_KINDS } from '../src/detection/candidate.js';
import { DETECTION_LIMITS, EDGE_NOISE } from '../src/detection/detection-limits.js';
import * as arbitrage from '../src/detection/maths/arbitrage.js';
import { CONSENSUS_OPINIONS_MIN } from '../src/detection/maths/consensus.js';
import { devig } from '../src/detection/maths/devig.js';
import { evPercent } from '../src/detection/maths/ev.js';
import { EXPECTED, middleProbability, middleReturns } from '../src/detection/maths/middle.js';
import { centreFromPrice, resultModel } from '../src/detection/maths/result-model.js';
import { steadyCentre } from '../src/detection/result-tables.js';
import { MarketTypes } from '../src/rules/markets/market-types.js';

/** A price as a first version would have it: an object of its own. */
export interface PlainRow {
  line: number | null;
  decimal: number;
  /** Unix ms. */
  seenMs: number;
}

export interface PlainQuote {
  book: string;
  owner: string;
  side: number;
  row: PlainRow;
}

export interface PlainMarket {
  quotes: PlainQuote[];
  universes: (Set<string> | null)[];
  sharpBook: string;
  sides: number;
  /** Its sides are those of lines; then it has middles. */
  lines: boolean;
}

export interface PlainFinding {
  kind: BetKind;
  /** Percent. */
  edge: number;
  books: string[];
}

const MODEL = resultModel(new MarketTypes().of('total_points', 'basketball'), 'basketball', 'nba')!;

/** What the market holds of these kinds in each of its universes, within the usual limits. */
export function plainEvaluation(
  market: PlainMarket,
  nowMs: number,
  kinds: ReadonlySet<BetKind> = ALL_KINDS,
): PlainFinding[] {
  const found: PlainFinding[] = [];
  const fresh = market.quotes.filter(
    (quote) => nowMs - quote.row.seenMs <= freshMs(false) && !(market.lines && missesSide(quote, market.quotes)),
  );
  const lines = new Map<number | null, PlainQuote[]>();
  for (const quote of fresh) lines.set(quote.row.line, [...(lines.get(quote.row.line) ?? []), quote]);
  const { sides } = market;
  for (const quotes of lines.values()) {
    const fairFor = kinds.has('ev') ? reference(fairByBook(quotes, sides), market.sharpBook, sides) : undefined;
    for (const universe of market.universes) {
      const inside = quotes.filter(({ book }) => universe === null || universe.has(book));
      if (kinds.has('arbitrage') || kinds.has('low_hold')) {
        const set = setOf(inside, sides);
        if (set !== undefined && kinds.has(set.kind)) found.push(set);
      }
      if (fairFor === undefined) continue;
      for (const { book, owner, side, row } of inside) {
        const edge = evPercent(fairFor(owner)?.[side] ?? Number.NaN, row.decimal);
        if (edge >= DETECTION_LIMITS.minEv - EDGE_NOISE) found.push({ kind: 'ev', edge, books: [book] });
      }
    }
  }
  if (market.lines && kinds.has('middle')) found.push(...middles(lines, market));
  return found;
}

/** Whether the book's price of the line's other side shows that a third is missing. */
function missesSide({ book, side, row }: PlainQuote, quotes: readonly PlainQuote[]): boolean {
  return quotes.some(
    (other) =>
      other.book === book &&
      other.row.line === row.line &&
      other.side !== side &&
      arbitrage.missesSide(row.decimal, other.row.decimal),
  );
}

/** The best price of every side together, where that is an arbitrage or a low hold. */
function setOf(quotes: readonly PlainQuote[], sides: number): PlainFinding | undefined {
  const best = Array.from({ length: sides }, (_, side) => bestOf(quotes, side));
  if (!best.every((quote) => quote !== undefined)) return undefined;
  const sum = sumOf(best);
  if (arbitrage.isLowHold(sum, DETECTION_LIMITS.maxHold))
    return { kind: 'low_hold', edge: arbitrage.holdPercent(sum), books: booksOf(best) };
  if (!arbitrage.isArbitrage(sum)) return undefined;
  const legs = new Set(booksOf(best)).size === sides ? best : bestOfDifferentBooks(quotes, sides);
  if (legs === undefined || !arbitrage.arbitrageStakes(decimalsOf(legs), sides, [])) return undefined;
  return { kind: 'arbitrage', edge: arbitrage.profitPercent(sumOf(legs)), books: booksOf(legs) };
}

/** As good as it gets with every side at a book of its own. */
function bestOfDifferentBooks(quotes: readonly PlainQuote[], sides: number): PlainQuote[] | undefined {
  let sets: PlainQuote[][] = [[]];
  for (let side = 0; side < sides; side++) {
    const own = quotes.filter((quote) => quote.side === side);
    sets = sets.flatMap((set) =>
      own.filter(({ book }) => !booksOf(set).includes(book)).map((quote) => [...set, quote]),
    );
  }
  return sets.sort((a, b) => sumOf(a) - sumOf(b))[0];
}

function bestOf(quotes: readonly PlainQuote[], side: number): PlainQuote | undefined {
  return quotes.filter((quote) => quote.side === side).sort((a, b) => b.row.decimal - a.row.decimal)[0];
}

const booksOf = (quotes: readonly PlainQuote[]): string[] => quotes.map(({ book }) => book);
const decimalsOf = (quotes: readonly PlainQuote[]): number[] => quotes.map(({ row }) => row.decimal);
const sumOf = (quotes: readonly PlainQuote[]): number => arbitrage.inverseSum(decimalsOf(quotes), quotes.length);

interface Fair {
  owner: string;
  p: number[];
}

function fairByBook(quotes: readonly PlainQuote[], sides: number): Map<string, Fair> {
  const fair = new Map<string, Fair>();
  for (const book of new Set(booksOf(quotes))) {
    const own = quotes.filter((quote) => quote.book === book).sort((a, b) => a.side - b.side);
    const p: number[] = [];
    const implied = own.map(({ row }) => 1 / row.decimal);
    if (own.length !== sides || !isOpinion(implied)) continue;
    if (devig('power', implied, sides, p)) fair.set(book, { owner: own[0]!.owner, p });
  }
  return fair;
}

/** A book's own hold within what books mean. */
function isOpinion(implied: readonly number[]): boolean {
  const hold = implied.reduce((sum, each) => sum + each, -1);
  return hold >= -0.03 - 1e-9 && hold <= 0.15 + 1e-9;
}

/** Returns the fair probabilities that an owner's books are judged by: the sharp book's, else those of all others. */
function reference(fair: Map<string, Fair>, sharpBook: string, sides: number): (owner: string) => number[] | undefined {
  const sharp = fair.get(sharpBook);
  if (sharp !== undefined) return (owner) => (owner === sharp.owner ? undefined : sharp.p);
  const known = new Map<string, number[] | undefined>();
  return (owner) => {
    if (!known.has(owner)) known.set(owner, consensusWithout(owner, fair, sides));
    return known.get(owner);
  };
}

/** Medians over the other owners' opinions, which are means over their books, made to sum to 1. */
function consensusWithout(judged: string, fair: Map<string, Fair>, sides: number): number[] | undefined {
  const opinions = new Map<string, number[][]>();
  for (const { owner, p } of fair.values())
    if (owner !== judged) opinions.set(owner, [...(opinions.get(owner) ?? []), p]);
  if (opinions.size < CONSENSUS_OPINIONS_MIN) return undefined;
  const medians = Array.from({ length: sides }, (_, side) =>
    medianOf([...opinions.values()].map((books) => books.reduce((sum, p) => sum + p[side]!, 0) / books.length)),
  );
  const sum = medians.reduce((a, b) => a + b, 0);
  return medians.map((p) => p / sum);
}

function medianOf(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function middles(lines: Map<number | null, PlainQuote[]>, { universes, sharpBook }: PlainMarket): PlainFinding[] {
  const found: PlainFinding[] = [];
  const centre = centreOf(lines, sharpBook);
  if (Number.isNaN(centre)) return found;
  const sorted = [...lines].sort(([a], [b]) => a! - b!);
  const chances = new Float64Array(3);
  const returns = new Float64Array(3);
  for (const [low, overs] of sorted)
    for (const [high, unders] of sorted) {
      if (high! - low! < DETECTION_LIMITS.minMiddleSize) continue;
      middleProbability(MODEL, low!, high!, steadyCentre(centre), chances);
      for (const universe of universes) {
        const allowed = ({ book }: PlainQuote) => universe === null || universe.has(book);
        let edge = Number.NEGATIVE_INFINITY;
        for (const [over, under] of pairsOfDifferentBooks(overs.filter(allowed), unders.filter(allowed))) {
          middleReturns(low!, high!, over.row.decimal, under.row.decimal, chances, returns);
          edge = Math.max(edge, returns[EXPECTED]!);
        }
        if (edge >= DETECTION_LIMITS.minMiddleEv - EDGE_NOISE) found.push({ kind: 'middle', edge, books: [] });
      }
    }
  return found;
}

/** The best over and under, or what comes next where they are of one book: the best pair of two books is among them. */
function pairsOfDifferentBooks(
  overs: readonly PlainQuote[],
  unders: readonly PlainQuote[],
): [PlainQuote, PlainQuote][] {
  const over = bestOf(overs, 0);
  const under = bestOf(unders, 1);
  if (over === undefined || under === undefined) return [];
  if (over.book !== under.book) return [[over, under]];
  const nextOver = bestOf(
    overs.filter(({ book }) => book !== under.book),
    0,
  );
  const nextUnder = bestOf(
    unders.filter(({ book }) => book !== over.book),
    1,
  );
  const pairs: [PlainQuote, PlainQuote][] = [];
  if (nextOver !== undefined) pairs.push([nextOver, under]);
  if (nextUnder !== undefined) pairs.push([over, nextUnder]);
  return pairs;
}

/** The result the sharp book's prices expect, else the median of all books'; NaN where none has both sides. */
function centreOf(lines: Map<number | null, PlainQuote[]>, sharpBook: string): number {
  const centres = new Map<string, number[]>();
  for (const [line, quotes] of lines) {
    const sharp = fairByBook(
      quotes.filter(({ book }) => book === sharpBook),
      2,
    ).get(sharpBook);
    if (sharp !== undefined) return centreFromPrice(MODEL, line!, sharp.p[0]!);
  }
  for (const [line, quotes] of lines)
    for (const { owner, p } of fairByBook(quotes, 2).values())
      centres.set(owner, [...(centres.get(owner) ?? []), centreFromPrice(MODEL, line!, p[0]!)]);
  return medianOf([...centres.values()].map((books) => books.reduce((a, b) => a + b, 0) / books.length));
}
