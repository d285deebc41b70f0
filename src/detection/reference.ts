// The fair price of a line: the sharp book's if it has an opinion about the line (opinions.ts), else the consensus of all
// that have. It is the engine's own and the same for every universe.

import { isIndicative, isModelPrice } from '../base/model/activity.js';
import type { DevigMethod } from '../base/model/devig-method.js';
import { freshMs } from '../base/model/freshness.js';
import { LIMITS } from '../base/model/limits.js';
import type { BookList } from './book-list.js';
import type { LinePrices } from './line-prices.js';
import type { MarketIndex } from './market-index.js';
import type { MarketLine } from './market-line.js';
import { CONSENSUS_OPINIONS_MIN, Consensus } from './maths/consensus.js';
import { devig } from './maths/devig.js';
import { OwnerMeans } from './maths/owner-means.js';
import { centreFromPrice, type ResultModel, refundedShare } from './maths/result-model.js';
import { CELLS, KNOWN } from './quote-columns.js';
import { CONSENSUS, DEFAULT_DEVIG, ENGINES_OWN, type ReferencePolicy } from './reference-policy.js';

/** Steps to which push probabilities are rounded: they change far more slowly than prices. */
const PUSH_STEPS = 200;
/** Of no book. */
const NO_OWNER = Number.POSITIVE_INFINITY;
/** A model's probabilities of a line sum to 1 within this: no margin is removed from them, nothing but the rounding. */
const MODEL_NOISE = 0.02;

export class Reference {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #prices: LinePrices;
  /** Number of the sharp book, CONSENSUS, or ENGINES_OWN if there is no reference. */
  source = ENGINES_OWN;
  /** Column of the sharp book. */
  column = -1;
  readonly #consensus = new Consensus();
  /** Hold of the reference, computed on demand; NaN before. */
  #hold = Number.NaN;
  /** The source's prices are not on offer: what is known of them is in their rows. */
  #stated = false;
  /** When it counts no more as time passes (Unix ms); Infinity if its prices are on offer. */
  deadlineMs = Number.POSITIVE_INFINITY;
  readonly #rows: number[] = [];
  readonly #implied = new Float64Array(CELLS);
  readonly #policyFair = new Float64Array(CELLS);
  readonly #memory = new DevigMemory(DEFAULT_DEVIG);
  readonly #holds = new OwnerMeans();
  readonly #pushes = new Map<ResultModel, Map<number, number>>();
  #pushCount = 0;

  constructor(index: MarketIndex, books: BookList, prices: LinePrices) {
    this.#index = index;
    this.#books = books;
    this.#prices = prices;
  }

