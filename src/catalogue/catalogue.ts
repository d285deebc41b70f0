// The operator's data on sports, leagues, books, market types and teams, with the lookups that the pipeline makes for
// every price. Order is the files' order: ties between books go to the book listed first.

import type { Commission } from '../model/commission.js';
import { LIMITS } from '../model/limits.js';
import { LocalCalendar } from './local-date.js';
import { expandMarkets, type MarketFilter } from './market-filter.js';
import { foldBook, foldId } from './name-folding.js';
import { foldName, slug } from './team-name.js';
import {
  type BookEntry,
  type CatalogueData,
  type LeagueEntry,
  type MarketTypeEntry,
  type ResolvedTeam,
  type SportEntry,
  type TeamEntry,
  TIERS,
  type Tier,
} from './types.js';

/** Resolved names cached over all leagues; when it is full the cache is cleared. */
const RESOLVED_MAX = LIMITS.resolvedNames.max;
/** Tier from which on callers see books that are not in the catalogue. */
const UNLISTED_TIER: Tier = 'sharp';

export interface SportMatch {
  sports: Set<string>;
  /** Aliases shared by several sports. */
  unknown: string[];
}

/** Commissions of books that a built-in feed brings and the catalogue does not list. */
const UNLISTED_COMMISSIONS: ReadonlyMap<string, Commission> = new Map([
  ['polymarket', { model: 'contract', rate: 0.03 }],
]);

export class Catalogue {
  /** The data it is made of: passed to other threads, which then need not read and check the files again. */
  readonly data: CatalogueData;
  readonly sports: readonly SportEntry[];
  readonly leagues: readonly LeagueEntry[];
  readonly books: readonly BookEntry[];
  readonly marketTypes: readonly MarketTypeEntry[];
  readonly #sports = new Map<string, SportEntry>();
  readonly #sportNames = new Map<string, string[]>();
  readonly #leagues = new Map<string, LeagueEntry>();
  readonly #leagueNames = new Map<string, LeagueEntry>();
  readonly #leaguePrefixes: [prefix: string, league: LeagueEntry][] = [];
  readonly #books = new Map<string, BookEntry>();
  readonly #bookNames = new Map<string, BookEntry>();
  readonly #bookOrder = new Map<string, number>();
  readonly #marketTypes = new Map<string, MarketTypeEntry>();
  readonly #teams: ReadonlyMap<string, readonly TeamEntry[]>;
  /** League id -> folded name -> team; filled per league on first use. */
  readonly #teamNames = new Map<string, Map<string, ResolvedTeam>>();
  readonly #resolved = new Map<string, Map<string, ResolvedTeam>>();
  #resolvedCount = 0;
  /** By league; leagues of one time zone share an instance. */
  readonly #calendars = new Map<string, LocalCalendar>();
  readonly #zones = new Map<string, LocalCalendar>();
  readonly #utc = new LocalCalendar('UTC');
  /** Set by the operator, by book id. */
  readonly #commissions = new Map<string, Commission | null>();
  readonly #tierBooks = new Map<Tier, string[]>();

