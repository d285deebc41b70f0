// A caller's book universe: its tier's books, narrowed by `sportsbook`. Everything a caller receives is computed within
// it.

import { withPlace } from '../../base/memory/grown.js';
import { ApiError } from '../../base/model/errors.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { isPrivateBook, privateBook } from '../../rules/catalogue/private-book.js';
import { checkBook } from '../../rules/catalogue/tier-refusals.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { Registry } from '../registry.js';

/** Numbers of a registry whose names pass a test; results are cached as long as numbers keep their meaning. */
export class NameSet {
  readonly #registry: Registry;
  readonly #test: (name: string) => boolean;
  #known = new Uint8Array(64);
  #generation = 0;

  constructor(registry: Registry, test: (name: string) => boolean) {
    this.#registry = registry;
    this.#test = test;
  }

  has(no: number): boolean {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation;
      this.#known.fill(0);
    }
    if (no >= this.#known.length) this.#known = withPlace(this.#known, no);
    let state = this.#known[no]!;
    if (state === 0) {
      state = this.#test(this.#registry.name(no)) ? 2 : 1;
      this.#known[no] = state;
    }
    return state === 2;
  }
}

export interface Universe {
  /** Equal keys mean equal universes. */
  key: string;
  tier: Tier;
  /** The requested books, canonical, or null for all of the tier. */
  requested: readonly string[] | null;
  /** Requested names that are no known book. */
  unknown: readonly string[];
  /** The book whose prices are the fair ones of its opportunities; the engine's own reference by default. */
  devigBook?: string;
  allows(book: string): boolean;
}

const bookSets = new WeakMap<Universe, { registry: Registry; books: NameSet }>();

/** The universe's books by number; for a tier's own universe the set is made once. */
export function booksIn(universe: Universe, registry: Registry): NameSet {
  const known = bookSets.get(universe);
  if (known?.registry === registry) return known.books;
  const books = new NameSet(registry, (book) => universe.allows(book));
  bookSets.set(universe, { registry, books });
  return books;
}

const tierUniverses = new WeakMap<Catalogue, Map<Tier, Universe>>();

/** All books of a tier: one shared object. */
function universeOfTier(catalogue: Catalogue, tier: Tier): Universe {
  let ofCatalogue = tierUniverses.get(catalogue);
  if (ofCatalogue === undefined) {
    ofCatalogue = new Map();
    tierUniverses.set(catalogue, ofCatalogue);
  }
  let universe = ofCatalogue.get(tier);
  if (universe === undefined) {
    universe = { key: tier, tier, requested: null, unknown: [], allows: (book) => catalogue.tierAllows(tier, book) };
    ofCatalogue.set(tier, universe);
  }
  return universe;
}

/**
 * The universe of a tier and a `sportsbook` filter (comma list, aliases allowed). Throws tier_restricted if a known
 * book is above the tier. Private books of the account are in it if they are named.
 */
export function universeOf(
  catalogue: Catalogue,
  tier: Tier,
  sportsbook: string | undefined,
  isKnown: (book: string) => boolean,
  account?: string,
): Universe {
  if (sportsbook === undefined) return universeOfTier(catalogue, tier);
  const requested = new Set<string>();
  const unknown: string[] = [];
  const names = splitList(sportsbook);
  for (const name of names) {
    const book = bookNamed(catalogue, name, isKnown, account);
    if (book === undefined) unknown.push(name);
    else if (isPrivateBook(book)) requested.add(book);
    else {
      checkBook(catalogue, tier, book, `sportsbook ${book}`, names);
      requested.add(book);
    }
  }
  const list = [...requested].sort();
  return { key: `${tier}|${list.join(',')}`, tier, requested: list, unknown, allows: (book) => requested.has(book) };
}

/** The same, its prices judged by a book's. */
export function judgedBy(universe: Universe, devigBook: string | null): Universe {
  if (devigBook === null) return universe;
  return { ...universe, key: JSON.stringify([universe.key, devigBook]), devigBook };
}

/** The id of the book that `devig_book` names. Throws ApiError if there is none, or it is above the tier. */
export function devigBookOf(
  catalogue: Catalogue,
  tier: Tier,
  name: string | undefined,
  isKnown: (book: string) => boolean,
  account: string | undefined,
): string | null {
  if (name === undefined) return null;
  const book = bookNamed(catalogue, name, isKnown, account);
  if (book === undefined) throw new ApiError('invalid_request', `devig_book: there is no sportsbook ${name}`);
  if (!isPrivateBook(book)) checkBook(catalogue, tier, book, `devig_book ${book}`);
  return book;
}

/** A known book's id: under its own name, a private one is found by its account alone, and before any other. */
function bookNamed(
  catalogue: Catalogue,
  name: string,
  isKnown: (book: string) => boolean,
  account: string | undefined,
): string | undefined {
  const book = catalogue.bookId(name);
  if (isPrivateBook(book)) return undefined;
  if (account !== undefined && isKnown(privateBook(book, account))) return privateBook(book, account);
  return isKnown(book) || catalogue.book(book) !== undefined ? book : undefined;
}

/** The parts of a comma list, trimmed, without empty ones. */
export function splitList(text: string): string[] {
  if (!text.includes(',')) {
    const only = text.trim();
    return only === '' ? [] : [only];
  }
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