  /** Finds the reference of the loaded line. False if there is none. */
  find(policy: ReferencePolicy): boolean {
    const prices = this.#prices;
    this.#hold = Number.NaN;
    this.#rows.length = 0;
    this.source = ENGINES_OWN;
    this.column = -1;
    this.#stated = false;
    this.deadlineMs = Number.POSITIVE_INFINITY;
    if (policy.book >= 0 && this.#findStated(policy)) return true;
    if (prices.opinionCount === 0) return false;
    if (policy.book !== CONSENSUS) {
      const column = this.#bookColumn(policy);
      if (column >= 0) {
        this.column = column;
        this.source = prices.book(column);
        return true;
      }
      if (policy.book !== ENGINES_OWN) return false;
    }
    if (prices.opinionCount < CONSENSUS_OPINIONS_MIN) return false;
    return this.#findConsensus(policy);
  }

  /** Fair probability of a side for the book of a column; NaN if that book must not be judged by this reference. */
  probability(column: number, side: number): number {
    const owner = this.#ownerOf(column);
    if (this.column < 0) return this.#consensus.probability(owner, side);
    if (this.#stated && this.#isModel(this.column)) return this.#policyFair[side]!;
    // A book is no reference for itself or its skins.
    return owner === this.#books.owner[this.source] ? Number.NaN : this.#policyFair[side]!;
  }

  /** As probability(), for a book that has no price of the line. */
  outside(side: number): number {
    return this.column < 0 ? this.#consensus.probability(NO_OWNER, side) : this.#policyFair[side]!;
  }

  /** Upper bound of a side's fair probability over all books. */
  ceiling(side: number): number {
    return this.column < 0 ? this.#consensus.ceiling(side) : this.#policyFair[side]!;
  }

  /** Number of opinions behind the fair price for a column's book. */
  opinionsFor(column: number): number {
    return this.column >= 0 ? 1 : this.#consensus.opinionsFor(this.#ownerOf(column));
  }

  /** Numbers of the rows behind the reference; valid until another one is found. */
  get rows(): readonly number[] {
    const rows = this.#rows;
    if (rows.length > 0) return rows;
    const prices = this.#prices;
    const { row } = this.#index.columns;
    if (this.#stated) {
      for (let side = 0; side < prices.sides; side++) rows.push(row[this.column * CELLS + side]!);
      return rows;
    }
    const first = this.column >= 0 ? this.column : prices.start;
    const end = this.column >= 0 ? this.column + 1 : prices.start + prices.width;
    for (let column = first; column < end; column++)
      if (prices.opinion[column - prices.start] === 1)
        for (let side = 0; side < prices.sides; side++) rows.push(row[column * CELLS + side]!);
    return rows;
  }

  /** Hold of the reference market in percent: the sharp book's, or the median of the owners behind a consensus. */
  holdPercent(): number {
    if (Number.isNaN(this.#hold)) this.#hold = this.#computedHold();
    return this.#hold;
  }

  #computedHold(): number {
    if (this.#stated) return 100 * (this.#statedSum(this.column) - 1);
    if (this.column >= 0) return 100 * (this.#booksum(this.column) - 1);
    const prices = this.#prices;
    const holds = this.#holds;
    holds.begin();
    for (let i = 0; i < prices.width; i++)
      if (prices.opinion[i] === 1)
        holds.add(this.#ownerOf(prices.start + i), 100 * (this.#booksum(prices.start + i) - 1));
    return holds.median();
  }

  /** Computes the column's own devigged probabilities (default method) if necessary; NaN first if incomplete. */
  ownFair(column: number, sides: number): void {
    const { columns } = this.#index;
    if ((columns.known[column]! & KNOWN.fair) !== 0) return;
    columns.known[column]! |= KNOWN.fair;
    this.#memory.devig(columns.decimal, column * CELLS, sides, columns.fair);
  }

  /** Expected result by a column's prices at line `x`; NaN if they are incomplete. */
  ownCentre(column: number, model: ResultModel, x: number): number {
    const { columns } = this.#index;
    this.ownFair(column, 2);
    if ((columns.known[column]! & KNOWN.centre) === 0) {
      columns.known[column]! |= KNOWN.centre;
      const first = columns.fair[column * CELLS]!;
      columns.centre[column] = Number.isNaN(first) ? Number.NaN : centreFromPrice(model, x, first);
    }
    return columns.centre[column]!;
  }

  /**
   * Mean share of the stake that is returned at a line that is exceeded with probability `first` given no push: above 0
   * for whole and quarter lines.
   */
  pushChance(model: ResultModel | undefined, x: number, first: number): number {
    if (model === undefined || !Number.isInteger(4 * x) || Number.isInteger(x + 0.5)) return 0;
    let known = this.#pushes.get(model);
    if (known === undefined || this.#pushCount > LIMITS.pushProbabilities.max) {
      if (known !== undefined) this.#pushes.clear();
      this.#pushCount = 0;
      known = new Map();
      this.#pushes.set(model, known);
    }
    const step = Math.max(1, Math.min(PUSH_STEPS - 1, Math.round(first * PUSH_STEPS)));
    const key = 4 * x * PUSH_STEPS + step;
    let chance = known.get(key);
    if (chance === undefined) {
      const centre = centreFromPrice(model, x, step / PUSH_STEPS);
      // At a line the score has reached there is no expectation, and no push.
      chance = Number.isNaN(centre) ? 0 : refundedShare(model, x, centre);
      known.set(key, chance);
      this.#pushCount++;
    }
    return chance;
  }

  /**
   * The fair prices of a named book that offers none of them: a model's are fair as they are, of those at which something
   * was traded the margin is removed. False if it has none of every side, fresh.
   */
  #findStated(policy: ReferencePolicy): boolean {
    const { columns } = this.#index;
    const { start, width, sides, marketLine } = this.#prices;
    let chosen = -1;
    for (let column = start; column < start + width; column++) {
      if (columns.book[column] !== policy.book || !this.#isStated(column)) continue;
      if (chosen < 0 || columns.alternate[column]! < columns.alternate[chosen]!) chosen = column;
    }
    if (chosen < 0) return false;
    let oldest = Number.POSITIVE_INFINITY;
    for (let cell = chosen * CELLS; cell < chosen * CELLS + sides; cell++)
      oldest = Math.min(oldest, columns.seenMs[cell]!);
    if (oldest < this.#prices.oldest) {
      // Seen again it may count.
      marketLine.hasStale = true;
      return false;
    }
    const sum = this.#statedSum(chosen);
    if (this.#isModel(chosen) && Math.abs(sum - 1) <= MODEL_NOISE)
      for (let side = 0; side < sides; side++) this.#policyFair[side] = this.#implied[side]! / sum;
    else if (!devig(policy.method, this.#implied, sides, this.#policyFair)) return false;
    this.deadlineMs = oldest + freshMs(this.#prices.live);
    this.#stated = true;
    this.column = chosen;
    this.source = policy.book;
    return true;
  }

  /** Whether the column has a price of every side that is on offer nowhere, and none is suspended. */
  #isStated(column: number): boolean {
    for (let cell = column * CELLS; cell < column * CELLS + this.#prices.sides; cell++) {
      const no = this.#index.columns.row[cell]!;
      if (no < 0) return false;
      const { active, activity } = this.#index.row(no);
      if (!active || !isIndicative(activity)) return false;
    }
    return true;
  }

  #isModel(column: number): boolean {
    return isModelPrice(this.#index.row(this.#index.columns.row[column * CELLS]!).activity);
  }

  /** The sum of a column's implied probabilities, each left in `#implied`. */
  #statedSum(column: number): number {
    const { row } = this.#index.columns;
    let sum = 0;
    for (let side = 0; side < this.#prices.sides; side++) {
      const probability = 1 / this.#index.row(row[column * CELLS + side]!).decimal;
      this.#implied[side] = probability;
      sum += probability;
    }
    return sum;
  }

  /** The column of the policy's book, or of the first listed sharp book, if its fresh prices are an opinion. */
  #bookColumn(policy: ReferencePolicy): number {
    const prices = this.#prices;
    const { columns } = this.#index;
    let chosen = -1;
    for (let i = 0; i < prices.width; i++) {
      if (prices.opinion[i] === 0) continue;
      const column = prices.start + i;
      const book = columns.book[column]!;
      const wanted = policy.book === ENGINES_OWN ? this.#books.sharp[book] === 1 : book === policy.book;
      if (!wanted || (chosen >= 0 && !prices.precedes(column, chosen))) continue;
      chosen = column;
    }
    if (chosen < 0 || !this.#policyFairOf(policy, chosen)) return -1;
    return chosen;
  }

  #findConsensus(policy: ReferencePolicy): boolean {
    const prices = this.#prices;
    const consensus = this.#consensus;
    const { columns } = this.#index;
    const { marketLine, width, sides, start } = prices;
    const own = policy.method === DEFAULT_DEVIG;
    consensus.begin(sides);
    for (let i = 0; i < width; i++) {
      if (prices.opinion[i] === 0) continue;
      const column = start + i;
      if (own) {
        this.ownFair(column, sides);
        const at = column * CELLS;
        if (!Number.isNaN(columns.fair[at]!)) consensus.add(this.#ownerOf(column), columns.fair, at);
      } else if (this.#policyFairOf(policy, column)) consensus.add(this.#ownerOf(column), this.#policyFair, 0);
    }
    if (consensus.count < CONSENSUS_OPINIONS_MIN) return false;
    if (marketLine.ranked !== consensus.count) this.#rankAnew(marketLine, consensus.count);
    consensus.settle(columns.ranked, start * CELLS);
    this.source = CONSENSUS;
    return true;
  }

  #rankAnew(marketLine: MarketLine, count: number): void {
    const { ranked } = this.#index.columns;
    for (let i = 0; i < count; i++)
      for (let side = 0; side < CELLS; side++) ranked[(marketLine.start + i) * CELLS + side] = i;
    marketLine.ranked = count;
  }

  #ownerOf(column: number): number {
    return this.#books.owner[this.#index.columns.book[column]!]!;
  }

  /** The column's devigged probabilities into `#policyFair`. False if the method gives none. */
  #policyFairOf({ method }: ReferencePolicy, column: number): boolean {
    const { sides } = this.#prices;
    const { decimal, fair } = this.#index.columns;
    const out = this.#policyFair;
    if (method === DEFAULT_DEVIG) {
      this.ownFair(column, sides);
      for (let side = 0; side < sides; side++) out[side] = fair[column * CELLS + side]!;
      return !Number.isNaN(out[0]!);
    }
    // A missing price (0) gives no probability, and devig refuses.
    for (let side = 0; side < sides; side++) this.#implied[side] = 1 / decimal[column * CELLS + side]!;
    return devig(method, this.#implied, sides, out);
  }

  #booksum(column: number): number {
    let sum = 0;
    for (let side = 0; side < this.#prices.sides; side++) sum += 1 / this.#prices.price(column, side);
    return sum;
  }
}

// A cache of devigged probabilities: books use few different sets of prices, which recur, while devigging costs a dozen
// exponentials.

/** Number of entries; a set that hashes to a used entry replaces it. A power of two. */
const PLACES = 8_192;
const OUTCOMES = 3;
/** Stands for a missing price (0), which is no valid price. */
const NO_SIDE = -1;
/** An entry has the prices, then the probabilities. */
const PLACE_NUMBERS = 2 * OUTCOMES;

export class DevigMemory {
  readonly #method: DevigMethod;
  /** All zeros in an empty entry, which is no set of prices. */
  readonly #places = new Float64Array(PLACES * PLACE_NUMBERS);
  readonly #implied = new Float64Array(OUTCOMES);
  readonly #devigged = new Float64Array(OUTCOMES);

  constructor(method: DevigMethod) {
    this.#method = method;
  }

  /**
   * Fair probabilities (0-1) of a book's decimal prices, the `sides` (2 or 3) numbers from `at`, into `out` at the same
   * indices: exactly the result of `devig`. NaN if it has none: a missing price (0), or one that is not a price.
   */
  devig(decimal: Float64Array, at: number, sides: number, out: Float64Array): void {
    const places = this.#places;
    const first = decimal[at]!;
    const second = decimal[at + 1]!;
    const third = sides === 3 ? decimal[at + 2]! : NO_SIDE;
    const place = placeOf(first, second, third) * PLACE_NUMBERS;
    const met = places[place] === first && places[place + 1] === second && places[place + 2] === third && first !== 0;
    if (!met) {
      places[place] = first;
      places[place + 1] = second;
      places[place + 2] = third;
      this.#compute(sides, place);
    }
    for (let side = 0; side < sides; side++) out[at + side] = places[place + OUTCOMES + side]!;
  }

  #compute(sides: number, place: number): void {
    const places = this.#places;
    for (let side = 0; side < sides; side++) this.#implied[side] = 1 / places[place + side]!;
    const done = devig(this.#method, this.#implied, sides, this.#devigged);
    for (let side = 0; side < sides; side++)
      places[place + OUTCOMES + side] = done ? this.#devigged[side]! : Number.NaN;
  }
}

/** Prices are multiples of a hundredth or a few thousandths: neighbours must not share an entry. */
function placeOf(first: number, second: number, third: number): number {
  let hash = Math.imul((first * 4_096) | 0, 0x9e37_79b1);
  hash = Math.imul(hash ^ ((second * 4_096) | 0), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ ((third * 4_096) | 0), 0xc2b2_ae35);
  return (hash >>> 16) & (PLACES - 1);
}
