// The operator's data on sports, leagues, books, market types and teams, with the lookups that the pipeline makes for
// every price. Order is the files' order: ties between books go to the book listed first.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Commission } from '../../base/model/commission.js';
import { LIMITS } from '../../base/model/limits.js';
import { DEFAULT_CURRENCY, type Rates } from '../../base/model/money.js';
import { isHalfOrNone } from '../markets/derive.js';
import { ALL, HouseRuleTable } from '../markets/house-rules.js';
import { MarketTypes } from '../markets/market-types.js';
import type { BookEntry, CatalogueData, LeagueEntry, MarketTypeEntry, SportEntry, TeamEntry } from './file-schema.js';
import { LocalCalendar } from './local-date.js';
import { PERSON_SPORTS } from './person-name.js';
import { isPrivateBook } from './private-book.js';
import { shownMark, squadIn } from './squads.js';
import { foldBook, foldId, foldName, slug } from './team-name.js';
import { UNLISTED_TIER } from './tiers.js';
import { type BookRules, type ResolvedTeam, TIERS, type Tier } from './types.js';

/** A hold of any length is better than none: a price that a bot alone sees is not there for it. */
const BET_DELAY_S = 5;
/** Resolved names cached over all leagues; when it is full the cache is cleared. */
const RESOLVED_MAX = LIMITS.resolvedNames.max;

export interface SportMatch {
  sports: Set<string>;
  /** Aliases shared by several sports. */
  unknown: string[];
}

export class Catalogue {
  /** The data it is made of: passed to other threads, which then need not read and check the files again. */
  readonly data: CatalogueData;
  readonly sports: readonly SportEntry[];
  readonly leagues: readonly LeagueEntry[];
  /** Those that are listed. */
  readonly books: readonly BookEntry[];
  /** Those of which only matters of money are known: who makes their prices, what they charge. */
  readonly unlistedBooks: readonly BookEntry[];
  /** US dollars for one unit of a currency, as the operator states them. */
  readonly rates: Rates;
  readonly marketTypes: readonly MarketTypeEntry[];
  /** The rules of every market type, listed or not. */
  readonly types: MarketTypes;
  /** What differs between books in how a bet ends: by book, sport, league and family of market types. */
  readonly houseRules: HouseRuleTable;
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
  readonly #currencies = new Map<string, string>();
  readonly #unlisted: ReadonlySet<string>;
  readonly #tierBooks = new Map<Tier, string[]>();

