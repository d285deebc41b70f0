// Finds the middles of one group: over (or home) at one rung against under (or away) at a higher one, at two books. A pair
// is first tried at the best prices of all books: what fails there fails in every universe. All that pass are found: there
// are no more than pairs of lines.
import type { BookList } from './book-list.js';
import { emptyFinding, type Finding, type FindingLimits, type FindingSink, steady } from './finding.js';
import { EDGE_NOISE } from './kept-limits.js';
import type { Group, MarketIndex, Rung } from './market-index.js';
import { EXPECTED, HIT, middleReturns } from './maths/middle.js';
import { CELLS } from './quote-columns.js';
import type { Reference } from './reference.js';
import { type ResultTable, ResultTables, steadyCentre } from './result-tables.js';
import { isOpen } from './rung-finder.js';
import { type Mask, maxAgeMs } from './rung-prices.js';
import type { Universe } from './universe.js';

/** Of a rung's side in the running universe: its best column, and the best of another book; -1 where there is none. */
const TOPS = 2;
const NOT_LOOKED = -2;

export class MiddleFinder {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #reference: Reference;
  readonly #tables = new ResultTables();
  readonly #finding: Finding = emptyFinding();
  readonly #chances = new Float64Array(3);
  readonly #returns = new Float64Array(3);
  #centres = new Float64Array(64);
  /** Pairs of rungs by their places in the group, one behind the other. */
  readonly #candidates: number[] = [];
  /** By rung's place and side. */
  #tops = new Int32Array(64);
  /** The table of the group last evaluated. */
  table: ResultTable | undefined;

  constructor(index: MarketIndex, books: BookList, reference: Reference) {
    this.#index = index;
    this.#books = books;
    this.#reference = reference;
  }

