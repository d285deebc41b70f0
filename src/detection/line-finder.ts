// Evaluates one line: finds in each universe its best arbitrage or its low hold, and every price above fair. A side's
// quotes are sorted once, and the fair price is computed once, whatever the number of universes.
import { isOn } from '../base/model/game-end.js';
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
import { LinePrices } from './line-prices.js';
import { type MarketIndex, mayCharge } from './market-index.js';
import type { MarketLine } from './market-line.js';
import {
  arbitrageStakes,
  holdPercent,
  inverseSum,
  isArbitrage,
  isLowHold,
  isSuspiciousProfit,
  profitPercent,
} from './maths/arbitrage.js';
import { evPercent, evPercentWithPush } from './maths/ev.js';
import { evMinWithoutPush, paidOnTie, pushLine } from './pushes.js';
import { CELLS } from './quote-columns.js';
import { Reference } from './reference.js';
import { DEFAULT_POLICY, type ReferencePolicy } from './reference-policy.js';
import type { WatchedUniverse } from './watched-universe.js';

/** A book number in a tag leaves room for this many. */
const FOLDED_BOOKS = 4_096;
/**
 * Books tied at a price are combined into a tag: the factor exceeds the largest difference of two, the modulus is
 * prime.
 */
const FOLD_FACTOR = 16_381;
const FOLD_MODULUS = 2 ** 39 - 7;
/** A push probability is packed in millionths above a rounded probability. */
const PUSH_STEPS = 1e6;
const PUSH_PLACE = 2e9;

export class LineFinder {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #executable: Executable;
  readonly prices: LinePrices;
  /** The prices at which the line's sides can be laid; loaded if there are any. */
  readonly #lays: LinePrices;
  readonly reference: Reference;
  /** Prices of the line were judged by another fair price than the engine's own. */
  judgedByOthers = false;
  /** When time alone may change the result (Unix ms). */
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly #candidate: Candidate = emptyCandidate();
  /** By side: the least of the universes' best prices that were put together; Infinity if none was. */
  readonly lowestBest = new Float64Array(CELLS);
  readonly #decimals = new Float64Array(CELLS);
  readonly #stakes = new Float64Array(CELLS);
  readonly #best = new Int32Array(CELLS);
  readonly #chosen = new Int32Array(CELLS);
  readonly #candidates: number[][] = [[], [], []];
  /** Profit of the line's arbitrage in each universe, 0 if there is no credible one, and the columns of its legs. */
  #profits = new Float64Array(8);
  #legColumns = new Int32Array(8 * CELLS);

  constructor(index: MarketIndex, books: BookList) {
    this.#index = index;
    this.#books = books;
    this.#executable = new Executable(index, books);
    this.prices = new LinePrices(index, books);
    this.#lays = new LinePrices(index, books);
    this.reference = new Reference(index, books, this.prices);
  }

  /** Evaluates the line as of `nowMs`; its prices and reference stay loaded for building items. */
  evaluate(
    marketLine: MarketLine,
    nowMs: number,
    universes: readonly WatchedUniverse[],
    limits: CandidateLimits,
    sink: CandidateSink,
  ): void {
    const { prices } = this;
    this.judgedByOthers = false;
    prices.load(marketLine, nowMs);
    marketLine.topFirst = prices.fresh[0]! > 0 ? prices.price(prices.order[0]![0]!, 0) : 0;
    marketLine.topSecond = prices.fresh[1]! > 0 ? prices.price(prices.order[1]![0]!, 1) : 0;
    this.lowestBest.fill(Number.POSITIVE_INFINITY);
    const { lays } = marketLine;
    this.deadlineMs = prices.deadlineMs;
    if (lays !== null && lays.count > 0) {
      this.#lays.load(lays, nowMs);
      this.deadlineMs = Math.min(this.deadlineMs, this.#lays.deadlineMs);
      if (isOpen(marketLine) && limits.kinds.has('arbitrage'))
        for (const universe of universes) this.#findLayPairs(universe, sink);
    }
    if (!isOpen(marketLine)) return;
    if (universes.length > this.#profits.length) {
      this.#profits = new Float64Array(universes.length * 2);
      this.#legColumns = new Int32Array(universes.length * 2 * CELLS);
    }
    this.#profits.fill(0);
    let everySide = true;
    for (let side = 0; side < prices.sides; side++) if (prices.fresh[side] === 0) everySide = false;
    if (!everySide) return;
    for (let i = 0; i < universes.length; i++) this.#findSet(universes[i]!, i, limits.kinds, sink);
    if (limits.kinds.has('ev')) this.#judge(universes, limits, sink);
  }

  /** Every price against the fair one of each universe: the engine's own last, as it stays loaded. */
  #judge(universes: readonly WatchedUniverse[], limits: CandidateLimits, sink: CandidateSink): void {
    let anyUsual = false;
    for (let i = 0; i < universes.length; i++) {
      const { policy } = universes[i]!;
      if (policy === DEFAULT_POLICY) {
        anyUsual = true;
        continue;
      }
      if (isJudged(universes, i) || !this.reference.find(policy)) continue;
      this.judgedByOthers = true;
      this.deadlineMs = Math.min(this.deadlineMs, this.reference.deadlineMs);
      this.#findEv(universes, policy, limits, sink);
    }
    if (anyUsual && this.reference.find(DEFAULT_POLICY)) this.#findEv(universes, DEFAULT_POLICY, limits, sink);
  }

