// A shard's latest price changes in a ring of plain numbers, and for each row those that may be the farthest price of a
// window: one monotone queue per direction, so that finding it costs a change no more if a row changes often.
import { withPlace } from '../../base/memory/grown.js';
import { copyRing } from '../../base/memory/ring.js';

const START_CHANGES = 1_024;
export const NO_CHANGE = -1;

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
export class FarthestPrices {
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
