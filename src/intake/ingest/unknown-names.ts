// Names in messages that the catalogue does not know: they are accepted as new books, leagues, markets and teams, so
// whoever misspelled one is told.

import { LIMITS } from '../../base/model/limits.js';
import type { EventRef, NormalMessage } from '../../base/model/normal-message.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { UnmatchedNotes } from './unmatched.js';

export const NAME_KINDS = ['teams', 'leagues', 'markets', 'books'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export interface UnknownName {
  name: string;
  /** Of a team. */
  league?: string;
}

export type UnknownLists = Record<NameKind, UnknownName[]>;

const KIND_OF = { teams: 'team', leagues: 'league', markets: 'market', books: 'sportsbook' } as const;
/** Between two pauses. */
const STEP_NAMES = 200;
const LISTED_MAX = LIMITS.unknownNames.max;

/** The unknown names of the messages of one call. */
export class UnknownNames {
  readonly #catalogue: Catalogue;
  readonly #notes: UnmatchedNotes | undefined;
  #book = '';
  /** Different names, at most ten of a kind. */
  readonly lists: UnknownLists = { teams: [], leagues: [], markets: [], books: [] };
  /** Of all, repeated or not. */
  readonly counts: Record<NameKind, number> = { teams: 0, leagues: 0, markets: 0, books: 0 };

  /** @param notes where they are noted beyond the call */
  constructor(catalogue: Catalogue, notes?: UnmatchedNotes) {
    this.#catalogue = catalogue;
    this.#notes = notes;
  }

  /**
   * Returns the first unknown name of the message as a text for its sender; undefined if all are known. It pauses after
   * each few names.
   */
  *note(message: NormalMessage): Generator<void, string | undefined> {
    const { book, league, events, splits, futures, results, settlements = [] } = message;
    const first: string[] = [];
    this.#book = book;
    // The source of results need not be a book, whether or not these can be read.
    const isBook = results === undefined || [events, splits, futures, settlements].some((part) => part.length > 0);
    if (isBook && !message.model && !this.#catalogue.isKnownBook(book)) this.#add('books', { name: book }, first);
    if (league !== null) this.#noteLeague(league, first);
    let names = 0;
    for (const event of events) {
      if (++names % STEP_NAMES === 0) yield;
      this.#noteEvent(event, first);
      for (const { type } of event.markets) {
        if (++names % STEP_NAMES === 0) yield;
        if (!this.#catalogue.isKnownMarket(type)) this.#add('markets', { name: type }, first);
      }
    }
    for (const each of splits) this.#noteEvent(each, first);
    for (const each of results ?? []) this.#noteEvent(each, first);
    for (const each of settlements) {
      this.#noteEvent(each, first);
      if (!this.#catalogue.isKnownMarket(each.market)) this.#add('markets', { name: each.market }, first);
    }
    for (const future of futures) this.#noteLeague(future.league, first);
    return first[0];
  }

  #noteLeague(name: string, first: string[]): void {
    if (this.#catalogue.league(name) === undefined) this.#add('leagues', { name }, first);
  }

  #noteEvent({ league, eventId, home, away }: EventRef, first: string[]): void {
    // An event that is referred to by its id has been named before.
    if (eventId !== null) return;
    this.#noteLeague(league, first);
    if (this.#catalogue.teams(league).length === 0) return;
    if (!this.#catalogue.resolveTeam(league, home).known) this.#add('teams', { name: home, league }, first);
    if (!this.#catalogue.resolveTeam(league, away).known) this.#add('teams', { name: away, league }, first);
  }

  #add(kind: NameKind, unknown: UnknownName, first: string[]): void {
    this.counts[kind]++;
    this.#notes?.named('unknown', KIND_OF[kind], unknown.name, unknown.league ?? null, this.#book);
    if (first.length === 0) first.push(`unknown ${kind.slice(0, -1)} ${JSON.stringify(unknown.name)}`);
    const list = this.lists[kind];
    if (list.length >= LISTED_MAX) return;
    if (!list.some(({ name, league }) => name === unknown.name && league === unknown.league)) list.push(unknown);
  }
}
