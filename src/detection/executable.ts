// Whether prices can be bet together at all: at the greatest stake that they take, rounded to what their books accept, each
// bet must reach its book's minimum, and an arbitrage must still win.

import { chargeOf, contractCost } from '../base/model/commission.js';
import { exchangeRate, rateOf } from '../base/model/money.js';
import type { Row } from '../base/model/row.js';
import { NO_DETAILS, ownCommission, stakeMax } from '../base/model/row-details.js';
import type { BookList } from './book-list.js';
import type { LinePrices } from './line-prices.js';
import type { MarketIndex } from './market-index.js';
import { CELLS } from './quote-columns.js';

/** Of a stake, or a number of contracts: less than this above a step is that step. */
const NOISE = 1e-7;
const LEGS = 3;

export class Executable {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  #count = 0;
  readonly #rows: (Row | undefined)[] = new Array<undefined>(LEGS).fill(undefined);
  readonly #bookNos = new Int32Array(LEGS);
  readonly #nets = new Float64Array(LEGS);
  readonly #most = new Float64Array(LEGS);
  readonly #lays = new Uint8Array(LEGS);

  constructor(index: MarketIndex, books: BookList) {
    this.#index = index;
    this.#books = books;
  }

  /** Whether an arbitrage of these columns, one a side, can be bet and wins. */
  wins(prices: LinePrices, columns: Int32Array, nets: Float64Array): boolean {
    this.begin();
    for (let side = 0; side < prices.sides; side++)
      this.add(columns[side]!, side, prices.book(columns[side]!), nets[side]!, this.mostAt(columns[side]!, side));
    return this.check(true);
  }

  /** The same of a side's back and lay. */
  winsLaid(prices: LinePrices, back: number, lays: LinePrices, lay: number, side: number, nets: Float64Array): boolean {
    this.begin();
    this.add(back, side, prices.book(back), nets[0]!, this.mostAt(back, side));
    this.add(lay, side, lays.book(lay), nets[1]!, this.mostAt(lay, side), true);
    return this.check(true);
  }

  begin(): void {
    this.#count = 0;
  }

  /** What can be staked at a column's price, in its book's currency; Infinity if nothing is known. */
  mostAt(column: number, side: number): number {
    const { details } = this.#rowAt(column, side);
    return details === NO_DETAILS ? Number.POSITIVE_INFINITY : (stakeMax(details) ?? Number.POSITIVE_INFINITY);
  }

  /** @param net decimal price after commission; of a lay, per unit of liability */
  add(column: number, side: number, book: number, net: number, most: number, lay = false): void {
    const at = this.#count++;
    const row = this.#rowAt(column, side);
    this.#rows[at] = row;
    this.#bookNos[at] = book;
    this.#nets[at] = net;
    // The size of a lay is what backers may stake; the bet's stake is the liability.
    this.#most[at] = lay ? most * (row.decimal - 1) : most;
    this.#lays[at] = lay ? 1 : 0;
  }

  #rowAt(column: number, side: number): Row {
    return this.#index.row(this.#index.columns.row[column * CELLS + side]!);
  }

  /** Whether the bets can be made, and if `wins` whether they still win whatever happens. */
  check(wins: boolean): boolean {
    const count = this.#count;
    let limited = false;
    for (let i = 0; i < count; i++) limited ||= this.#most[i]! < Number.POSITIVE_INFINITY;
    if (!limited) return true;
    const payout = this.#greatestPayout();
    // Without a rate the legs' shares are not known.
    if (Number.isNaN(payout)) return true;
    let cost = 0;
    for (let i = 0; i < count; i++) {
      const stake = this.#stakeFor(i, payout);
      if (Number.isNaN(stake)) return false;
      cost += stake * this.#rate(i);
    }
    return !wins || payout - cost > NOISE;
  }

  /** In dollars: what each result pays if the leg that takes least is bet up to its limit. */
  #greatestPayout(): number {
    let payout = Number.POSITIVE_INFINITY;
    let unit = 0;
    for (let i = 0; i < this.#count; i++) {
      const { stakeStep, contracts } = this.#books.rules[this.#bookNos[i]!]!;
      const rate = this.#rate(i);
      if (Number.isNaN(rate)) return Number.NaN;
      let most = this.#most[i]!;
      if (stakeStep > 0 && Number.isFinite(most) && this.#lays[i] === 0)
        most = stakeStep * Math.floor(most / stakeStep + NOISE);
      payout = Math.min(payout, most * this.#nets[i]! * rate);
      unit = Math.max(unit, contracts * rate);
    }
    return unit === 0 ? payout : unit * Math.floor(payout / unit + NOISE);
  }

  /** The leg's stake, in its currency, that pays at least `payout` dollars; NaN if its book does not accept it. */
  #stakeFor(i: number, payout: number): number {
    const { minStake, stakeStep, contracts } = this.#books.rules[this.#bookNos[i]!]!;
    const row = this.#rows[i]!;
    const wanted = payout / this.#rate(i);
    if (!(wanted > 0)) return Number.NaN;
    if (contracts > 0 && this.#lays[i] === 0) {
      const charge = chargeOf(ownCommission(row.details), this.#books.commission[this.#bookNos[i]!]!);
      const cost = contractCost(wanted, row.decimal, charge);
      return cost < minStake - NOISE ? Number.NaN : cost;
    }
    const perUnit = this.#lays[i] === 1 ? row.decimal - 1 : 1;
    let stake = wanted / this.#nets[i]! / perUnit;
    if (stakeStep > 0) stake = stakeStep * Math.ceil(stake / stakeStep - NOISE);
    return stake < minStake - NOISE ? Number.NaN : stake * perUnit;
  }

  /** Dollars for one unit of the leg's currency; between legs of one currency it does not matter. */
  #rate(i: number): number {
    const { currency } = this.#books.rules[this.#bookNos[i]!]!;
    const rate = rateOf(currency, this.#books.rates);
    if (!Number.isNaN(rate)) return rate;
    for (let j = 0; j < this.#count; j++)
      if (exchangeRate(this.#books.rules[this.#bookNos[j]!]!.currency, currency, this.#books.rates) !== 1)
        return Number.NaN;
    return 1;
  }
}
