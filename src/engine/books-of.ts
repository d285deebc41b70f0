// The properties of books and market types that a table needs, from the catalogue.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { TableOptions } from '../table/table.js';

export function booksOf(catalogue: Catalogue) {
  return {
    bookOrder: (book) => catalogue.bookOrder(book),
    bookName: (book) => catalogue.bookName(book),
    types: catalogue.types,
    commissionOf: (book) => catalogue.commissionOf(book),
    ownerOf: (book) => catalogue.ownerOf(book),
    bookRulesOf: (book) => catalogue.rulesOf(book),
    rates: catalogue.rates,
  } satisfies TableOptions;
}
