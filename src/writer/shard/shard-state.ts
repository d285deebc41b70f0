// The state that applying messages works on: a shard's memory, the catalogue, and the position of the current batch.

import type { Interner } from '../../base/memory/detached-text.js';
import { LIMITS } from '../../base/model/limits.js';
import type { RowIdentity } from '../../base/model/row.js';
import type { ShardRowNumbers } from '../../base/model/shard-row.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import type { FutureDelta } from '../../log/delta/delta.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { NAMED_BY_TYPE } from '../../rules/catalogue/selection-name.js';
import type { EventIndex } from './match.js';

export interface ShardState {
  events: EventIndex;
  /** Newest league-wide poll of a book, Unix µs, by `league|book`. */
  leaguePolls: Map<string, number>;
  /** By their number in this shard's store. */
  books: BookNumbers;
  /** Names of its rows and games. */
  names: UsedNames;
  futures: KnownFutures;
  rowCount: number;
  /** Of all rows, by row number. */
  numbers: ShardRowNumbers;
  /** Texts shared by the rows of many books and events. */
  texts: Interner;
  /** Incremented with every message: rows and quotes store the last one that contained them. */
  serial: number;
  nextEventNo: number;
  allocateRowNo(): number;
  /** Changed by this batch. */
  dirtyEvents: Set<EventState>;
  dirtyBooks: Set<BookQuotes>;
  dirtyLeaguePolls: Set<string>;
}

export interface ApplyContext {
  catalogue: Catalogue;
  state: ShardState;
  /** Position of the current batch (Unix µs). */
  position: number;
  /** New rows and games that the batch still has room for; a game that it has begun is finished. */
  room: number;
}

/** A game that is dropped leaves nothing behind in the state. */
export function forget({ events, names, books, dirtyEvents }: ShardState, event: EventState): void {
  events.remove(event);
  names.countGame(event, -1);
  for (const { bookNo } of event.books.values()) books.removeGame(bookNo);
  dirtyEvents.delete(event);
}

// The numbers of books in a shard's store. There are only so many: where none is left, the least of those whose book no
// game has any more is used again. Which book has which number is no other process's matter; whether there is one is, and
// follows from the games alone.

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

// The futures markets that a shard's books list, as far as their bound needs them: how many selections each has, and
// which were polled the longest ago. Nothing else ends them, so that last year's make room for this year's.

interface KnownFuture {
  /** Without its selections. */
  readonly entry: FutureDelta;
  readonly selections: number;
}

export class KnownFutures {
  /** By league, market and book; the one that was listed the longest ago is the first. */
  readonly #known = new Map<string, KnownFuture>();
  /** In all; a market without any counts as one. */
  #selections = 0;

  load(entries: Iterable<FutureDelta>): void {
    for (const entry of [...entries].sort((a, b) => a.polledMs - b.polledMs)) this.take(entry);
  }

  /** What a book lists now, or that it is forgotten. */
  take(entry: FutureDelta): void {
    const { book, future } = entry;
    const key = `${future.league}|${future.market}|${book}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      if (known.entry.polledMs > entry.polledMs) return;
      this.#known.delete(key);
      this.#selections -= known.selections;
    }
    if (entry.forgotten === true) return;
    const selections = Math.max(1, future.quotes.length);
    this.#known.set(key, { entry: { ...entry, future: { ...future, quotes: [] } }, selections });
    this.#selections += selections;
  }

  /** Forgets those listed the longest ago while there are too many selections, never the last one: as deltas tell it. */
  *overflow(): Iterable<FutureDelta> {
    for (const { entry } of [...this.#oldest()]) {
      const forgotten: FutureDelta = { ...entry, forgotten: true };
      this.take(forgotten);
      yield forgotten;
    }
  }

  *#oldest(): Iterable<KnownFuture> {
    let over = this.#selections - LIMITS.futureSelections.max;
    let others = this.#known.size - 1;
    for (const known of this.#known.values()) {
      if (over <= 0 || others-- === 0) return;
      over -= known.selections;
      yield known;
    }
  }
}

// How many different names the rows and games of a shard have. Every process keeps something for each, so a name beyond
// the bounds is refused before anything is committed; what no row or game has any more makes room.

class NameCounts {
  readonly #uses = new Map<string, number>();
  readonly #max: number;
  readonly #what: string;

  constructor(max: number, what: string) {
    this.#max = max;
    this.#what = what;
  }

  /** Why a name is refused; undefined if it may be added. */
  refusal(name: string): string | undefined {
    return this.#uses.size < this.#max || this.#uses.has(name) ? undefined : `more than ${this.#max} ${this.#what}`;
  }

  /** @param by 1 or -1 */
  count(name: string, by: number): void {
    const uses = (this.#uses.get(name) ?? 0) + by;
    if (uses > 0) this.#uses.set(name, uses);
    else this.#uses.delete(name);
  }
}

/** The names of a row that count. */
type NamedRow = Pick<RowIdentity, 'market' | 'selection' | 'selectionType' | 'player'>;
/** The names of a game that count. */
interface NamedGame {
  league: string;
  homeToken: string;
  awayToken: string;
}

/** What the catalogue lists. */
interface Listed {
  marketType(id: string): unknown;
  league(id: string): unknown;
}

export class UsedNames {
  readonly #listed: Listed;
  readonly #types = new NameCounts(LIMITS.unlistedTypes.max, 'types of markets that the catalogue lacks');
  readonly #players = new NameCounts(LIMITS.players.max, 'players with prices');
  readonly #selections = new NameCounts(LIMITS.selections.max, 'selections that are named');
  readonly #teams = new NameCounts(LIMITS.teams.max, 'teams with games');
  readonly #leagues = new NameCounts(LIMITS.unlistedLeagues.max, 'leagues with games that the catalogue lacks');

  constructor(listed: Listed) {
    this.#listed = listed;
  }

  /** Why a row is refused; undefined if its names may be added. */
  rowRefusal(row: NamedRow): string | undefined {
    return (
      (this.#isListed(row) ? undefined : this.#types.refusal(row.market)) ??
      (row.player === null ? undefined : this.#players.refusal(row.player)) ??
      (NAMED_BY_TYPE.has(row.selectionType) ? undefined : this.#selections.refusal(row.selection))
    );
  }

  /** @param by 1 for a row that comes, -1 for one that goes */
  countRow(row: NamedRow, by: number): void {
    if (!this.#isListed(row)) this.#types.count(row.market, by);
    if (row.player !== null) this.#players.count(row.player, by);
    if (!NAMED_BY_TYPE.has(row.selectionType)) this.#selections.count(row.selection, by);
  }

  /** Why a game is refused; undefined if its names may be added. */
  gameRefusal({ league, homeToken, awayToken }: NamedGame): string | undefined {
    return (
      (this.#listed.league(league) === undefined ? this.#leagues.refusal(league) : undefined) ??
      this.#teams.refusal(`${league}|${homeToken}`) ??
      this.#teams.refusal(`${league}|${awayToken}`)
    );
  }

  countGame({ league, homeToken, awayToken }: NamedGame, by: number): void {
    if (this.#listed.league(league) === undefined) this.#leagues.count(league, by);
    this.#teams.count(`${league}|${homeToken}`, by);
    this.#teams.count(`${league}|${awayToken}`, by);
  }

  #isListed({ market }: NamedRow): boolean {
    return this.#listed.marketType(market) !== undefined;
  }
}