  /** `data` must have passed crossCheck. */
  constructor(data: CatalogueData) {
    this.data = data;
    this.sports = data.sports;
    this.leagues = data.leagues;
    this.books = data.books;
    this.marketTypes = data.marketTypes;
    this.types = new MarketTypes(data.marketTypes, data.leagues, LIMITS.marketTypes.max);
    const teams = new Map<string, readonly TeamEntry[]>(data.teams);
    for (const { id, teamsOf = [] } of data.leagues) {
      const shared = entrants(data.teams, id, [teamsOf].flat());
      if (shared.length > 0) teams.set(id, shared);
    }
    this.#teams = teams;
    for (const sport of data.sports) this.#addSport(sport);
    for (const league of data.leagues) this.#addLeague(league);
    for (const book of data.books) {
      this.#bookOrder.set(book.id, this.#bookOrder.size);
      this.#addBook(book);
    }
    this.unlistedBooks = data.unlistedBooks;
    for (const book of data.unlistedBooks) this.#addBook(book);
    this.#unlisted = new Set(data.unlistedBooks.map(({ id }) => id));
    this.houseRules = new HouseRuleTable(data.houseRules, (book) => this.#entryOf(book) ?? { id: book, owner: book });
    this.rates = data.rates ?? {};
    for (const [name, commission] of Object.entries(data.commissions ?? {}))
      this.#commissions.set(this.bookId(name), commission);
    for (const [name, currency] of Object.entries(data.currencies ?? {}))
      this.#currencies.set(this.bookId(name), currency);
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

  /** Whether the catalogue lists the type, or the one that a contract venue's own strikes are of. */
  isKnownMarket(type: string): boolean {
    return this.#marketTypes.has(this.types.base(type));
  }

  /** By id, name or alias, listed or not; case, blanks, dots, hyphens and underscores are ignored. */
  book(idOrAlias: string): BookEntry | undefined {
    return this.#books.get(idOrAlias) ?? this.#bookNames.get(foldBook(idOrAlias));
  }

  /** The id of a book by id, name or alias; a name outside the catalogue is an id, in lower case. */
  bookId(name: string): string {
    return this.book(name)?.id ?? name.trim().toLowerCase();
  }

  /** Whether the book is not listed: known at most for what it charges and who makes its prices. Takes an id. */
  isUnlisted(id: string): boolean {
    return this.#unlisted.has(id) || !this.#books.has(id);
  }

  /** Display name; the id for a book outside the catalogue. Takes an id, not an alias. */
  bookName(id: string): string {
    return this.#books.get(id)?.name ?? id;
  }

  /** Index in the catalogue, from 0; unlisted books come after all listed ones. Takes an id, not an alias. */
  bookOrder(id: string): number {
    return this.#bookOrder.get(id) ?? this.books.length;
  }

  /**
   * Who makes the book's prices. A book outside the catalogue whose id is that of a known one with a suffix
   * (`hardrockbet_nj`, `unibet_dk`) shows that one's; any other is its own owner.
   */
  ownerOf(bookId: string): string {
    return this.#entryOf(bookId)?.owner ?? bookId;
  }

  /** Whether the book's prices are a reference for others'. */
  isSharp(id: string): boolean {
    return this.book(id)?.isSharp === true;
  }

  /** Whether the catalogue has the book, or one whose prices it shows; suffixes as in `ownerOf`. */
  isKnownBook(bookId: string): boolean {
    return this.#entryOf(bookId) !== undefined;
  }

  /** The entry of the book or, if it has none, of the listed one whose prices it shows (`ownerOf`). */
  #entryOf(bookId: string): BookEntry | undefined {
    for (const id of idsBefore(bookId)) {
      const book = this.book(id);
      if (book !== undefined) return book;
    }
    return undefined;
  }

  /** ISO 4217 code of the book's stakes, sizes and limits; suffixes as in `ownerOf`. */
  currencyOf(bookId: string): string {
    return this.#stated(this.#currencies, bookId) ?? this.#entryOf(bookId)?.currency ?? DEFAULT_CURRENCY;
  }

  /** What can be staked at the book, and where it settles otherwise than its peers; suffixes as in `ownerOf`. */
  rulesOf(bookId: string): BookRules {
    const { minStake = 0, stakeStep = 0, contracts = 0, settles, feesVary = false } = this.#entryOf(bookId) ?? {};
    const half = this.houseRules.of(bookId, ALL, '').winner.tie === 'half';
    const ways: BookRules['settles'] = { ...(half ? { tie: 'half' } : {}), ...settles };
    const money = { currency: this.currencyOf(bookId), minStake, stakeStep, contracts };
    return { ...money, settles: ways, feesVary: feesVary && !this.isCommissionSet(bookId) };
  }

  /** Seconds that the book holds a bet in play, or that any book does of which none are known; suffixes as in `ownerOf`. */
  betDelayOf(bookId: string): number {
    return this.#entryOf(bookId)?.betDelay ?? BET_DELAY_S;
  }

  /** The book's commission, null if it has none; suffixes as in `ownerOf`. */
  commissionOf(bookId: string): Commission | null {
    const set = this.#stated(this.#commissions, bookId);
    if (set !== undefined) return set;
    const commission = this.#entryOf(bookId)?.commission;
    return commission === undefined || commission.rate === 0 ? null : commission;
  }

  /** Whether `commissionOf` was set by the operator. */
  isCommissionSet(bookId: string): boolean {
    return this.#stated(this.#commissions, bookId) !== undefined;
  }

  /** Whether it is known what the book charges: a listed one, or one with a commission, be it 0. */
  isCommissionKnown(bookId: string): boolean {
    return !this.isUnlisted(bookId) || this.isCommissionSet(bookId) || this.#entryOf(bookId)?.commission !== undefined;
  }

  /** What the operator states of the book, or of the listed one whose prices it shows before that one's own entry. */
  #stated<Value>(settings: ReadonlyMap<string, Value>, bookId: string): Value | undefined {
    if (settings.size === 0) return undefined;
    for (const id of idsBefore(bookId)) {
      const book = this.book(id);
      const set = settings.get(book?.id ?? id);
      if (set !== undefined || book !== undefined) return set;
    }
    return undefined;
  }

  /** Whether the book sells contracts that pay in full or not at all; suffixes as in `ownerOf`. */
  sellsContracts(bookId: string): boolean {
    return this.#entryOf(bookId)?.contracts !== undefined;
  }

  /**
   * The type of a book's bet at a line. Books' bets push on a whole or quarter line; a contract venue's do not, so its
   * strikes there are of a type of their own and never pair with a book's line.
   */
  typeAt(type: string, bookId: string, line: number | null): string {
    if (isHalfOrNone(line) || !this.sellsContracts(bookId)) return type;
    return this.types.usual(type).line === 'none' ? type : this.types.contract(type, bookId);
  }

  /** By id or alias, among them The Odds API's sport keys. Undefined outside the catalogue. */
  leagueOf(alias: string): LeagueEntry | undefined {
    const known = this.#leagues.get(alias);
    if (known !== undefined) return known;
    const name = foldId(alias);
    return this.#leagueNames.get(name) ?? this.#leaguePrefixes.find(([prefix]) => name.startsWith(prefix))?.[1];
  }

  /** Whether games are joined by who plays them, too (roster.ts). */
  get joinsByRoster(): boolean {
    return this.data.match === 'roster';
  }

  /** The league's teams; empty if the catalogue does not list them. */
  teams(league: string): readonly TeamEntry[] {
    return this.#teams.get(league) ?? [];
  }

