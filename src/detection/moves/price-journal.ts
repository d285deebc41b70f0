// Recent prices of a shard's rows: how far each moved at its line within a window, and when its line last moved. Its
// memory is bounded.

import { copyRing, withPlace } from '../../base/memory/grown.js';
import { LIMITS } from '../../base/model/limits.js';
import { MOVE_LIMITS } from './move-limits.js';

const START_ROWS = 1_024;

/** Results of `note`, as bits; a price that came with another line did not move. */
export const NOTED = { price: 1, line: 2, activity: 4 } as const;

/** The windows in use. */
const WINDOWS_US = { steam: MOVE_LIMITS.steamWindowMs * 1000, drop: MOVE_LIMITS.dropWindowMs * 1000 } as const;
export type PriceWindow = keyof typeof WINDOWS_US;
const WINDOW_NO: Readonly<Record<PriceWindow, number>> = { steam: 0, drop: 1 };
const WINDOWS = Object.keys(WINDOWS_US).length;
const LONGEST_US = Math.max(...Object.values(WINDOWS_US));

export class PriceJournal {
  /** By row number; 0 if unknown, NaN if none was meant at its line. */
  #decimal = new Float64Array(START_ROWS);
  /** By row number: 1 if it can be bet. */
  #active = new Uint8Array(START_ROWS);
  /** NaN if the row has no line. */
  #line = new Float64Array(START_ROWS);
  /** The previous line, and the position of its last use. */
  #lineBefore = new Float64Array(START_ROWS);
  #linedUs = new Float64Array(START_ROWS).fill(Number.NEGATIVE_INFINITY);
  /** Number of the row's newest change at its line. */
  #newest = new Float64Array(START_ROWS).fill(NO_CHANGE);
  readonly #changes: PriceChanges;
  readonly #highest: FarthestPrices;
  readonly #lowest: FarthestPrices;
  /** Results of the last query: the price (line) before the move, when it was left, and the last change. */
  from = 0;
  sinceUs = 0;
  atUs = 0;
  /** 1 if the price shortened (the outcome became likelier), -1 if it lengthened. */
  direction = 0;

  constructor(changesMax: number = LIMITS.priceChanges.max) {
    this.#changes = new PriceChanges(changesMax, LONGEST_US);
    this.#highest = new FarthestPrices(this.#changes, 1, WINDOWS);
    this.#lowest = new FarthestPrices(this.#changes, -1, WINDOWS);
  }

