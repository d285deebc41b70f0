// Probabilities of whole results, summed once for each market model and centre: the probability between any two lines
// is then one subtraction, however many pairs of lines there are.
import { LIMITS } from '../base/model/limits.js';
import { firstHit, HIGH_END, HIT, LOW_END, lastHit, partialResult } from './maths/middle.js';
import { type ResultModel, resultProbabilities } from './maths/result-model.js';

/** Centres are rounded to this many points: it changes a probability by less than the precision of prices. */
const CENTRE_STEP = 0.02;
/** Maximum number of sums in memory: 8 MB. */
const RESULTS_MAX = LIMITS.resultTables.max;
/** Margins further below the lines than this have a negligible probability. */
const TAIL = 120;

export function steadyCentre(centre: number): number {
  return Math.round(Math.round(centre / CENTRE_STEP) * CENTRE_STEP * 100) / 100;
}

export class ResultTable {
  readonly model: ResultModel;
  readonly centre: number;
  #first = 0;
  /** P(#first <= result < #first + i). */
  #below = new Float64Array(0);
  /** P(result < #first); NaN until it is needed. */
  #tail = Number.NaN;

  constructor(model: ResultModel, centre: number) {
    this.model = model;
    this.centre = centre;
  }

  /** Covers results from `first` to `last`; returns the number of sums added. */
  cover(first: number, last: number): number {
    const known = this.#below.length;
    if (known > 0 && first >= this.#first && last < this.#first + known - 1) return 0;
    const from = known === 0 ? first : Math.min(first, this.#first);
    const to = known === 0 ? last : Math.max(last, this.#first + known - 2);
    const below = new Float64Array(to - from + 2);
    resultProbabilities(this.model, from, this.centre, below.subarray(1));
    for (let i = 1; i < below.length; i++) below[i]! += below[i - 1]!;
    this.#first = from;
    this.#below = below;
    this.#tail = Number.NaN;
    return below.length - known;
  }

  /** P(first covered <= result <= to), `to` being covered or the one before the first. */
  upTo(to: number): number {
    return this.#below[to - this.#first + 1]!;
  }

  /** P(from <= result <= to), both within the covered range; 0 if to < from. */
  between(from: number, to: number): number {
    if (to < from) return 0;
    return Math.max(0, this.#below[to - this.#first + 1]! - this.#below[from - this.#first]!);
  }

  /** P(result exceeds the line), given that there is no push. */
  passes(line: number): number {
    if (Number.isNaN(this.#tail)) this.#tail = this.#belowFirst();
    const below = this.#tail + this.between(this.#first, Math.ceil(line) - 1);
    const on = Number.isInteger(line) ? this.between(line, line) : 0;
    return on < 1 ? Math.max(0, Math.min(1, 1 - below / (1 - on))) : 0;
  }

  #belowFirst(): number {
    const from = this.model.pair === 'total' ? Math.min(0, this.#first) : this.#first - TAIL;
    const below = new Float64Array(this.#first - from);
    resultProbabilities(this.model, from, this.centre, below);
    return below.reduce((sum, chance) => sum + chance, 0);
  }

  /** P(one of the model's key numbers between the lines): a margin counts with the sign that wins. */
  keyNumbers(low: number, high: number): number {
    let sum = 0;
    for (const number of this.model.keyNumbers) {
      if (number > low && number < high) sum += this.between(number, number);
      if (number !== 0 && -number > low && -number < high) sum += this.between(-number, -number);
    }
    return sum;
  }

  /** The result of `middleProbability` for the two lines, from the sums. */
  middle(low: number, high: number, out: Float64Array): void {
    out[HIT] = this.between(firstHit(low), lastHit(high));
    out[LOW_END] = this.#end(low);
    out[HIGH_END] = this.#end(high);
  }

  #end(line: number): number {
    const x = partialResult(line);
    return Number.isNaN(x) ? 0 : this.between(x, x);
  }
}

export class ResultTables {
  readonly #tables = new Map<ResultModel, Map<number, ResultTable>>();
  #results = 0;

  /** The table of a model at a centre (already rounded), covering at least these results. */
  get(model: ResultModel, centre: number, first: number, last: number): ResultTable {
    if (this.#results >= RESULTS_MAX) {
      this.#tables.clear();
      this.#results = 0;
    }
    let tables = this.#tables.get(model);
    if (tables === undefined) {
      tables = new Map();
      this.#tables.set(model, tables);
    }
    let table = tables.get(centre);
    if (table === undefined) {
      table = new ResultTable(model, centre);
      tables.set(centre, table);
    }
    this.#results += table.cover(first, last);
    return table;
  }
}