  /** The best price of every side together: an arbitrage, a low hold, or nothing. */
  #findSet(universe: WatchedUniverse, at: number, kinds: CandidateLimits['kinds'], sink: CandidateSink): void {
    const { prices } = this;
    const { sides } = prices;
    for (let side = 0; side < sides; side++) {
      const column = prices.best(side, universe.mask);
      if (column < 0) return;
      this.#best[side] = column;
      const price = prices.price(column, side);
      this.#decimals[side] = price;
      if (price < this.lowestBest[side]!) this.lowestBest[side] = price;
    }
    const sum = inverseSum(this.#decimals, sides);
    if (isArbitrage(sum)) {
      if (this.#distinctBooks(universe, sum)) this.#foundArbitrage(universe, at, kinds, sink);
    } else if (kinds.has('low_hold') && isLowHold(sum, universe.kept.maxHold))
      this.#foundLowHold(universe, holdPercent(sum), sink);
  }

  /**
   * A selection backed at its best price and laid at its best: one of the two wins. Both legs may be at one exchange,
   * as they are two orders there; the commission it charges on the net winnings of both is at most the sum computed for
   * each.
   */
  #findLayPairs(universe: WatchedUniverse, sink: CandidateSink): void {
    const { prices } = this;
    const lays = this.#lays;
    for (let side = 0; side < prices.sides; side++) {
      const back = prices.best(side, universe.mask);
      const lay = lays.best(side, universe.mask);
      if (back < 0 || lay < 0) continue;
      const decimals = this.#decimals;
      decimals[0] = prices.price(back, side);
      decimals[1] = lays.price(lay, side);
      if (!arbitrageStakes(decimals, 2, this.#stakes)) continue;
      if (!this.#executable.winsLaid(prices, back, lays, lay, side, decimals)) continue;
      const found = this.#candidate;
      found.kind = 'arbitrage';
      found.assumed = false;
      found.book1 = prices.book(back);
      found.book2 = lays.book(lay);
      found.book3 = -1;
      found.side = side + 1;
      found.low = 0;
      found.high = 0;
      found.first = decimals[0]!;
      found.second = decimals[1]!;
      found.third = 0;
      found.fourth = 0;
      found.folded = (prices.isAlternate(back) ? 1 : 0) + (lays.isAlternate(lay) ? 2 : 0);
      found.folded += this.#charges(back, 0) + this.#charges(lay, 1);
      found.edge = profitPercent(inverseSum(decimals, 2));
      found.suspicious = isSuspiciousProfit(found.edge);
      found.columns.length = 2;
      found.columns[0] = back;
      found.columns[1] = lay;
      found.rowTag = tagOf(prices.row(back, side), 0) + tagOf(lays.row(lay, side), 1);
      sink.found(universe, found);
    }
  }

  /** Moves the legs to different books at the least sum; false if that is no arbitrage any more. */
  #distinctBooks(universe: WatchedUniverse, sum: number): boolean {
    const { prices } = this;
    const { sides } = prices;
    const [first, second, third] = this.#best;
    const a = prices.book(first!);
    const b = prices.book(second!);
    const c = sides === 3 ? prices.book(third!) : -1;
    if (a !== b && a !== c && b !== c) return isArbitrage(sum);
    // If the best prices of several sides are at one book, one of each side's first few books is in the best set.
    for (let side = 0; side < sides; side++) this.#gather(side, universe);
    let least = Number.POSITIVE_INFINITY;
    for (const a of this.#candidates[0]!)
      for (const b of this.#candidates[1]!) {
        if (prices.book(a) === prices.book(b)) continue;
        const two = 1 / prices.price(a, 0) + 1 / prices.price(b, 1);
        if (sides === 2) {
          if (two < least - EDGE_NOISE) least = this.#choose(two, a, b, -1);
          continue;
        }
        for (const c of this.#candidates[2]!) {
          if (prices.book(c) === prices.book(a) || prices.book(c) === prices.book(b)) continue;
          const three = two + 1 / prices.price(c, 2);
          if (three < least - EDGE_NOISE) least = this.#choose(three, a, b, c);
        }
      }
    if (!isArbitrage(least)) return false;
    for (let side = 0; side < sides; side++) {
      this.#best[side] = this.#chosen[side]!;
      this.#decimals[side] = prices.price(this.#best[side]!, side);
    }
    return true;
  }

  #choose(sum: number, a: number, b: number, c: number): number {
    this.#chosen[0] = a;
    this.#chosen[1] = b;
    this.#chosen[2] = c;
    return sum;
  }

  /** The side's best columns of as many different books as there are sides. */
  #gather(side: number, universe: WatchedUniverse): void {
    const { prices } = this;
    const candidates = this.#candidates[side]!;
    candidates.length = 0;
    const order = prices.order[side]!;
    for (let i = 0; i < prices.fresh[side]! && candidates.length < prices.sides; i++) {
      const column = order[i]!;
      const book = prices.book(column);
      if (universe.mask[book] !== 1 || candidates.some((other) => prices.book(other) === book)) continue;
      candidates.push(column);
    }
  }

  #foundArbitrage(universe: WatchedUniverse, at: number, kinds: CandidateLimits['kinds'], sink: CandidateSink): void {
    const { prices } = this;
    const { sides } = prices;
    // Stakes are shares with two decimals: a set that does not win with them is not an arbitrage.
    if (!arbitrageStakes(this.#decimals, sides, this.#stakes)) return;
    if (!this.#executable.wins(prices, this.#best, this.#decimals)) return;
    const profit = profitPercent(inverseSum(this.#decimals, sides));
    const suspicious = isSuspiciousProfit(profit);
    if (!suspicious) {
      this.#profits[at] = profit;
      for (let side = 0; side < sides; side++) this.#legColumns[at * CELLS + side] = this.#best[side]!;
    }
    if (!kinds.has('arbitrage')) return;
    const found = this.#legs('arbitrage', sides);
    found.edge = profit;
    found.suspicious = suspicious;
    found.fourth = 0;
    sink.found(universe, found);
  }

  #foundLowHold(universe: WatchedUniverse, hold: number, sink: CandidateSink): void {
    const { prices } = this;
    const { sides } = prices;
    const found = this.#legs('low_hold', sides);
    found.edge = hold;
    found.suspicious = false;
    found.fourth = prices.owners(universe.mask);
    this.#executable.begin();
    for (let side = 0; side < sides; side++) {
      const order = prices.order[side]!;
      let most = 0;
      // Books tied at the best price are adjacent.
      for (let i = 0; i < prices.fresh[side]!; i++) {
        const column = order[i]!;
        const price = prices.price(column, side);
        if (price < this.#decimals[side]!) break;
        const book = prices.book(column);
        if (price > this.#decimals[side]! || universe.mask[book] !== 1) continue;
        most += this.#executable.mostAt(column, side);
        found.rowTag += tagOf(prices.row(column, side), side);
        found.folded = (found.folded * FOLD_FACTOR + book + side * FOLDED_BOOKS) % FOLD_MODULUS;
      }
      const best = this.#best[side]!;
      this.#executable.add(best, side, prices.book(best), this.#decimals[side]!, most);
    }
    if (this.#executable.check(false)) sink.found(universe, found);
  }

  /** A bit beside those of alternate lines for a leg whose book may charge more than is known. */
  #charges(column: number, leg: number): number {
    return mayCharge(this.#index, this.#books, column) ? 8 << leg : 0;
  }

  /** The candidate of a set of prices, one per side. */
  #legs(kind: Candidate['kind'], sides: number): Candidate {
    const { prices } = this;
    const found = this.#candidate;
    found.kind = kind;
    found.assumed = false;
    found.book1 = prices.book(this.#best[0]!);
    found.book2 = prices.book(this.#best[1]!);
    found.book3 = sides === 3 ? prices.book(this.#best[2]!) : -1;
    found.side = 0;
    found.low = 0;
    found.high = 0;
    found.first = this.#decimals[0]!;
    found.second = this.#decimals[1]!;
    found.third = sides === 3 ? this.#decimals[2]! : 0;
    found.folded = 0;
    found.rowTag = 0;
    // Setting a length costs a call into the runtime, even if it is unchanged.
    if (found.columns.length !== sides) found.columns.length = sides;
    for (let side = 0; side < sides; side++) {
      const column = this.#best[side]!;
      found.columns[side] = column;
      found.rowTag += tagOf(prices.row(column, side), side);
      if (prices.isAlternate(column)) found.folded += 1 << side;
      found.folded += this.#charges(column, side);
    }
    return found;
  }

  #findEv(
    universes: readonly WatchedUniverse[],
    policy: ReferencePolicy,
    limits: CandidateLimits,
    sink: CandidateSink,
  ): void {
    const { prices, reference } = this;
    const { pushModel } = prices.marketLine.market;
    const line = pushLine(prices.marketLine);
    const { oddTies } = prices.marketLine;
    const { tie } = this.#index.columns;
    const grossMin = evMinWithoutPush(prices.marketLine, limits);
    for (let side = 0; side < prices.sides; side++) {
      const order = prices.order[side]!;
      const ceiling = reference.ceiling(side);
      for (let i = 0; i < prices.fresh[side]!; i++) {
        const column = order[i]!;
        const decimal = prices.price(column, side);
        // Prices are in descending order from here.
        if (evPercent(ceiling, decimal) < grossMin) break;
        const p = reference.probability(column, side);
        if (!(evPercent(p, decimal) >= grossMin)) continue;
        if (this.#earlierOfBook(order, i)) continue;
        const push = reference.pushChance(pushModel, line, side === 0 ? p : 1 - p);
        const onTie = oddTies ? paidOnTie(tie[column]!, decimal) : 1;
        const ev = evPercentWithPush(p, decimal, push, onTie);
        if (ev < limits.minEv - EDGE_NOISE) continue;
        this.#foundEv(column, side, { p, push, ev, policy }, universes, sink);
      }
    }
  }

  /** A book's main and alternate rows at one number are one bet: the better price counts, and comes first. */
  #earlierOfBook(order: Int32Array, at: number): boolean {
    const book = this.prices.book(order[at]!);
    for (let i = 0; i < at; i++) if (this.prices.book(order[i]!) === book) return true;
    return false;
  }

  #foundEv(
    column: number,
    side: number,
    { p, push, ev, policy }: { p: number; push: number; ev: number; policy: ReferencePolicy },
    universes: readonly WatchedUniverse[],
    sink: CandidateSink,
  ): void {
    const { prices, reference } = this;
    const found = this.#candidate;
    const book = prices.book(column);
    const decimal = prices.price(column, side);
    found.kind = 'ev';
    found.book1 = book;
    found.book2 = -1;
    found.book3 = -1;
    found.side = side;
    found.low = 0;
    found.high = 0;
    found.first = decimal;
    found.second = steady(p) + PUSH_PLACE * Math.round(push * PUSH_STEPS);
    found.third = prices.booksQuoting(side, null);
    found.edge = Math.max(ev, -100);
    found.suspicious = false;
    found.assumed = push > 0 && prices.marketLine.market.pushModel!.family === 'wide';
    found.columns.length = 1;
    found.columns[0] = column;
    found.p = p;
    found.push = push;
    found.rowTag = tagOf(prices.row(column, side), 0);
    for (const row of reference.rows) found.rowTag += tagOf(row, 1);
    const opinions = Math.min(reference.column < 0 ? reference.opinionsFor(column) : prices.owners(null), 7);
    found.folded =
      ((reference.source + 2) * 8 + opinions) * 1e10 +
      steady(reference.holdPercent() / 1000) * 16 +
      this.#charges(column, 0) +
      (prices.isAlternate(column) ? 1 : 0);
    for (let i = 0; i < universes.length; i++) {
      const universe = universes[i]!;
      if (universe.mask[book] !== 1 || ev < universe.kept.minEv - EDGE_NOISE) continue;
      if (!isSamePolicy(universe.policy, policy)) continue;
      found.fourth = this.#legColumns[i * CELLS + side] === column ? this.#profits[i]! : 0;
      sink.found(universe, found);
    }
  }
}

function isSamePolicy(one: ReferencePolicy, other: ReferencePolicy): boolean {
  return one === other || (one.book === other.book && one.method === other.method);
}

/** Whether a universe before it has the same policy. */
function isJudged(universes: readonly WatchedUniverse[], at: number): boolean {
  for (let i = 0; i < at; i++) if (isSamePolicy(universes[i]!.policy, universes[at]!.policy)) return true;
  return false;
}

/** Whether the event can still be bet on. */
export function isOpen({ market }: MarketLine): boolean {
  return isOn(market.event.status);
}