  /** Records a row's price and line as of a position; the previous record is from before it. */
  note(no: number, decimal: number, line: number | null, active: boolean, position: number): number {
    if (no >= this.#decimal.length) this.#growRows(no);
    const known = this.#decimal[no]!;
    const activity = active ? 1 : 0;
    const turned = known !== 0 && this.#active[no] !== activity ? NOTED.activity : 0;
    this.#active[no] = activity;
    const lineNow = line ?? Number.NaN;
    const lineBefore = this.#line[no]!;
    const sameLine = Object.is(lineBefore + 0, lineNow + 0);
    if (known === decimal && sameLine) return turned;
    this.#decimal[no] = decimal;
    this.#line[no] = lineNow;
    if (known === 0) return 0;
    if (!sameLine) return turned | this.#lined(no, lineBefore, position);
    if (Number.isNaN(known)) return turned;
    this.#push(no, position, known);
    return turned | NOTED.price;
  }

  /** The same of a price that its book does not mean: the one it meant before is the one that the next is compared with. */
  noteUnmeant(no: number, line: number | null, active: boolean, position: number): number {
    if (no >= this.#decimal.length) this.#growRows(no);
    const known = this.#decimal[no]!;
    const activity = active ? 1 : 0;
    const turned = known !== 0 && this.#active[no] !== activity ? NOTED.activity : 0;
    this.#active[no] = activity;
    const lineNow = line ?? Number.NaN;
    const lineBefore = this.#line[no]!;
    if (known === 0) {
      this.#decimal[no] = Number.NaN;
      this.#line[no] = lineNow;
      return 0;
    }
    if (Object.is(lineBefore + 0, lineNow + 0)) return turned;
    this.#decimal[no] = Number.NaN;
    this.#line[no] = lineNow;
    return turned | this.#lined(no, lineBefore, position);
  }

  /** Whether this is not the price that was noted last. */
  differs(no: number, decimal: number): boolean {
    return this.#decimal[no] !== decimal;
  }

  #lined(no: number, before: number, position: number): number {
    this.#newest[no] = NO_CHANGE;
    this.#lineBefore[no] = before;
    this.#linedUs[no] = position;
    return NOTED.line;
  }

  /** The row was removed; its number may be reused. */
  forget(no: number): void {
    if (no >= this.#decimal.length) return;
    this.#decimal[no] = 0;
    this.#newest[no] = NO_CHANGE;
    this.#linedUs[no] = Number.NEGATIVE_INFINITY;
  }

  /**
   * Whether the row's price moved at its line within the window that ends at a position: in the direction of its last
   * change, from the farthest price within it. Positions never decrease.
   */
  priceMove(no: number, window: PriceWindow, position: number): boolean {
    const changes = this.#changes;
    const newest = this.#newest[no] ?? NO_CHANGE;
    const sinceUs = position - WINDOWS_US[window];
    this.direction = 0;
    if (newest === NO_CHANGE || changes.position(newest) < sinceUs) return false;
    this.direction = changes.before(newest) > this.#decimal[no]! ? 1 : -1;
    this.atUs = changes.position(newest);
    const farthest = this.direction > 0 ? this.#highest : this.#lowest;
    const left = farthest.since(no, newest, WINDOW_NO[window], sinceUs);
    this.from = changes.before(left);
    this.sinceUs = changes.position(left);
    return true;
  }

  /** Whether the row's line moved since a position: its last move. */
  lineMove(no: number, sinceUs: number): boolean {
    const linedUs = this.#linedUs[no] ?? Number.NEGATIVE_INFINITY;
    if (linedUs < sinceUs) return false;
    this.from = this.#lineBefore[no]!;
    this.atUs = linedUs;
    return true;
  }

  #push(no: number, position: number, before: number): void {
    if (this.#changes.makeRoom(position)) {
      this.#highest.makeRoom();
      this.#lowest.makeRoom();
    }
    const { leaving } = this.#changes;
    if (leaving !== NO_CHANGE) this.#drop(leaving);
    const newest = this.#newest[no]!;
    const change = this.#changes.add(no, position, before);
    this.#highest.push(no, change, newest);
    this.#lowest.push(no, change, newest);
    this.#newest[no] = change;
  }

  #drop(change: number): void {
    const no = this.#changes.row(change);
    const newest = this.#newest[no]!;
    if (newest === change) this.#newest[no] = NO_CHANGE;
    if (newest <= change) return;
    this.#highest.drop(no, change, newest);
    this.#lowest.drop(no, change, newest);
  }

  #growRows(no: number): void {
    this.#decimal = withPlace(this.#decimal, no);
    this.#line = withPlace(this.#line, no);
    this.#active = withPlace(this.#active, no);
    this.#lineBefore = withPlace(this.#lineBefore, no);
    this.#linedUs = withPlace(this.#linedUs, no, Number.NEGATIVE_INFINITY);
    this.#newest = withPlace(this.#newest, no, NO_CHANGE);
  }
}

// A shard's latest price changes in a ring of plain numbers, and for each row those that may be the farthest price of a
// window: one monotone queue per direction, so that finding it costs a change no more if a row changes often.

const START_CHANGES = 1_024;
const NO_CHANGE = -1;

/** Changes by their number; those older than they are needed are overwritten, and beyond a maximum the oldest. */
export class PriceChanges {
  /** For each change, at its number modulo the ring's size. */
  #positions = new Float64Array(START_CHANGES);
  #before = new Float64Array(START_CHANGES);
  #rows = new Uint32Array(START_CHANGES);
  readonly #max: number;
  readonly #neededUs: number;
  /** Number of the next change. */
  #next = 0;

  /** @param neededUs for how long a change is needed, if there are no more than `max` */
  constructor(max: number, neededUs: number) {
    this.#max = max;
    this.#neededUs = neededUs;
  }

  /** How many there is room for. */
  get size(): number {
    return this.#positions.length;
  }

  /** Number of the change that the next one overwrites; NO_CHANGE while there is room. */
  get leaving(): number {
    return this.#next < this.size ? NO_CHANGE : this.#next - this.size;
  }

