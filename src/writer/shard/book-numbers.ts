// The numbers of books in a shard's store. There are only so many: where none is left, the least of those whose book no
// game has any more is used again. Which book has which number is no other process's matter; whether there is one is, and
// follows from the games alone.
import { LIMITS } from '../../base/model/limits.js';

const BOOKS_MAX = LIMITS.books.max;

export class BookNumbers {
  /** By number. */
  names: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Games of each, by number. */
  readonly #games: number[] = [];

  /** As stored, of no game yet. */
  load(names: readonly string[]): void {
    this.names = [...names];
    for (const [no, name] of names.entries()) {
      this.#numbers.set(name, no);
      this.#games[no] = 0;
    }
  }

  /** False if the book has no number, and none is left. */
  hasRoom(book: string): boolean {
    return this.#numbers.has(book) || this.names.length < BOOKS_MAX || this.#games.includes(0);
  }

  /** The book's number; there must be room. */
  numberOf(book: string): number {
    let no = this.#numbers.get(book);
    if (no === undefined) {
      no = this.names.length < BOOKS_MAX ? this.names.length : this.#games.indexOf(0);
      this.note(no, book);
    }
    return no;
  }

  /** As another process numbered it. */
  note(no: number, book: string): void {
    if (this.names[no] === book) return;
    const before = this.names[no];
    if (before !== undefined) this.#numbers.delete(before);
    this.names[no] = book;
    this.#numbers.set(book, no);
    this.#games[no] = 0;
  }

  /** A game has prices or statements of the book. */
  addGame(no: number): void {
    this.#games[no]!++;
  }

  removeGame(no: number): void {
    this.#games[no]!--;
  }
}
