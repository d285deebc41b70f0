// Finds the middles of one market: over (or home) at one line against under (or away) at a higher one, at two books. A
// pair is first tried at the best prices of all books: if it fails there it fails in every universe. All that pass are
// found, up to bounds that only a broken feed reaches.

import { grown } from '../base/memory/grown.js';
import { freshMs } from '../base/model/freshness.js';
import { LIMITS } from '../base/model/limits.js';
import type { BookList } from './book-list.js';
import {
  type Candidate,
  type CandidateLimits,
  type CandidateSink,
  emptyCandidate,
  steady,
  tagOf,
} from './candidate.js';
import { EDGE_NOISE } from './detection-limits.js';
import { Executable } from './executable.js';
import { isOpen } from './line-finder.js';
import type { Mask } from './line-prices.js';
import { MarketCentre } from './market-centre.js';
import { type MarketIndex, mayCharge } from './market-index.js';
import type { Market, MarketLine } from './market-line.js';
import { EXPECTED, HIT, middleReturns, reachedFrom, reachedTo } from './maths/middle.js';
import { CELLS } from './quote-columns.js';
import type { Reference } from './reference.js';
import { type ResultTable, ResultTables, steadyCentre } from './result-tables.js';
import type { WatchedUniverse } from './watched-universe.js';

/**
 * Bounds per market, so that no feed can stall a shard: of too many lines those nearest to the centre, of too many
 * middles in a universe the best. All books together show some 150 lines of the busiest markets.
 */
export const MIDDLE_LINES_MAX = LIMITS.middleLines.max;
export const MIDDLES_MAX = LIMITS.middlesOfMarket.max;

/** Tolerance of a sum of two inverse prices: not below 1 by more than this is 1. */
const EVEN_SUM = 1e-9;

export class MiddleFinder {
  readonly #index: MarketIndex;
  readonly #centre: MarketCentre;
  readonly #tables = new ResultTables();
  readonly #tops: MiddleTops;
  readonly #books: BookList;
  readonly #executable: Executable;
  readonly #candidate: Candidate = emptyCandidate();
  readonly #chances = new Float64Array(3);
  readonly #returns = new Float64Array(3);
  /**
   * By line of the current market: probability that the result misses the first side outright, and that it is within
   * the second.
   */
  readonly #missed = new Float64Array(MIDDLE_LINES_MAX);
  readonly #within = new Float64Array(MIDDLE_LINES_MAX);
  /** Pairs of lines by their indices in the market, one after the other. */
  #candidates = new Int32Array(128);
  #candidateCount = 0;
  /** By candidate: its edge at the best prices of all books, an upper bound for every universe. */
  #ceilings = new Float64Array(64);
  /** By candidate, in one universe. */
  #edges = new Float64Array(64);
  /** By universe: the least edge that is found, and the number of further ones at exactly that edge. */
  #floors = new Float64Array(8);
  #atFloor = new Int32Array(8);
  /** The pair last evaluated in a universe. */
  #first = -1;
  #second = -1;
  #edge = 0;
  /** The table of the market last evaluated. */
  table: ResultTable | undefined;
  /** No book showed both sides of a line of that market: its centre is an estimate, and only sure middles are found. */
  oneSided = false;
  /** Every price of that market had a part in its centre. */
  centredByAll = false;
  /** Markets whose lines or middles exceeded the bounds, counted until reset by the caller. */
  bounded = 0;

  constructor(index: MarketIndex, books: BookList, reference: Reference) {
    this.#index = index;
    this.#centre = new MarketCentre(index, books, reference);
    this.#tops = new MiddleTops(index);
    this.#books = books;
    this.#executable = new Executable(index, books);
  }

