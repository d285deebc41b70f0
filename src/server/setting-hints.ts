// Warnings about settings that can be right or misspelled: a book outside the catalogue may be the operator's own.

import type { Config } from '../config/config.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { NearestNames } from '../rules/catalogue/nearest-names.js';
import type { Log } from './observe/log.js';

export function warnOfUnknownBooks({ commissions }: Config, catalogue: Catalogue, log: Log): void {
  const near = new NearestNames(catalogue);
  for (const book of Object.keys(commissions))
    if (!catalogue.isKnownBook(catalogue.bookId(book)))
      log.warn(
        { book, nearest: near.books(book) },
        '--commission names a book that is not in the catalogue: it applies to odds pushed under that name',
      );
}
