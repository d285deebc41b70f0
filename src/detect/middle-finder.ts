// Finds the middles of one group: over (or home) at one rung against under (or away) at a higher one. A pair is first
// tried at the best prices of all books: what fails there fails in every universe.
import type { BookList } from './book-list.js';
import { EDGE_NOISE, emptyFinding, type Finding, type FindingLimits, type FindingSink, steady } from './finding.js';
import type { Group, MarketIndex, Rung } from './market-index.js';
import { EXPECTED, HIT, middleReturns } from './maths/middle.js';
import { CELLS } from './quote-columns.js';
import type { Reference } from './reference.js';
import { type ResultTable, ResultTables, steadyCentre } from './result-tables.js';
import { isOpen } from './rung-finder.js';
import { type Mask, maxAgeMs } from './rung-prices.js';
import type { Universe } from './universe.js';

/** Middles kept of one group in one universe: the best by expected value. */
export const MIDDLES_PER_GROUP = 10;

interface Pair {
  low: Rung;
  high: Rung;
  edge: number;
  first: number;
  second: number;
  hit: number;
}

export class MiddleFinder {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #reference: Reference;
  readonly #tables = new ResultTables();
  readonly #finding: Finding = emptyFinding();
  readonly #chances = new Float64Array(3);
  readonly #returns = new Float64Array(3);
  #centres = new Float64Array(64);
  readonly #candidates: [low: Rung, high: Rung][] = [];
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
    for (const universe of universes) this.#findIn(universe, oldest, sink);
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
          this.#candidates.push([low, high]);
      }
    }
  }

  #expected(low: Rung, high: Rung, first: number, second: number): number {
    this.table!.middle(low.x, high.x, this.#chances);
    middleReturns(low.x, high.x, first, second, this.#chances, this.#returns);
    return this.#returns[EXPECTED]!;
  }

  #findIn(universe: Universe, oldest: number, sink: FindingSink): void {
    const pairs: Pair[] = [];
    const { minMiddleEv, minMiddleSize } = universe.kept;
    const { decimal } = this.#index.columns;
    for (const [low, high] of this.#candidates) {
      if (high.x - low.x < minMiddleSize) continue;
      const first = this.#best(low, 0, universe.mask, oldest);
      const second = first < 0 ? -1 : this.#best(high, 1, universe.mask, oldest);
      if (second < 0) continue;
      const edge = this.#expected(low, high, decimal[first * CELLS]!, decimal[second * CELLS + 1]!);
      if (edge >= minMiddleEv - EDGE_NOISE) pairs.push({ low, high, edge, first, second, hit: this.#chances[HIT]! });
    }
    pairs.sort((a, b) => b.edge - a.edge || a.low.x - b.low.x || a.high.x - b.high.x);
    for (let i = 0; i < pairs.length && i < MIDDLES_PER_GROUP; i++) this.#found(pairs[i]!, universe, sink);
  }

  #found({ low, high, edge, first, second, hit }: Pair, universe: Universe, sink: FindingSink): void {
    const { book, alternate, decimal, seenMs } = this.#index.columns;
    const found = this.#finding;
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

  /** Column of the best fresh price of a side among the mask's books; -1 where none has one. */
  #best(rung: Rung, side: number, mask: Mask, oldest: number): number {
    const { decimal, seenMs, book, alternate } = this.#index.columns;
    const { rank } = this.#books;
    let best = -1;
    let price = 0;
    for (let column = rung.start; column < rung.start + rung.count; column++) {
      const cell = column * CELLS + side;
      const own = decimal[cell]!;
      if (own === 0 || own < price || seenMs[cell]! < oldest || mask[book[column]!] !== 1) continue;
      if (own === price) {
        const difference = rank[book[column]!]! - rank[book[best]!]!;
        if (difference > 0 || (difference === 0 && alternate[column]! > alternate[best]!)) continue;
      }
      best = column;
      price = own;
    }
    return best;
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
