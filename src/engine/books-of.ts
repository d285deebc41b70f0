// The properties of books that a table needs, from the catalogue.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { TableOptions } from '../table/table.js';

export function booksOf(catalogue: Catalogue) {
  return {
    bookOrder: (book) => catalogue.bookOrder(book),
    bookName: (book) => catalogue.bookName(book),
    commissionOf: (book) => catalogue.commissionOf(book),
  } satisfies TableOptions;
}