  /** The rungs' best prices must have been found as of `nowMs`. */
  evaluate(
    group: Group,
    nowMs: number,
    universes: readonly Universe[],
    limits: FindingLimits,
    sink: FindingSink,
  ): void {
    const { rungs, model } = group;
    this.table = undefined;
    if (model === undefined || rungs.length < 2 || !limits.kinds.has('middle') || !isOpen(rungs[0]!)) return;
    const oldest = nowMs - maxAgeMs(group.event.live);
    if (!hasPair(rungs, limits.minMiddleSize)) return;
    const centre = this.#centre(group, oldest);
    if (Number.isNaN(centre)) return;
    const last = rungs.at(-1)!;
    this.table = this.#tables.get(model, steadyCentre(centre), Math.floor(rungs[0]!.x) - 1, Math.ceil(last.x) + 1);
    this.#pairs(rungs, limits);
    if (this.#candidates.length === 0) return;
    for (const universe of universes) this.#findIn(rungs, universe, oldest, sink);
  }

  /** Pairs that would do at the best price of any book. */
  #pairs(rungs: readonly Rung[], limits: FindingLimits): void {
    if (this.#candidates.length > 0) this.#candidates.length = 0;
    for (let i = 0; i < rungs.length - 1; i++) {
      const low = rungs[i]!;
      if (low.topFirst === 0) continue;
      for (let j = i + 1; j < rungs.length; j++) {
        const high = rungs[j]!;
        if (high.topSecond === 0 || high.x - low.x < limits.minMiddleSize) continue;
        if (this.#expected(low, high, low.topFirst, high.topSecond) >= limits.minMiddleEv - EDGE_NOISE)
          this.#candidates.push(i, j);
      }
    }
  }

  #expected(low: Rung, high: Rung, first: number, second: number): number {
    this.table!.middle(low.x, high.x, this.#chances);
    middleReturns(low.x, high.x, first, second, this.#chances, this.#returns);
    return this.#returns[EXPECTED]!;
  }

  #findIn(rungs: readonly Rung[], universe: Universe, oldest: number, sink: FindingSink): void {
    const { minMiddleEv, minMiddleSize } = universe.kept;
    const { book } = this.#index.columns;
    const candidates = this.#candidates;
    this.#forgetTops(rungs.length);
    for (let i = 0; i < candidates.length; i += 2) {
      const low = rungs[candidates[i]!]!;
      const high = rungs[candidates[i + 1]!]!;
      if (high.x - low.x < minMiddleSize) continue;
      const firsts = this.#topsOf(low, candidates[i]!, 0, universe.mask, oldest);
      let first = this.#tops[firsts]!;
      if (first < 0) continue;
      const seconds = this.#topsOf(high, candidates[i + 1]!, 1, universe.mask, oldest);
      let second = this.#tops[seconds]!;
      if (second < 0) continue;
      if (book[first] === book[second]) {
        // A better price never makes a pair worse: one of the two stays, and the other side goes to its next best book.
        const otherFirst = this.#tops[firsts + 1]!;
        const otherSecond = this.#tops[seconds + 1]!;
        const keepFirst = this.#expectedAt(low, high, first, otherSecond);
        const keepSecond = this.#expectedAt(low, high, otherFirst, second);
        if (keepFirst >= keepSecond) second = otherSecond;
        else first = otherFirst;
      }
      const edge = this.#expectedAt(low, high, first, second);
      if (edge >= minMiddleEv - EDGE_NOISE) this.#found(low, high, edge, first, second, universe, sink);
    }
  }

  /** Expected value of two columns' prices; -Infinity where one is missing. */
  #expectedAt(low: Rung, high: Rung, first: number, second: number): number {
    if (first < 0 || second < 0) return Number.NEGATIVE_INFINITY;
    const { decimal } = this.#index.columns;
    return this.#expected(low, high, decimal[first * CELLS]!, decimal[second * CELLS + 1]!);
  }

  #found(
    low: Rung,
    high: Rung,
    edge: number,
    first: number,
    second: number,
    universe: Universe,
    sink: FindingSink,
  ): void {
    const { book, alternate, decimal, seenMs } = this.#index.columns;
    const found = this.#finding;
    const hit = this.#chances[HIT]!;
    found.kind = 'middle';
    found.a = book[first]!;
    found.b = book[second]!;
    found.x = low.x;
    found.y = high.x;
    found.n0 = decimal[first * CELLS]!;
    found.n1 = decimal[second * CELLS + 1]!;
    found.n2 = this.table!.centre;
    found.n3 = steady(hit);
    found.tag = alternate[first]! + 2 * alternate[second]! + 4 * courseTag(low.group);
    found.edge = edge;
    const seenFirst = seenMs[first * CELLS]!;
    const seenSecond = seenMs[second * CELLS + 1]!;
    found.oldestSeenMs = Math.min(seenFirst, seenSecond);
    found.seenSum = seenFirst + seenSecond;
    found.columns.length = 2;
    found.columns[0] = first;
    found.columns[1] = second;
    found.p = hit;
    sink.found(universe, found);
  }

  #forgetTops(rungs: number): void {
    const places = rungs * 2 * TOPS;
    if (places > this.#tops.length) this.#tops = new Int32Array(2 * places);
    this.#tops.fill(NOT_LOOKED, 0, places);
  }

  /** Where in `#tops` the side's best fresh columns among the mask's books stand: the best, and the best of another book. */
  #topsOf(rung: Rung, at: number, side: number, mask: Mask, oldest: number): number {
    const place = (at * 2 + side) * TOPS;
    const tops = this.#tops;
    if (tops[place] !== NOT_LOOKED) return place;
    const { decimal, seenMs, book } = this.#index.columns;
    let best = -1;
    let other = -1;
    for (let column = rung.start; column < rung.start + rung.count; column++) {
      const cell = column * CELLS + side;
      if (decimal[cell] === 0 || seenMs[cell]! < oldest || mask[book[column]!] !== 1) continue;
      if (best < 0 || this.#isBetter(column, best, side)) {
        if (best >= 0 && book[best] !== book[column]) other = best;
        best = column;
      } else if (book[column] !== book[best] && (other < 0 || this.#isBetter(column, other, side))) other = column;
    }
    tops[place] = best;
    tops[place + 1] = other;
    return place;
  }

  /** Of equal prices: the book listed first, then its main line. */
  #isBetter(a: number, b: number, side: number): boolean {
    const { decimal, book, alternate } = this.#index.columns;
    const difference = decimal[a * CELLS + side]! - decimal[b * CELLS + side]!;
    if (difference !== 0) return difference > 0;
    if (book[a] === book[b]) return alternate[a]! < alternate[b]!;
    return this.#books.rank[book[a]!]! < this.#books.rank[book[b]!]!;
  }