  /** `data` must have passed crossCheck. */
  constructor(data: CatalogueData) {
    this.data = data;
    this.sports = data.sports;
    this.leagues = data.leagues;
    this.books = data.books;
    this.marketTypes = data.marketTypes;
    this.#teams = data.teams;
    for (const sport of data.sports) this.#addSport(sport);
    for (const league of data.leagues) this.#addLeague(league);
    for (const book of data.books) this.#addBook(book);
    for (const [name, commission] of Object.entries(data.commissions ?? {}))
      this.#commissions.set(this.bookId(name), commission);
    for (const type of data.marketTypes) this.#marketTypes.set(type.id, type);
    for (const tier of TIERS)
      this.#tierBooks.set(
        tier,
        data.books.filter((book) => rank(tier) >= rank(book.requiresTier)).map((book) => book.id),
      );
  }

  sport(id: string): SportEntry | undefined {
    return this.#sports.get(id);
  }

  league(id: string): LeagueEntry | undefined {
    return this.#leagues.get(id);
  }

  marketType(id: string): MarketTypeEntry | undefined {
    return this.#marketTypes.get(id);
  }

  /** By id, name or alias; case, blanks, dots, hyphens and underscores are ignored. */
  book(idOrAlias: string): BookEntry | undefined {
    return this.#books.get(idOrAlias) ?? this.#bookNames.get(foldBook(idOrAlias));
  }

  /** The id of a book by id, name or alias; a name outside the catalogue is an id, in lower case. */
  bookId(name: string): string {
    return this.book(name)?.id ?? name.trim().toLowerCase();
  }

  /** Display name; the id for a book outside the catalogue. Takes an id, not an alias. */
  bookName(id: string): string {
    return this.#books.get(id)?.name ?? id;
  }

  /** Index in the catalogue, from 0; books outside it come after all listed ones. Takes an id, not an alias. */
  bookOrder(id: string): number {
    return this.#bookOrder.get(id) ?? this.books.length;
  }

  /**
   * The book whose prices a book shows. A book outside the catalogue whose id is that of a listed one with a suffix
   * (`hardrockbet_az`, `unibet_nl`) shows the listed one's; any other is its own owner.
   */
  ownerOf(bookId: string): string {
    for (const id of idsBefore(bookId)) {
      const book = this.#books.get(id);
      if (book !== undefined) return book.owner;
    }
    return bookId;
  }

  /** The book's commission, null if it has none; suffixes as in `ownerOf`. */
  commissionOf(bookId: string): Commission | null {
    for (const id of idsBefore(bookId)) {
      const set = this.#commissions.get(id);
      if (set !== undefined) return set;
      const unlisted = UNLISTED_COMMISSIONS.get(id);
      if (unlisted !== undefined) return unlisted;
      const book = this.#books.get(id);
      if (book !== undefined)
        return book.commission === undefined || book.commission.rate === 0 ? null : book.commission;
    }
    return null;
  }

  /** Whether `commissionOf` was set by the operator. */
  isCommissionSet(bookId: string): boolean {
    return [...idsBefore(bookId)].some((id) => this.#commissions.has(id));
  }

  /** By id or alias, among them The Odds API's sport keys. Undefined outside the catalogue. */
  leagueOf(alias: string): LeagueEntry | undefined {
    const known = this.#leagues.get(alias);
    if (known !== undefined) return known;
    const name = foldId(alias);
    return this.#leagueNames.get(name) ?? this.#leaguePrefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
  }

  /** The league's teams; empty if the catalogue does not list them. */
  teams(league: string): readonly TeamEntry[] {
    return this.#teams.get(league) ?? [];
  }

  /**
   * The team a name means in a league (its id), else the slugged name with `known: false`. The token matches
   * `[a-z0-9-]+`, and resolving a token returns the same token.
   */
  resolveTeam(league: string, name: string): ResolvedTeam {
    let names = this.#resolved.get(league);
    const before = names?.get(name);
    if (before !== undefined) return before;
    const team = this.#lookUpTeam(league, name);
    if (this.#resolvedCount >= RESOLVED_MAX) {
      this.#resolved.clear();
      this.#resolvedCount = 0;
      names = undefined;
    }
    if (names === undefined) {
      names = new Map();
      this.#resolved.set(league, names);
    }
    names.set(name, team);
    this.#resolvedCount++;
    return team;
  }

  /** `YYYY-MM-DD` of a Unix time (ms) in the league's home zone; UTC for a league outside the catalogue. */
  localDate(leagueId: string, unixMs: number): string {
    return (this.#calendars.get(leagueId) ?? this.#utc).date(unixMs);
  }

  /** Market types of a `market` filter's names: exact types and the aliases main, spread, total and props. */
  expandMarkets(names: readonly string[]): MarketFilter {
    return expandMarkets(names);
  }

  /**
   * A `sport` filter's names as sport ids. A name is an id, another name of one sport (`icehockey`), or a category
   * that several sports list among their aliases: `us_major` (football, basketball, baseball, hockey), `combat` (MMA,
   * boxing), `racket` (tennis, table tennis). `football` is American football.
   */
  sportsMatching(names: readonly string[]): SportMatch {
    const sports = new Set<string>();
    const unknown: string[] = [];
    for (const name of names) {
      const ids = this.#sportNames.get(foldId(name));
      if (ids === undefined) unknown.push(name);
      else for (const id of ids) sports.add(id);
    }
    return { sports, unknown };
  }

  /** Ids of the listed books that a tier sees, in catalogue order. From Sharp up a caller also sees unlisted ones. */
  tierBooks(tier: Tier): readonly string[] {
    return this.#tierBooks.get(tier) ?? [];
  }

  /** Takes an id, not an alias. */
  tierAllows(tier: Tier, bookId: string): boolean {
    return rank(tier) >= rank(this.#books.get(bookId)?.requiresTier ?? UNLISTED_TIER);
  }

  #lookUpTeam(league: string, name: string): ResolvedTeam {
    const token = slug(name);
    const known = this.#namesIn(league)?.get(foldName(token));
    return known ?? { token, name: name.trim(), known: false };
  }

  #namesIn(league: string): Map<string, ResolvedTeam> | undefined {
    const teams = this.#teams.get(league);
    let names = this.#teamNames.get(league);
    if (names === undefined && teams !== undefined) {
      names = teamNames(teams);
      this.#teamNames.set(league, names);
    }
    return names;
  }

  #addSport(sport: SportEntry): void {
    this.#sports.set(sport.id, sport);
    for (const name of new Set([sport.id, ...sport.aliases].map(foldId))) {
      const ids = this.#sportNames.get(name);
      if (ids === undefined) this.#sportNames.set(name, [sport.id]);
      else ids.push(sport.id);
    }
  }

  #addLeague(league: LeagueEntry): void {
    this.#leagues.set(league.id, league);
    const calendar = this.#zones.get(league.timeZone) ?? new LocalCalendar(league.timeZone);
    this.#zones.set(league.timeZone, calendar);
    this.#calendars.set(league.id, calendar);
    for (const alias of [league.id, ...league.aliases]) {
      if (alias.endsWith('*')) this.#leaguePrefixes.push([`${foldId(alias.slice(0, -1))}-`, league]);
      else this.#leagueNames.set(foldId(alias), league);
    }
  }

  #addBook(book: BookEntry): void {
    this.#bookOrder.set(book.id, this.#books.size);
    this.#books.set(book.id, book);
    for (const name of [book.id, book.name, book.displayName, ...book.aliases])
      this.#bookNames.set(foldBook(name), book);
  }
}

/** A book's id, then the id without its last suffix, without its last two, … */
function* idsBefore(bookId: string): Iterable<string> {
  let id = bookId;
  yield id;
  for (let end = id.lastIndexOf('_'); end >= 0; end = id.lastIndexOf('_')) {
    id = id.slice(0, end);
    yield id;
  }
}

function rank(tier: Tier): number {
  return TIERS.indexOf(tier);
}

function teamNames(teams: readonly TeamEntry[]): Map<string, ResolvedTeam> {
  const names = new Map<string, ResolvedTeam>();
  for (const team of teams) {
    const resolved: ResolvedTeam = { token: team.id, name: team.name, known: true };
    for (const name of [team.id, team.name, ...team.aliases]) names.set(foldName(name), resolved);
  }
  return names;
}
