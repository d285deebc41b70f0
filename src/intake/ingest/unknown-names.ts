// Names in messages that the catalogue does not know: they are accepted as new books, leagues, markets and teams, so
// whoever misspelled one is told.

import { LIMITS } from '../../base/model/limits.js';
import type { EventRef, NormalMessage, Rejection } from '../../base/model/normal-message.js';
import type { Unmatched, UnmatchedKind, UnmatchedReason } from '../../base/model/unmatched.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';

// What arrived and met nothing since the start: names that the catalogue does not know, parts that were refused, games
// that a feed left out. One entry for each, with how often and where it was seen.

type UnmatchedCounts = Record<UnmatchedReason, Partial<Record<UnmatchedKind, number>>>;

const ENTRIES_MAX = LIMITS.unmatchedEntries.max;
const BOOKS_MAX = LIMITS.unmatchedBooks.max;
const TEXT_MAX = LIMITS.unmatchedText.max;
/** Where a strict request rejects a message for a name, the name itself is noted. */
const STRICT = ' (strict)';

export class UnmatchedNotes {
  /** The one that was seen last is the last. */
  readonly #entries = new Map<string, Unmatched>();
  /** Of everything since the start, whether its entry is still here or not. */
  readonly counts: UnmatchedCounts = { unknown: {}, refused: {}, unlisted: {}, joined: {} };
  readonly #now: () => number;

  /** @param now Unix ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  list(): Unmatched[] {
    return [...this.#entries.values()];
  }

  named(reason: 'unknown' | 'unlisted', kind: UnmatchedKind, name: string, league: string | null, book: string): void {
    const text = name.slice(0, TEXT_MAX);
    this.#note(`${kind}|${league ?? ''}|${text}`, { kind, reason, name: text, league, why: null }, book);
  }

  /** Unknown teams of games that were joined to others by who plays them. */
  joined(names: readonly { league: string; name: string; meant: string; book: string }[]): void {
    for (const { league, name, meant, book } of names) {
      const text = name.slice(0, TEXT_MAX);
      const about = { kind: 'team', reason: 'joined', name: text, league, why: null, meant } as const;
      this.#note(`team|${league}|${text}`, about, book);
    }
  }

  /** @param raw the messages that the paths of the rejections are in */
  refused(raw: readonly unknown[], rejected: readonly Rejection[]): void {
    for (const { path, reason: why } of rejected) {
      if (why.endsWith(STRICT)) continue;
      const kind = kindOf(path);
      const { value, book } = valueAt(raw, path);
      const name = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, TEXT_MAX) : '';
      // Of prices nearly every one is another text.
      const which = kind === 'price' || kind === 'other' ? '' : name;
      this.#note(`${kind}!${why}|${which}`, { kind, reason: 'refused', name, league: null, why }, book);
    }
  }

  #note(
    key: string,
    about: Pick<Unmatched, 'kind' | 'reason' | 'name' | 'league' | 'why' | 'meant'>,
    book: string,
  ): void {
    const { kind, reason } = about;
    const counts = this.counts[reason];
    counts[kind] = (counts[kind] ?? 0) + 1;
    const nowMs = this.#now();
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!);
      entry = { books: [], times: 0, firstMs: nowMs, lastMs: nowMs, ...about };
    } else this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.name = about.name;
    // It was noted as unknown with the same message.
    if (reason === 'joined') Object.assign(entry, { reason, meant: about.meant });
    else entry.times++;
    entry.lastMs = nowMs;
    if (book !== '' && entry.books.length < BOOKS_MAX && !entry.books.includes(book)) entry.books.push(book);
  }
}

const KINDS: Readonly<Record<string, UnmatchedKind>> = {
  home_team: 'team',
  away_team: 'team',
  league: 'league',
  market_type: 'market',
  book: 'sportsbook',
  player_name: 'player',
  start_time: 'time',
  polled_at: 'time',
  last_seen_at: 'time',
  fetched_at: 'time',
  odds_american: 'price',
  odds_decimal: 'price',
};

/** By the last name of the path. */
function kindOf(path: string): UnmatchedKind {
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (Object.hasOwn(KINDS, field)) return KINDS[field]!;
  return field.startsWith('selections[') ? 'price' : 'other';
}

/** What a path of a rejection leads to, and the book of its message; paths of a single message begin in it. */
function valueAt(raw: readonly unknown[], path: string): { value: unknown; book: string } {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  const first = path.startsWith('[') ? Number(steps.shift()) : 0;
  let value: unknown = raw[first];
  const book = own(value, 'book');
  for (const step of steps) value = own(value, step);
  return { value, book: typeof book === 'string' ? book.slice(0, TEXT_MAX) : '' };
}

function own(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

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
