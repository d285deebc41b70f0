// One value for each owner: the mean over its books. Books of one owner show one price, and so are one opinion, however
// many they are. One object is used again and again and allocates nothing once it is large enough.
import { grown, withPlace } from '../../base/memory/grown.js';

const START_OWNERS = 64;
/** Up to this length insertion sort is faster. */
const FEW = 64;

export class OwnerMeans {
  /** Number of owners with a value. */
  count = 0;
  /** By owner: the place of its value, -1 if it has none. */
  #placeOf = new Int32Array(START_OWNERS).fill(-1);
  /** By place. */
  #owners = new Int32Array(START_OWNERS);
  #sums = new Float64Array(START_OWNERS);
  #books = new Int32Array(START_OWNERS);

  begin(): void {
    for (let place = 0; place < this.count; place++) this.#placeOf[this.#owners[place]!] = -1;
    this.count = 0;
  }

  add(owner: number, value: number): void {
    if (owner >= this.#placeOf.length) this.#grow(owner);
    let place = this.#placeOf[owner]!;
    if (place < 0) {
      place = this.count++;
      this.#placeOf[owner] = place;
      this.#owners[place] = owner;
      this.#sums[place] = 0;
      this.#books[place] = 0;
    }
    this.#sums[place]! += value;
    this.#books[place]!++;
  }

  /** Mean over the owners; NaN if there are none. */
  mean(): number {
    let sum = 0;
    for (let place = 0; place < this.count; place++) sum += this.#sums[place]! / this.#books[place]!;
    return sum / this.count;
  }

  /** Median over the owners; NaN if there are none. Afterwards `begin` is due. */
  median(): number {
    const { count } = this;
    if (count === 0) return Number.NaN;
    const values = this.#sums;
    for (let place = 0; place < count; place++) values[place]! /= this.#books[place]!;
    if (count > FEW) values.subarray(0, count).sort();
    else
      for (let i = 1; i < count; i++) {
        const value = values[i]!;
        let place = i;
        for (; place > 0 && values[place - 1]! > value; place--) values[place] = values[place - 1]!;
        values[place] = value;
      }
    const middle = count >> 1;
    return count % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
  }

  #grow(owner: number): void {
    this.#placeOf = withPlace(this.#placeOf, owner, -1);
    const size = this.#placeOf.length;
    this.#owners = grown(this.#owners, size);
    this.#sums = grown(this.#sums, size);
    this.#books = grown(this.#books, size);
  }
}
