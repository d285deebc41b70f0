// The latest price changes of a shard's rows, in one ring of plain numbers: a row's changes are linked from the newest
// back, and the oldest of all are written over. What it takes is bounded, whatever the market does.
import { LIMITS } from '../model/limits.js';

const START_ROWS = 1_024;
const START_CHANGES = 1_024;
const NONE = -1;

/** What `note` found, as bits; a price that came with another line is not one that moved. */
export const NOTED = { price: 1, line: 2, activity: 4 } as const;

export class PriceJournal {
  /** By row number; 0 where nothing is known. */
  #decimal = new Float64Array(START_ROWS);
  /** By row number: 1 where it can be bet. */
  #active = new Uint8Array(START_ROWS);
  /** NaN where the row has no line. */
  #line = new Float64Array(START_ROWS);
  /** Number of the row's newest change. */
  #newest = new Float64Array(START_ROWS).fill(NONE);
  /** Of each change, at its number modulo the ring's size: position, what was before it, and the change before it. */
  #position = new Float64Array(START_CHANGES);
  #before = new Float64Array(START_CHANGES);
  #lineBefore = new Float64Array(START_CHANGES);
  #older = new Float64Array(START_CHANGES);
  /** Number of the next change. */
  #next = 0;
  readonly #changesMax: number;
  /** What the last question found: the price (line) moved from, when that was left, and the last change. */
  from = 0;
  sinceUs = 0;
  atUs = 0;
  /** 1 where the price got shorter (the outcome likelier), -1 where it got longer. */
  direction = 0;

  constructor(changesMax: number = LIMITS.priceChanges.max) {
    this.#changesMax = changesMax;
  }

  /** Notes a row's price and line as of a position; what it knew before of the row was of the position before. */
  note(no: number, decimal: number, line: number | null, active: boolean, position: number): number {
    if (no >= this.#decimal.length) this.#growRows(no);
    const known = this.#decimal[no]!;
    const activity = active ? 1 : 0;
    const turned = known !== 0 && this.#active[no] !== activity ? NOTED.activity : 0;
    this.#active[no] = activity;
    const lineNow = line ?? Number.NaN;
    const sameLine = Object.is(this.#line[no]! + 0, lineNow + 0);
    if (known === decimal && sameLine) return turned;
    const lineBefore = this.#line[no]!;
    this.#decimal[no] = decimal;
    this.#line[no] = lineNow;
    if (known === 0) return 0;
    this.#push(no, position, known, lineBefore);
    return turned | (sameLine ? NOTED.price : NOTED.line);
  }

  /** The row is gone; its number may be another's. */
  forget(no: number): void {
    if (no >= this.#decimal.length) return;
    this.#decimal[no] = 0;
    this.#newest[no] = NONE;
  }

  /**
   * Whether the row's price moved at its line since a position: in the direction of its last change, from the farthest
   * price there was since then.
   */
  priceMove(no: number, sinceUs: number): boolean {
    const now = this.#decimal[no]!;
    const line = this.#line[no]!;
    this.direction = 0;
    for (let change = this.#newest[no]!; this.#holds(change); change = this.#older[change % this.#position.length]!) {
      const at = change % this.#position.length;
      if (this.#position[at]! < sinceUs || !Object.is(this.#lineBefore[at]! + 0, line + 0)) break;
      const before = this.#before[at]!;
      if (this.direction === 0) {
        this.direction = before > now ? 1 : -1;
        this.atUs = this.#position[at]!;
        this.from = now;
      }
      if ((before - this.from) * this.direction <= 0) continue;
      this.from = before;
      this.sinceUs = this.#position[at]!;
    }
    return this.direction !== 0;
  }

  /** Whether the row's line moved since a position: the last time it did. */
  lineMove(no: number, sinceUs: number): boolean {
    const line = this.#line[no]!;
    for (let change = this.#newest[no]!; this.#holds(change); change = this.#older[change % this.#position.length]!) {
      const at = change % this.#position.length;
      if (this.#position[at]! < sinceUs) break;
      if (Object.is(this.#lineBefore[at]! + 0, line + 0)) continue;
      this.from = this.#lineBefore[at]!;
      this.atUs = this.#position[at]!;
      return true;
    }
    return false;
  }

  #holds(change: number): boolean {
    return change !== NONE && change >= this.#next - this.#position.length;
  }

  #push(no: number, position: number, before: number, lineBefore: number): void {
    if (this.#next === this.#position.length && this.#next < this.#changesMax) this.#growChanges();
    const at = this.#next % this.#position.length;
    this.#position[at] = position;
    this.#before[at] = before;
    this.#lineBefore[at] = lineBefore;
    this.#older[at] = this.#newest[no]!;
    this.#newest[no] = this.#next++;
  }

  /** Only while nothing was written over yet: numbers are places then. */
  #growChanges(): void {
    const size = Math.min(this.#changesMax, this.#position.length * 2);
    this.#position = grown(this.#position, size);
    this.#before = grown(this.#before, size);
    this.#lineBefore = grown(this.#lineBefore, size);
    this.#older = grown(this.#older, size);
  }

  #growRows(no: number): void {
    const size = Math.max(no + 1, this.#decimal.length * 2);
    this.#decimal = grown(this.#decimal, size);
    this.#line = grown(this.#line, size);
    const active = new Uint8Array(size);
    active.set(this.#active);
    this.#active = active;
    const known = this.#newest.length;
    this.#newest = grown(this.#newest, size);
    this.#newest.fill(NONE, known);
  }
}

function grown(old: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const bigger = new Float64Array(size);
  bigger.set(old);
  return bigger;
}