  /** The lines' best prices must have been found as of `nowMs`. */
  evaluate(
    market: Market,
    nowMs: number,
    universes: readonly WatchedUniverse[],
    limits: CandidateLimits,
    sink: CandidateSink,
  ): void {
    const { marketLines, model } = market;
    this.table = undefined;
    this.centredByAll = false;
    if (model === undefined || marketLines.length < 2 || !limits.kinds.has('middle') || !isOpen(marketLines[0]!))
      return;
    const oldest = nowMs - freshMs(market.event.live);
    if (!hasPair(marketLines, limits.minMiddleSize)) return;
    let centre = this.#centre.of(market, oldest);
    this.centredByAll = !this.#centre.bySharpBook;
    this.oneSided = Number.isNaN(centre);
    if (this.oneSided) {
      if (!hasSurePair(marketLines)) return;
      centre = this.#centre.ofSingleSides(market, oldest);
    }
    const near = nearest(marketLines, centre);
    this.table = this.#tables.get(
      model,
      steadyCentre(centre),
      Math.floor(near[0]!.x) - 1,
      Math.ceil(near.at(-1)!.x) + 1,
    );
    this.#pairs(near, limits);
    this.#first = -1;
    let isBounded = near.length < marketLines.length;
    if (this.#candidateCount > 0) {
      this.#tops.begin(near, universes, oldest);
      const cut = this.#candidateCount > MIDDLES_MAX && this.#cut(near, universes);
      isBounded ||= cut;
      this.#findAll(near, universes, cut, sink);
    }
    if (isBounded) this.bounded++;
  }

  /**
   * Pairs that would pass at the best price of any book. Nothing pays more than a hit, so (1 + p)/S - 1, with p the
   * probability that neither side is lost outright, is an upper bound of a pair's value: most are rejected by it.
   */
  #pairs(marketLines: readonly MarketLine[], limits: CandidateLimits): void {
    const table = this.table!;
    const missed = this.#missed;
    const within = this.#within;
    for (let i = 0; i < marketLines.length; i++) {
      missed[i] = table.upTo(reachedFrom(marketLines[i]!.x) - 1);
      within[i] = table.upTo(reachedTo(marketLines[i]!.x));
    }
    this.#candidateCount = 0;
    const least = limits.minMiddleEv - EDGE_NOISE;
    const leastReturn = 1 + limits.minMiddleEv / 100 - EDGE_NOISE;
    for (let i = 0; i < marketLines.length - 1; i++) {
      const low = marketLines[i]!;
      if (low.topFirst === 0) continue;
      const inverse = 1 / low.topFirst;
      const from = 1 - missed[i]!;
      for (let j = i + 1; j < marketLines.length; j++) {
        const high = marketLines[j]!;
        if (high.topSecond === 0) continue;
        const sum = inverse + 1 / high.topSecond;
        if (from + within[j]! < leastReturn * sum || high.x - low.x < limits.minMiddleSize) continue;
        if (this.oneSided && sum >= 1 - EVEN_SUM) continue;
        const ceiling = this.#expected(low, high, low.topFirst, high.topSecond);
        if (ceiling < least) continue;
        const at = this.#candidateCount++;
        if (at === this.#ceilings.length) this.#widenCandidates();
        this.#candidates[2 * at] = i;
        this.#candidates[2 * at + 1] = j;
        this.#ceilings[at] = ceiling;
      }
    }
  }

  #widenCandidates(): void {
    this.#candidates = grown(this.#candidates, 2 * this.#candidates.length);
    this.#ceilings = grown(this.#ceilings, 2 * this.#ceilings.length);
  }

  #expected(low: MarketLine, high: MarketLine, first: number, second: number): number {
    this.table!.middle(low.x, high.x, this.#chances);
    middleReturns(low.x, high.x, first, second, this.#chances, this.#returns);
    return this.#returns[EXPECTED]!;
  }

  /** Finds each universe's floor if more pass than are kept; false if no universe has that many. */
  #cut(marketLines: readonly MarketLine[], universes: readonly WatchedUniverse[]): boolean {
    const count = this.#candidateCount;
    if (count > this.#edges.length) this.#edges = new Float64Array(2 * count);
    if (universes.length > this.#floors.length) {
      this.#floors = new Float64Array(2 * universes.length);
      this.#atFloor = new Int32Array(2 * universes.length);
    }
    let isCut = false;
    for (let u = 0; u < universes.length; u++) {
      let passing = 0;
      for (let i = 0; i < count; i++)
        if (this.#look(marketLines, i, u, universes[u]!)) this.#edges[passing++] = this.#edge;
      this.#floors[u] = Number.NEGATIVE_INFINITY;
      if (passing <= MIDDLES_MAX) continue;
      isCut = true;
      const sorted = this.#edges.subarray(0, passing).sort();
      const floor = sorted[passing - MIDDLES_MAX]!;
      let above = 0;
      while (above < MIDDLES_MAX && sorted[passing - 1 - above]! > floor) above++;
      this.#floors[u] = floor;
      this.#atFloor[u] = MIDDLES_MAX - above;
    }
    return isCut;
  }

  /** Pair by pair, so that universes with the same best prices share a pair's computations. */
  #findAll(
    marketLines: readonly MarketLine[],
    universes: readonly WatchedUniverse[],
    cut: boolean,
    sink: CandidateSink,
  ): void {
    let lowest = Number.NEGATIVE_INFINITY;
    if (cut) lowest = this.#floors.subarray(0, universes.length).reduce((a, b) => Math.min(a, b)) - EDGE_NOISE;
    for (let i = 0; i < this.#candidateCount; i++) {
      if (this.#ceilings[i]! < lowest) continue;
      this.#first = -1;
      this.#second = -1;
      for (let u = 0; u < universes.length; u++) {
        const universe = universes[u]!;
        if (!this.#look(marketLines, i, u, universe)) continue;
        if (cut && (this.#edge < this.#floors[u]! || (this.#edge === this.#floors[u]! && this.#atFloor[u]!-- <= 0)))
          continue;
        this.#found(marketLines[this.#candidates[2 * i]!]!, marketLines[this.#candidates[2 * i + 1]!]!, universe, sink);
      }
    }
  }

  /** Finds the candidate's best pair of two books in a universe; false if it does not pass there. */
  #look(marketLines: readonly MarketLine[], candidate: number, u: number, universe: WatchedUniverse): boolean {
    const { minMiddleEv, minMiddleSize } = universe.kept;
    const i = this.#candidates[2 * candidate]!;
    const j = this.#candidates[2 * candidate + 1]!;
    const low = marketLines[i]!;
    const high = marketLines[j]!;
    if (high.x - low.x < minMiddleSize) return false;
    const tops = this.#tops;
    const firsts = tops.of(u, i, 0);
    const seconds = tops.of(u, j, 1);
    let first = tops.columns[firsts]!;
    let second = tops.columns[seconds]!;
    if (first < 0 || second < 0) return false;
    const { book } = this.#index.columns;
    if (book[first] === book[second]) {
      // A better price never makes a pair worse: one of the two stays, and the other side moves to its next best book.
      const otherFirst = tops.columns[firsts + OTHER_BOOK]!;
      const otherSecond = tops.columns[seconds + OTHER_BOOK]!;
      const keepFirst = this.#expectedAt(low, high, first, otherSecond);
      const keepSecond = this.#expectedAt(low, high, otherFirst, second);
      if (keepFirst >= keepSecond) second = otherSecond;
      else first = otherFirst;
      if (first < 0 || second < 0) return false;
      this.#first = -1;
    }
    if (first !== this.#first || second !== this.#second) {
      this.#first = first;
      this.#second = second;
      this.#edge = this.#expectedAt(low, high, first, second);
    }
    return this.#edge >= minMiddleEv - EDGE_NOISE && (!this.oneSided || this.#isSure(first, second));
  }

  /** Expected value of two columns' prices; -Infinity if one is missing. */
  #expectedAt(low: MarketLine, high: MarketLine, first: number, second: number): number {
    if (first < 0 || second < 0) return Number.NEGATIVE_INFINITY;
    const { decimal } = this.#index.columns;
    return this.#expected(low, high, decimal[first * CELLS]!, decimal[second * CELLS + 1]!);
  }

  #isSure(first: number, second: number): boolean {
    const { decimal } = this.#index.columns;
    return 1 / decimal[first * CELLS]! + 1 / decimal[second * CELLS + 1]! < 1 - EVEN_SUM;
  }

  #canBeBet(first: number, second: number): boolean {
    const executable = this.#executable;
    const mostFirst = executable.mostAt(first, 0);
    const mostSecond = executable.mostAt(second, 1);
    if (mostFirst === Number.POSITIVE_INFINITY && mostSecond === Number.POSITIVE_INFINITY) return true;
    const { book, decimal } = this.#index.columns;
    executable.begin();
    executable.add(first, 0, book[first]!, decimal[first * CELLS]!, mostFirst);
    executable.add(second, 1, book[second]!, decimal[second * CELLS + 1]!, mostSecond);
    return executable.check(false);
  }

  #found(low: MarketLine, high: MarketLine, universe: WatchedUniverse, sink: CandidateSink): void {
    const { book, alternate, decimal, row } = this.#index.columns;
    const found = this.#candidate;
    const first = this.#first;
    const second = this.#second;
    if (!this.#canBeBet(first, second)) return;
    this.table!.middle(low.x, high.x, this.#chances);
    const hit = this.#chances[HIT]!;
    found.kind = 'middle';
    found.assumed = this.table!.model.family === 'wide';
    found.book1 = book[first]!;
    found.book2 = book[second]!;
    found.low = low.x;
    found.high = high.x;
    found.first = decimal[first * CELLS]!;
    found.second = decimal[second * CELLS + 1]!;
    found.third = this.table!.centre;
    found.fourth = steady(hit);
    const charges =
      (mayCharge(this.#index, this.#books, first) ? 1 : 0) + (mayCharge(this.#index, this.#books, second) ? 2 : 0);
    found.folded =
      alternate[first]! +
      2 * alternate[second]! +
      4 * charges +
      16 * (2 * modelTag(low.market) + (this.oneSided ? 1 : 0));
    found.edge = this.#edge;
    if (found.columns.length !== 2) found.columns.length = 2;
    found.columns[0] = first;
    found.columns[1] = second;
    found.rowTag = tagOf(row[first * CELLS]!, 0) + tagOf(row[second * CELLS + 1]!, 1);
    found.p = hit;
    sink.found(universe, found);
  }
}

/** The lines to evaluate: of too many those nearest to the centre. */
function nearest(marketLines: readonly MarketLine[], centre: number): readonly MarketLine[] {
  if (marketLines.length <= MIDDLE_LINES_MAX) return marketLines;
  let from = 0;
  let to = marketLines.length;
  while (to - from > MIDDLE_LINES_MAX)
    if (centre - marketLines[from]!.x > marketLines[to - 1]!.x - centre) from++;
    else to--;
  return marketLines.slice(from, to);
}

/** Whether there are two lines far enough apart with the prices a middle needs. */
function hasPair(marketLines: readonly MarketLine[], minSize: number): boolean {
  let lowest = Number.NaN;
  for (const marketLine of marketLines) {
    if (marketLine.topSecond > 0 && marketLine.x - lowest >= minSize) return true;
    if (Number.isNaN(lowest) && marketLine.topFirst > 0) lowest = marketLine.x;
  }
  return false;
}

/** Whether there are two lines whose best prices profit whatever happens: needed if nothing else is found. */
function hasSurePair(marketLines: readonly MarketLine[]): boolean {
  let best = 0;
  for (const { topFirst, topSecond } of marketLines) {
    if (best > 0 && topSecond > 0 && 1 / best + 1 / topSecond < 1 - EVEN_SUM) return true;
    if (topFirst > best) best = topFirst;
  }
  return false;
}

const LEFT_STEPS = 1_000;
/** Leads are negative if the away team leads. */
const BEGUN_OFFSET = 10_000;

/** The state of the game as far as middles show it, as one number. */
function modelTag({ model, shape, event }: Market): number {
  if (!event.live) return 0;
  const { left, begun } = model!;
  return (
    (model === shape.model ? 1 : 2) + 4 * (Math.round(left * LEFT_STEPS) + 2 * LEFT_STEPS * (begun + BEGUN_OFFSET))
  );
}

// The best prices of a market's lines in each universe, found once per evaluation: for every line and side the best
// column, and the best of another book.

/** Offset in `columns` from a best column to the best of another book. */
const OTHER_BOOK = 1;
const TOPS = 2;
const SIDES = 2;
const NOT_LOOKED = -2;

class MiddleTops {
  readonly #index: MarketIndex;
  #marketLines: readonly MarketLine[] = [];
  #universes: readonly WatchedUniverse[] = [];
  #oldest = 0;
  /** By universe, line and side: columns, -1 if there is none. */
  columns = new Int32Array(256);

  constructor(index: MarketIndex) {
    this.#index = index;
  }

  /** The lines' prices must be sorted. `oldest` is the time (Unix ms) from which on a price is fresh. */
  begin(marketLines: readonly MarketLine[], universes: readonly WatchedUniverse[], oldest: number): void {
    this.#marketLines = marketLines;
    this.#universes = universes;
    this.#oldest = oldest;
    const places = universes.length * marketLines.length * SIDES * TOPS;
    if (places > this.columns.length) this.columns = new Int32Array(2 * places);
    this.columns.fill(NOT_LOOKED, 0, places);
  }

  /** Index in `columns` of the best of a side among the universe's books. */
  of(universe: number, marketLine: number, side: number): number {
    const place = ((universe * this.#marketLines.length + marketLine) * SIDES + side) * TOPS;
    if (this.columns[place] === NOT_LOOKED)
      this.#look(place, this.#marketLines[marketLine]!, side, this.#universes[universe]!.mask);
    return place;
  }

  #look(place: number, { start, count }: MarketLine, side: number, mask: Mask): void {
    const { decimal, seenMs, book, ordered } = this.#index.columns;
    let best = -1;
    let other = -1;
    for (let i = 0; i < count && other < 0; i++) {
      const column = start + ordered[(start + i) * CELLS + side]!;
      const cell = column * CELLS + side;
      // Missing prices come last.
      if (decimal[cell] === 0) break;
      if (seenMs[cell]! < this.#oldest || mask[book[column]!] !== 1) continue;
      if (best < 0) best = column;
      else if (book[column] !== book[best]) other = column;
    }
    this.columns[place] = best;
    this.columns[place + OTHER_BOOK] = other;
  }
}