  /** Whether a name that is not listed may be a team's: a league without a list, or one that is open. */
  takesAnyTeam(league: string): boolean {
    return this.teams(league).length === 0 || this.#leagues.get(league)?.open === true;
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

  /** Ids of the books that a tier sees, in catalogue order; null means every book, listed or not. */
  booksOf(tier: Tier): readonly string[] | null {
    return this.tierAllows(tier, '') ? null : this.tierBooks(tier);
  }

  /** Ids of the listed books that a tier sees, in catalogue order. From Sharp up a caller also sees unlisted ones. */
  tierBooks(tier: Tier): readonly string[] {
    return this.#tierBooks.get(tier) ?? [];
  }

  /** Takes an id, not an alias. */
  tierAllows(tier: Tier, bookId: string): boolean {
    if (isPrivateBook(bookId)) return false;
    return rank(tier) >= rank(this.#books.get(bookId)?.requiresTier ?? UNLISTED_TIER);
  }

  #lookUpTeam(league: string, name: string): ResolvedTeam {
    const token = slug(name);
    const names = this.#namesIn(league);
    const known = names?.get(foldName(token));
    if (known !== undefined) return known;
    return this.#lookUpSquad(league, name, token, names) ?? { token, name: name.trim(), known: false };
  }

  /** A club's women, youth or reserves: one team whatever the mark's spelling, and never the first one. */
  #lookUpSquad(
    league: string,
    name: string,
    slugged: string,
    names: ReadonlyMap<string, ResolvedTeam> | undefined,
  ): ResolvedTeam | undefined {
    if (PERSON_SPORTS.has(this.#leagues.get(league)?.sport ?? '')) return undefined;
    const clubOf = (base: string): ResolvedTeam | undefined => names?.get(foldName(slug(base)));
    const isTeam = (base: string): boolean => clubOf(base) !== undefined;
    // Whatever stands before the mark, as in `Ajax: U21`: it is a hyphen in the token.
    const squad = squadIn(name, isTeam) ?? squadIn(slugged, isTeam);
    if (squad === undefined) return undefined;
    const { base, mark } = squad;
    const club = clubOf(base);
    const token = slug(`${club?.token ?? slug(base)}-${mark}`);
    return { token, name: club === undefined ? name.trim() : `${club.name} ${shownMark(mark)}`, known: false };
  }

  #namesIn(league: string): Map<string, ResolvedTeam> | undefined {
    const teams = this.#teams.get(league);
    let names = this.#teamNames.get(league);
    if (names === undefined && teams !== undefined) {
      const own = this.data.teams.get(league) ?? [];
      names = teamNames(teams, own.length === 0 ? teams : own);
      this.#teamNames.set(league, names);
    }
    return names;
  }

  #addSport(sport: SportEntry): void {
    this.#sports.set(sport.id, sport);
    for (const name of new Set([sport.id, ...sport.aliases].map(foldId))) {
      getOrInsert(this.#sportNames, name, () => []).push(sport.id);
    }
  }

  #addLeague(league: LeagueEntry): void {
    this.#leagues.set(league.id, league);
    const calendar = getOrInsert(this.#zones, league.timeZone, () => new LocalCalendar(league.timeZone));
    this.#calendars.set(league.id, calendar);
    for (const alias of [league.id, ...league.aliases]) {
      if (alias.endsWith('*')) this.#leaguePrefixes.push([`${foldId(alias.slice(0, -1))}-`, league]);
      else this.#leagueNames.set(foldId(alias), league);
    }
  }

  #addBook(book: BookEntry): void {
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

/** A league's own teams, and those of the leagues whose teams may play there: one that is in two of them is one team. */
function entrants(
  teams: ReadonlyMap<string, readonly TeamEntry[]>,
  league: string,
  others: readonly string[],
): readonly TeamEntry[] {
  const own = teams.get(league) ?? [];
  if (others.length === 0) return own;
  if (own.length === 0 && others.length === 1) return teams.get(others[0]!) ?? own;
  const found = new Map(own.map((team) => [team.id, team]));
  for (const other of others)
    for (const team of teams.get(other) ?? []) {
      const known = found.get(team.id);
      if (known === undefined) found.set(team.id, team);
      else if (!own.includes(known)) found.set(team.id, withNames(known, team));
    }
  return [...found.values()];
}

function withNames(team: TeamEntry, { name, aliases }: TeamEntry): TeamEntry {
  return { ...team, aliases: [...new Set([...team.aliases, name, ...aliases])] };
}

/** @param own whose names count before those of teams that come from other leagues: a name that two of these have is neither's */
function teamNames(teams: readonly TeamEntry[], own: readonly TeamEntry[]): Map<string, ResolvedTeam> {
  const names = new Map<string, ResolvedTeam>();
  const shared = new Set<string>();
  for (const team of [...own, ...teams.filter((one) => !own.includes(one))]) {
    const isOwn = own.includes(team);
    const resolved: ResolvedTeam = { token: team.id, name: team.name, known: true };
    for (const name of [team.id, team.name, ...team.aliases].map(foldName)) {
      const before = names.get(name);
      if (before === undefined) names.set(name, resolved);
      else if (before.token !== team.id && !isOwn && !own.some(({ id }) => id === before.token)) shared.add(name);
    }
  }
  for (const name of shared) names.delete(name);
  return names;
}
