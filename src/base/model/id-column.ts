// The rows' odds ids as numbers: 19 decimal digits (identity.ts), stored as the first ten and the last nine. A string
// for each would be a million objects for every major GC to visit.
import { grown } from '../memory/grown.js';
import { ODDS_ID_DIGITS as DIGITS, isOddsId } from './identity.js';

const LOW_DIGITS = 9;
const LOW = 10 ** LOW_DIGITS;
const HALF_DIGITS = 5;
const HALF = 10 ** HALF_DIGITS;
const ZERO = 48;

export class IdColumn {
  /** The first ten digits, which never begin with 0; 0 if there is no row. */
  #high: Float64Array<ArrayBuffer>;
  #low: Uint32Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.#high = new Float64Array(capacity);
    this.#low = new Uint32Array(capacity);
  }

  /** Whether the slot has a row. */
  has(slot: number): boolean {
    return this.#high[slot]! > 0;
  }

  /** '' if there is no row. */
  at(slot: number): string {
    const high = this.#high[slot]!;
    return high === 0 || high === undefined ? '' : `${high}${String(LOW + this.#low[slot]!).slice(1)}`;
  }

  is(slot: number, id: string): boolean {
    return this.#high[slot] === highOf(id) && this.#low[slot] === lastDigitsOf(id);
  }

  /** In the order of the texts. */
  compare(a: number, b: number): number {
    return this.#high[a]! - this.#high[b]! || this.#low[a]! - this.#low[b]!;
  }

  /** The last nine as a number: a hash of the row, since the whole id is one. */
  lastDigits(slot: number): number {
    return this.#low[slot]!;
  }

  /** Throws RangeError if it is not an odds id. */
  set(slot: number, id: string): void {
    if (!isOddsId(id)) throw new RangeError(`not an odds id: ${id}`);
    this.#high[slot] = highOf(id);
    this.#low[slot] = lastDigitsOf(id);
  }

  clear(slot: number): void {
    this.#high[slot] = 0;
    this.#low[slot] = 0;
  }

  /** Writes the text at `at` and returns its end offset. */
  write(slot: number, target: Uint8Array, at: number): number {
    const end = at + DIGITS;
    const high = this.#high[slot]!;
    const first = Math.floor(high / HALF);
    writeDigits(this.#low[slot]!, target, end - LOW_DIGITS, end);
    // In halves: what is no small integer takes several times as long to divide.
    writeDigits(high - first * HALF, target, at + HALF_DIGITS, end - LOW_DIGITS);
    writeDigits(first, target, at, at + HALF_DIGITS);
    return end;
  }

  grow(capacity: number): void {
    this.#high = grown(this.#high, capacity);
    this.#low = grown(this.#low, capacity);
  }
}

/** Bytes of an id's text. */
export const ID_LENGTH = DIGITS;

/** The last nine digits of an id, as IdColumn.lastDigits() gives them for a row. */
export function lastDigitsOf(id: string): number {
  return digitsOf(id, DIGITS - LOW_DIGITS, DIGITS);
}

function highOf(id: string): number {
  return digitsOf(id, 0, DIGITS - LOW_DIGITS);
}

function digitsOf(id: string, from: number, end: number): number {
  let value = 0;
  for (let i = from; i < end; i++) value = value * 10 + id.charCodeAt(i) - ZERO;
  return value;
}

function writeDigits(value: number, target: Uint8Array, from: number, end: number): void {
  let rest = value | 0;
  for (let at = end - 1; at >= from; at--) {
    const next = (rest / 10) | 0;
    target[at] = ZERO + rest - next * 10;
    rest = next;
  }
}
