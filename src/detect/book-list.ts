// The properties of each book that detection uses, by its number in the shard: order of ties, owner, commission,
// whether it is sharp.
import { withPlace } from '../memory/grown.js';
import type { Commission } from '../model/commission.js';

export interface BookFacts {
  /** Index in the catalogue; unlisted books come after all listed ones. */
  bookOrder(book: string): number;
  ownerOf(book: string): string;
  isSharp(book: string): boolean;
  commissionOf(book: string): Commission | null;
}

export class BookList {
  readonly #facts: BookFacts;
  readonly names: string[] = [];
  /** Ties go to the lower rank: catalogue order, then name. */
  rank = new Int32Array(64);
  owner = new Int32Array(64);
  sharp = new Uint8Array(64);
  readonly commission: (Commission | null)[] = [];
  readonly #owners: string[] = [];

  constructor(facts: BookFacts) {
    this.#facts = facts;
  }

  /** Registers the book under its number. True if it was new. */
  note(no: number, name: string): boolean {
    if (this.names[no] !== undefined) return false;
    if (no >= this.rank.length) {
      this.rank = withPlace(this.rank, no);
      this.owner = withPlace(this.owner, no);
      this.sharp = withPlace(this.sharp, no);
    }
    this.names[no] = name;
    const owner = this.#facts.ownerOf(name);
    let ownerNo = this.#owners.indexOf(owner);
    if (ownerNo < 0) ownerNo = this.#owners.push(owner) - 1;
    this.owner[no] = ownerNo;
    this.commission[no] = this.#facts.commissionOf(name);
    this.sharp[no] = this.#facts.isSharp(name) ? 1 : 0;
    this.#rankAll();
    return true;
  }

  name(no: number): string {
    return this.names[no] ?? '';
  }

  no(name: string): number {
    return this.names.indexOf(name);
  }

  /** A new book never changes the relative order of those before it. */
  #rankAll(): void {
    const numbers: number[] = [];
    for (const no of this.names.keys()) if (this.names[no] !== undefined) numbers.push(no);
    numbers.sort((a, b) => {
      const order = this.#facts.bookOrder(this.name(a)) - this.#facts.bookOrder(this.name(b));
      return order !== 0 ? order : this.name(a) < this.name(b) ? -1 : 1;
    });
    for (const [rank, no] of numbers.entries()) this.rank[no] = rank;
  }
}