  /** Makes room if the change that one at a position would overwrite is still needed then. True if places are others now. */
  makeRoom(position: number): boolean {
    const { leaving } = this;
    if (leaving === NO_CHANGE || this.size >= this.#max) return false;
    if (this.position(leaving) < position - this.#neededUs) return false;
    this.#grow();
    return true;
  }

  /** @param before decimal price before the change */
  add(row: number, position: number, before: number): number {
    const at = this.placeOf(this.#next);
    this.#positions[at] = position;
    this.#before[at] = before;
    this.#rows[at] = row;
    return this.#next++;
  }

  holds(change: number): boolean {
    return change >= 0 && change >= this.#next - this.#positions.length;
  }

  placeOf(change: number): number {
    return change % this.#positions.length;
  }

  position(change: number): number {
    return this.#positions[this.placeOf(change)]!;
  }

  before(change: number): number {
    return this.#before[this.placeOf(change)]!;
  }

  row(change: number): number {
    return this.#rows[this.placeOf(change)]!;
  }

  #grow(): void {
    const size = Math.min(this.#max, this.size * 2);
    this.#positions = this.moved(this.#positions, size);
    this.#before = this.moved(this.#before, size);
    this.#rows = this.moved(this.#rows, size);
  }

  /** What a full ring has of each change, at its places in a larger one. */
  moved<Column extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(ring: Column, size: number): Column {
    const larger = new (ring.constructor as new (length: number) => Column)(size);
    return copyRing<number, Column>(ring, larger, this.#next - ring.length, this.#next);
  }
}

/**
 * Monotone queues of one direction, one per row: from a newer change to an older one prices are strictly farther. The
 * first within a window is its farthest price; several windows share the queue, each with a front of its own.
 */
class FarthestPrices {
  readonly #changes: PriceChanges;
  readonly #sign: 1 | -1;
  /** At a change's index: the distance in changes to its neighbours in the queue; 0 if it is last. */
  #toOlder = new Uint32Array(START_CHANGES);
  #toNewer = new Uint32Array(START_CHANGES);
  /** By window and row: the distance in changes from the row's newest to the window's front. */
  readonly #fronts: Uint32Array<ArrayBuffer>[];

  /** @param sign 1 if a higher price is farther, -1 if a lower one is */
  constructor(changes: PriceChanges, sign: 1 | -1, windows: number) {
    this.#changes = changes;
    this.#sign = sign;
    this.#fronts = Array.from({ length: windows }, () => new Uint32Array(0));
  }

  /** There is room for more changes, which are elsewhere now. */
  makeRoom(): void {
    this.#toOlder = this.#changes.moved(this.#toOlder, this.#changes.size);
    this.#toNewer = this.#changes.moved(this.#toNewer, this.#changes.size);
  }

  /** @param newest the row's newest change before this one; NO_CHANGE if it has none */
  push(row: number, change: number, newest: number): void {
    const changes = this.#changes;
    const before = changes.before(change);
    let older = newest;
    while (changes.holds(older) && (changes.before(older) - before) * this.#sign <= 0) older = this.#olderThan(older);
    if (!changes.holds(older)) older = NO_CHANGE;
    const place = changes.placeOf(change);
    this.#toOlder[place] = older === NO_CHANGE ? 0 : change - older;
    if (older !== NO_CHANGE) this.#toNewer[changes.placeOf(older)] = change - older;
    for (let window = 0; window < this.#fronts.length; window++) {
      const fronts = withPlace(this.#fronts[window]!, row);
      this.#fronts[window] = fronts;
      const front = newest === NO_CHANGE ? change : newest - fronts[row]!;
      // If the front was removed from the end, the new change takes its place.
      fronts[row] = front > older ? 0 : change - front;
    }
  }

  /** Removes a change that is about to be overwritten, and is not the row's newest, from the row's queue. */
  drop(row: number, change: number, newest: number): void {
    for (const fronts of this.#fronts)
      if (newest - fronts[row]! === change) fronts[row] = newest - this.#newerThan(change);
  }

  /**
   * The farthest since a position, which must never decrease for a window; the newest change must not be older than it.
   */
  since(row: number, newest: number, window: number, sinceUs: number): number {
    const fronts = this.#fronts[window]!;
    let front = newest - fronts[row]!;
    while (this.#changes.position(front) < sinceUs) front = this.#newerThan(front);
    fronts[row] = newest - front;
    return front;
  }

  #olderThan(change: number): number {
    const by = this.#toOlder[this.#changes.placeOf(change)]!;
    return by === 0 ? NO_CHANGE : change - by;
  }

  #newerThan(change: number): number {
    return change + this.#toNewer[this.#changes.placeOf(change)]!;
  }
}