  /**
   * The market's middle: where the sharp book's prices have it, else the median over the books' own. Each book's main
   * line speaks for it; where no book shows a main line, all lines do. NaN where no book has both sides.
   */
  #centre(group: Group, oldest: number): number {
    let centre = this.#centreOf(group, oldest, 0, true);
    if (Number.isNaN(centre)) centre = this.#centreOf(group, oldest, 0, false);
    return Number.isNaN(centre) ? this.#centreOf(group, oldest, 1, false) : centre;
  }

  /** Of main lines (`alternates` 0) or the others: the first sharp book's centre, or the median of all books'. */
  #centreOf(group: Group, oldest: number, alternates: number, sharpAlone: boolean): number {
    const { book, alternate, decimal, seenMs } = this.#index.columns;
    const { sharp, rank } = this.#books;
    let count = 0;
    let sharpCentre = Number.NaN;
    let sharpRank = Number.POSITIVE_INFINITY;
    for (const rung of group.rungs)
      for (let column = rung.start; column < rung.start + rung.count; column++) {
        const cell = column * CELLS;
        if (alternate[column] !== alternates || decimal[cell] === 0 || decimal[cell + 1] === 0) continue;
        if (seenMs[cell]! < oldest || seenMs[cell + 1]! < oldest) continue;
        const no = book[column]!;
        if (sharpAlone && (sharp[no] === 0 || rank[no]! >= sharpRank)) continue;
        const centre = this.#reference.ownCentre(column, group.model!, rung.x);
        if (Number.isNaN(centre)) continue;
        if (sharpAlone) {
          sharpRank = rank[no]!;
          sharpCentre = centre;
          continue;
        }
        if (count === this.#centres.length) this.#centres = doubled(this.#centres);
        this.#centres[count++] = centre;
      }
    return sharpAlone ? sharpCentre : medianOf(this.#centres, count);
  }
}

/** Up to so many are sorted faster by insertion. */
const FEW = 64;

/** Median of the first `count` values, which are sorted by it; NaN of none. */
function medianOf(values: Float64Array, count: number): number {
  if (count > FEW) values.subarray(0, count).sort();
  else
    for (let i = 1; i < count; i++) {
      const value = values[i]!;
      let place = i;
      for (; place > 0 && values[place - 1]! > value; place--) values[place] = values[place - 1]!;
      values[place] = value;
    }
  const middle = count >> 1;
  if (count === 0) return Number.NaN;
  return count % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

function doubled(values: Float64Array): Float64Array<ArrayBuffer> {
  const bigger = new Float64Array(values.length * 2);
  bigger.set(values);
  return bigger;
}

/** Whether there are two rungs apart enough with the prices a middle needs. */
function hasPair(rungs: readonly Rung[], minSize: number): boolean {
  let lowest = Number.NaN;
  for (const rung of rungs) {
    if (rung.topSecond > 0 && rung.x - lowest >= minSize) return true;
    if (Number.isNaN(lowest) && rung.topFirst > 0) lowest = rung.x;
  }
  return false;
}

const LEFT_STEPS = 1_000;
/** Leads are negative where the guests lead. */
const BEGUN_OFFSET = 10_000;

/** Where the game stands as far as its middles show it, as one number. */
function courseTag({ model, shape, event }: Group): number {
  if (!event.live) return 0;
  const { left, begun } = model!;
  return (
    (model === shape.model ? 1 : 2) + 4 * (Math.round(left * LEFT_STEPS) + 2 * LEFT_STEPS * (begun + BEGUN_OFFSET))
  );
}
