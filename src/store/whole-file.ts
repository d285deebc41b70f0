// Whether a store's file that is shorter than its pages lacks any of them. LMDB would find that out when it comes to such a
// page, if at all: the end of a long value has no head of its own.
import { fstatSync, readSync } from 'node:fs';

/** In a meta page: the roots of the tree of free pages and of the tree of tables. */
const ROOTS_AT = [88, 136] as const;
/** Of a page, and of an entry in it. What a page says of places in it is counted from the end of its head. */
const PAGE_HEAD = { number: 0, flags: 18, entriesEnd: 20, bytes: 24 } as const;
const ENTRY_HEAD = { low: 0, high: 2, flags: 4, keyBytes: 6, bytes: 8 } as const;
const BRANCH = 1;
const LEAF = 2;
/** A leaf of keys alone. */
const KEYS = 0x20;
/** Of an entry: its value has pages of its own, or is a table, whose root stands there. */
const LONG = 1;
const TABLE = 2;
const TABLE_ROOT_AT = 40;

/** Whether every page that one of the two heads can reach is in the file: a commit may have been cut off. */
export function isWhole(file: number, pageBytes: number): boolean {
  return [0, 1].some((meta) => {
    const page = Buffer.alloc(pageBytes);
    readSync(file, page, 0, pageBytes, meta * pageBytes);
    try {
      return new Pages(file, pageBytes).has(ROOTS_AT.map((at) => Number(page.readBigUInt64LE(at))));
    } catch (error) {
      // What is no page leads beyond its own end.
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
}

class Pages {
  readonly #file: number;
  readonly #pageBytes: number;
  readonly #count: number;
  readonly #waiting: number[] = [];

  constructor(file: number, pageBytes: number) {
    this.#file = file;
    this.#pageBytes = pageBytes;
    this.#count = Math.floor(fstatSync(file).size / pageBytes);
  }

  /** Whether the trees with these roots are there. */
  has(roots: readonly number[]): boolean {
    for (const root of roots) this.#await(root);
    const page = Buffer.alloc(this.#pageBytes);
    for (let read = 0; this.#waiting.length > 0; read++) {
      const number = this.#waiting.pop()!;
      // More than there are would be a circle.
      if (number >= this.#count || read >= this.#count) return false;
      readSync(this.#file, page, 0, this.#pageBytes, number * this.#pageBytes);
      if (Number(page.readBigUInt64LE(PAGE_HEAD.number)) !== number || !this.#take(page)) return false;
    }
    return true;
  }

  /** A tree without entries has no root. */
  #await(root: number): void {
    if (Number.isSafeInteger(root)) this.#waiting.push(root);
  }

  /** Of a page: what its entries lead to. False if it is none, or a value's end is missing. */
  #take(page: Buffer): boolean {
    const flags = page.readUInt16LE(PAGE_HEAD.flags);
    if ((flags & KEYS) !== 0) return true;
    if ((flags & (BRANCH | LEAF)) === 0) return false;
    const end = PAGE_HEAD.bytes + page.readUInt16LE(PAGE_HEAD.entriesEnd);
    for (let at: number = PAGE_HEAD.bytes; at < end; at += 2)
      if (!this.#takeEntry(page, PAGE_HEAD.bytes + page.readUInt16LE(at), (flags & BRANCH) !== 0)) return false;
    return true;
  }

  #takeEntry(page: Buffer, at: number, isBranch: boolean): boolean {
    const flags = page.readUInt16LE(at + ENTRY_HEAD.flags);
    if (isBranch) {
      const low = page.readUInt16LE(at + ENTRY_HEAD.low) + 2 ** 16 * page.readUInt16LE(at + ENTRY_HEAD.high);
      this.#waiting.push(low + 2 ** 32 * flags);
      return true;
    }
    const value = at + ENTRY_HEAD.bytes + page.readUInt16LE(at + ENTRY_HEAD.keyBytes);
    if ((flags & LONG) !== 0) {
      const [first, , pages] = [0, 8, 16].map((offset) => Number(page.readBigUInt64LE(value + offset)));
      return first! + pages! <= this.#count;
    }
    if ((flags & TABLE) !== 0) this.#await(Number(page.readBigUInt64LE(value + TABLE_ROOT_AT)));
    return true;
  }
}
