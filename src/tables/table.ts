// The odds table as readers see it: a mirror of the shards' rows in memory, in columns, updated by the change log's
// deltas. A row's JSON is composed from them where it is served.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { type Commission, chargeOf, netDecimal } from '../base/model/commission.js';
import { compareLine, compareText } from '../base/model/compare.js';
import { IdIndex } from '../base/model/id-index.js';
import { LIMITS } from '../base/model/limits.js';
import type { Rates } from '../base/model/money.js';
import { RowChange, type RowIdentity, type RowNumbers, type RowRest } from '../base/model/row.js';
import type { BookHead } from '../base/model/row-json.js';
import {
  type BookDelta,
  type OpenDelta,
  type ReadRow,
  RowDeltaReader,
  type TableDelta,
  type Touch,
} from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { BookRules } from '../rules/catalogue/types.js';
import type { RulesByFamily } from '../rules/markets/house-rules.js';
import type { TypeRules } from '../rules/markets/rules.js';
import { Columns, isMainLine, readRest, writeIdentity, writeNumbers, writePrice, writeRest } from './columns.js';
import { Depths } from './depths.js';
import { EventList, type TableEvent } from './events.js';
import { Registry } from './registry.js';
import { RowComposer } from './row-composer.js';
import { type Tombstone, Tombstones } from './tombstones.js';

/** What a delta did, for the broadcaster: slots in use after it, and tombstones. */
export interface Applied {
  position: number;
  books: AppliedBook[];
  events: TableEvent[];
}

export interface AppliedBook {
  event: TableEvent;
  book: number;
  updated: number[];
  /** Fields that no stream delta carries have changed: the whole row must be sent. */
  restated: number[];
  added: number[];
  removed: Tombstone[];
}

/** What a table knows of books and market types. */
export type TableFacts = Pick<
  Catalogue,
  'bookName' | 'types' | 'commissionOf' | 'ownerOf' | 'rulesOf' | 'houseRules' | 'rates'
>;

/** The net effect of everything after a position. */
export interface Changes {
  /** Position these changes follow. */
  after: number;
  /** Position they lead to. */
  upTo: number;
  /** Slots whose row changed or was created, oldest change first. */
  rows: readonly number[];
  removed: readonly Tombstone[];
  /** Position up to which rows were created that the reader may know. */
  createdUpTo: number;
}

export interface TableOptions {
  /** Only these books' rows are applied (the delayed table has no others); all by default. */
  keepBook?: (book: string) => boolean;
}

export class OddsTable {
  readonly columns = new Columns();
  readonly json = new RowComposer(this);
  readonly recency = new Recency(this.columns);
  readonly tombstones = new Tombstones<Tombstone>(LIMITS.removals.max);
  readonly depths = new Depths();
  readonly events = new EventList();
  readonly books = new Registry();
  readonly markets = new Registry();
  /** Newest poll of each book, Unix ms, by book number. */
  readonly bookPolledMs: number[] = [];
  /** Rows of each book, by book number. */
  readonly bookRows: number[] = [];
  /** Incremented when a book gets its first row or loses its last one. */
  booksVersion = 0;
  /** Incremented when rows are added, removed or moved in the order: cached totals depend on it. */
  structure = 0;
  /** Position up to which everything is applied. */
  position = 0;
  readonly #facts: TableFacts;
  readonly #keepBook: TableOptions['keepBook'];
  /** By market number. */
  readonly #rules: TypeRules[] = [];
  #rulesGeneration = 0;
  /** By book that has had a row. */
  readonly #bookRules = new Map<string, BookRules>();
  readonly #commissions: (Commission | null | undefined)[] = [];
  readonly #slotOfId = new IdIndex(this.columns.id);
  /** By shard, then the row's number there; 0 if there is none. */
  readonly #slotOfNo: Uint32Array[] = [];

  constructor(facts: TableFacts, { keepBook }: TableOptions = {}) {
    this.#facts = facts;
    this.#keepBook = keepBook;
  }

  /** The usual rules of a market type, by its number in `markets`. */
  rulesOf(market: number): TypeRules {
    if (this.#rulesGeneration !== this.markets.generation) {
      this.#rulesGeneration = this.markets.generation;
      this.#rules.length = 0;
    }
    let rules = this.#rules[market];
    if (rules === undefined) {
      rules = this.#facts.types.usual(this.markets.name(market));
      this.#rules[market] = rules;
    }
    return rules;
  }

  /** The row's commission: its own, else its book's; null if none. */
  commissionAt(slot: number): Commission | null {
    const { commission, book } = this.columns;
    return chargeOf(commission.get(slot), this.#commissionOf(book[slot]!));
  }

  #commissionOf(book: number): Commission | null {
    let commission = this.#commissions[book];
    if (commission === undefined) {
      commission = this.#facts.commissionOf(this.books.name(book));
      this.#commissions[book] = commission;
    }
    return commission;
  }

  get rowCount(): number {
    return this.columns.count;
  }

  bookName(book: string): string {
    return this.#facts.bookName(book);
  }

  ownerOf(book: string): string {
    return this.#facts.ownerOf(book);
  }

  bookRulesOf(book: string): BookRules {
    return getOrInsert(this.#bookRules, book, () => this.#facts.rulesOf(book));
  }

  /** The rules of a market's type, or of what it lays, in a league. */
  rulesIn(market: number, sport: string, league: string): TypeRules {
    return this.#facts.types.of(this.rulesOf(market).backed, sport, league);
  }

  houseOf(book: number, sport: string, league: string): RulesByFamily {
    return this.#facts.houseRules.of(this.books.name(book), sport, league);
  }

  get rates(): Rates {
    return this.#facts.rates;
  }

  bookHead(id: string): BookHead {
    return { id, name: this.bookName(id), currency: this.bookRulesOf(id).currency };
  }

  /** Whether the book has ever had a row here. */
  readonly knowsBook = (book: string): boolean => this.books.find(book) >= 0;

  slotOf(oddsId: string): number | undefined {
    return this.#slotOfId.get(oddsId);
  }

  /** Slot of a row by its number in the shard; 0 if there is none. */
  slotOfNo(shard: number, no: number): number {
    return this.#slotOfNo[shard]?.[no] ?? 0;
  }

  restOf(slot: number): RowRest {
    return readRest(this.columns, slot);
  }

  eventOf(slot: number): TableEvent {
    return this.events.at(this.columns.event[slot]!);
  }

  /**
   * Sorts changes and removals by position, if deltas of several shards were applied out of order: after a start,
   * before anyone reads.
   */
  sortChanges(): void {
    const slots = Uint32Array.from(this.recency.since(0));
    this.recency.rebuild(slots);
    this.tombstones.sort();
    const newest = slots.at(-1);
    if (newest !== undefined) this.position = Math.max(this.position, this.columns.updatedPosition[newest]!);
  }

  /**
   * Serving order within an event: market, line (none first), selection, book, then player and id, so that it is total.
   */
  readonly order = (a: number, b: number): number => {
    const c = this.columns;
    if (c.market[a] !== c.market[b])
      return compareText(this.markets.name(c.market[a]!), this.markets.name(c.market[b]!));
    const line = compareLine(c.line[a]!, c.line[b]!);
    if (line !== 0) return line;
    if (!c.selection.same(a, b)) return compareText(c.selection.at(a)!, c.selection.at(b)!);
    if (c.book[a] !== c.book[b]) return compareText(this.books.name(c.book[a]!), this.books.name(c.book[b]!));
    if (!c.player.same(a, b)) return compareText(c.player.at(a) ?? '', c.player.at(b) ?? '');
    return c.id.compare(a, b);
  };

  apply(delta: TableDelta): Applied {
    const applied: Applied = { position: delta.position, books: [], events: [] };
    for (const event of delta.events) {
      const known = this.events.upsert(delta.shard, event, this.order);
      known.version = delta.position;
      applied.events.push(known);
      this.structure++;
    }
    // Removals of the whole delta come first: a number freed by one book may be another's new row.
    const removals = delta.books.map((book) => this.#removeRows(delta, book));
    const reader = new RowDeltaReader(delta.position);
    for (const [i, [eventNo, book, polledUs, touches, , rows]] of delta.books.entries()) {
      const event = this.events.find(delta.shard, eventNo);
      if (event === undefined || this.#keepBook?.(book) === false) continue;
      const removed = removals[i]!;
      const result = { event, book: this.books.number(book), updated: [], restated: [], added: [], removed };
      for (const row of rows) this.#applyRow(delta.shard, reader.read(row), result);
      event.version = delta.position;
      this.#touch(delta.shard, touches, result);
      const polledMs = polledUs / 1000;
      if (polledMs > (this.bookPolledMs[result.book] ?? 0)) this.bookPolledMs[result.book] = polledMs;
      applied.books.push(result);
    }
    for (const [no, depth] of delta.depths ?? []) {
      const slot = this.slotOfNo(delta.shard, no);
      if (slot !== 0) this.depths.set(slot, depth, delta.position);
    }
    for (const no of delta.dropped) {
      const event = this.events.find(delta.shard, no);
      if (event !== undefined) this.events.remove(event);
      this.structure++;
    }
    this.position = delta.position;
    return applied;
  }

  /**
   * From the table's own order of changes, so that a live tick, a client that fell behind and one that resumes all get the
   * same.
   * @param resumed the reader returns: from a sequence that was cut short it may know rows younger than `after`, so it is
   * sent removals whenever the row was created
   * @param depth the reader has asked for depth: rows of which nothing else changed are among them
   */
  changesSince(after: number, resumed: boolean, depth: boolean): Changes {
    const createdUpTo = resumed ? Number.POSITIVE_INFINITY : after;
    const removed = this.tombstones.since(after, createdUpTo);
    const rows = this.recency.since(after);
    if (depth)
      for (const slot of this.depths.since(after)) if (!(this.columns.updatedPosition[slot]! > after)) rows.push(slot);
    return { after, upTo: this.position, rows, removed, createdUpTo };
  }

  /** Whether a reader at `after` does not know the row. */
  isNew(slot: number, after: number): boolean {
    return this.columns.createdPosition[slot]! > after;
  }

  /**
   * Whether a row must be sent whole to a reader at `after`: it is new to the reader, or more than its price changed. In
   * the second case its price is sent as well, for clients that take prices from `odds:update` alone.
   */
  isSentWhole(slot: number, after: number): boolean {
    return this.isNew(slot, after) || this.columns.restatedPosition[slot]! > after;
  }

  /** Whether a slot listed as of `position` still has the row it had then. */
  isStill(slot: number, position: number): boolean {
    return this.columns.id.has(slot) && this.columns.createdPosition[slot]! <= position;
  }

  /** Allocates at once for about as many rows as will be loaded. */
  reserve(rows: number): void {
    this.columns.reserve(rows);
    this.#slotOfId.reserve(rows);
  }

  /** A row as added by a delta, or stored. */
  insert(
    shard: number,
    event: TableEvent,
    book: number,
    identity: RowIdentity,
    numbers: RowNumbers,
    rest: RowRest,
  ): number {
    const c = this.columns;
    const slot = c.allocate();
    c.event[slot] = event.index;
    c.book[slot] = book;
    writeIdentity(this, slot, identity);
    writeNumbers(c, slot, numbers);
    writeRest(c, slot, rest);
    this.json.add(slot);
    c.net[slot] = netDecimal(numbers.decimal, this.commissionAt(slot));
    // What was restated before a start is no longer known: clients that were offline then are sent the whole row.
    c.restatedPosition[slot] = numbers.updatedPosition;
    this.#slotOfId.add(slot);
    this.#numbers(shard, numbers.no)[numbers.no] = slot;
    event.rows.add(slot);
    const ofBook = event.byBook.get(book);
    if (ofBook === undefined) event.byBook.set(book, [slot]);
    else ofBook.push(slot);
    const ofBookBefore = this.bookRows[book] ?? 0;
    if (ofBookBefore === 0) this.booksVersion++;
    this.bookRows[book] = ofBookBefore + 1;
    this.structure++;
    return slot;
  }

  #applyRow(shard: number, row: ReadRow, result: AppliedBook): void {
    const { no, change, updatedPosition } = row;
    const c = this.columns;
    if (row.identity !== null && row.rest !== null) {
      const slot = this.insert(shard, result.event, result.book, row.identity, row, row.rest);
      this.recency.append(slot);
      result.added.push(slot);
      return;
    }
    const slot = this.#numbers(shard)[no];
    if (slot === undefined || slot === 0)
      throw new Error(`delta ${updatedPosition} changes row ${no}, which is not in the table`);
    const line = row.line ?? Number.NaN;
    if (!Object.is(c.line[slot], line)) {
      result.event.rows.remove(slot);
      c.line[slot] = line;
      result.event.rows.add(slot);
      this.structure++;
    }
    writePrice(c, slot, row);
    c.net[slot] = netDecimal(row.decimal, this.commissionAt(slot));
    if (row.rest !== null) {
      c.restatedPosition[slot] = updatedPosition;
      writeRest(c, slot, row.rest);
      this.json.restated(slot);
    }
    this.recency.remove(slot);
    this.recency.append(slot);
    (change === RowChange.updated ? result.updated : result.restated).push(slot);
  }

  #removeRows(delta: TableDelta, [eventNo, book, , , removed]: BookDelta): Tombstone[] {
    const tombstones: Tombstone[] = [];
    if (removed.length === 0) return tombstones;
    const event = this.events.find(delta.shard, eventNo);
    const bookNo = this.books.find(book);
    if (event === undefined || bookNo < 0) return tombstones;
    const numbers = this.#numbers(delta.shard);
    const c = this.columns;
    const ofBook = event.byBook.get(bookNo);
    for (const no of removed) {
      const slot = numbers[no];
      if (slot === undefined || slot === 0) continue;
      numbers[no] = 0;
      event.rows.remove(slot);
      const at = ofBook?.indexOf(slot) ?? -1;
      if (at >= 0) ofBook!.splice(at, 1);
      const tombstone: Tombstone = {
        position: delta.position,
        createdPosition: c.createdPosition[slot]!,
        id: c.id.at(slot),
        eventId: event.id,
        sport: event.sport,
        league: event.league,
        book: bookNo,
        market: this.markets.name(c.market[slot]!),
        alternate: !isMainLine(c, slot),
      };
      this.tombstones.push(tombstone);
      tombstones.push(tombstone);
      this.#slotOfId.delete(slot);
      this.recency.remove(slot);
      this.json.remove(slot);
      this.depths.delete(slot);
      this.markets.giveBack(c.market[slot]!);
      c.release(slot);
      this.bookRows[bookNo] = (this.bookRows[bookNo] ?? 1) - 1;
      if (this.bookRows[bookNo] === 0) this.booksVersion++;
    }
    if (ofBook !== undefined && ofBook.length === 0) event.byBook.delete(bookNo);
    this.structure++;
    return tombstones;
  }

  #touch(shard: number, touches: readonly Touch[], result: AppliedBook): void {
    const { seenMs: column } = this.columns;
    const numbers = this.#numbers(shard);
    for (const [seenMs, rows] of touches) {
      const slots = rows === null ? (result.event.byBook.get(result.book) ?? []) : rows.map((no) => numbers[no] ?? 0);
      for (const slot of slots) if (slot !== 0) column[slot] = seenMs;
    }
  }

  /** @param no a number for which there must be space */
  #numbers(shard: number, no = 0): Uint32Array {
    let numbers = this.#slotOfNo[shard];
    if (numbers === undefined || no >= numbers.length) {
      const more = new Uint32Array(Math.max(1_024, 2 * no, this.columns.capacity));
      if (numbers !== undefined) more.set(numbers);
      numbers = more;
      this.#slotOfNo[shard] = numbers;
    }
    return numbers;
  }
}

// The rows in the order of their last change, as a list threaded through two columns: the change log, merged by row, in
// memory. Readers that are behind (a delta poller, a slow or returning stream) walk it from the newest back to their
// position.

const ANCHOR = 0;

class Recency {
  readonly #columns: Columns;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** Puts a row at the newest end (a row not in the list yet, or one taken out before). */
  append(slot: number): void {
    const { older, newer } = this.#columns;
    const newest = older[ANCHOR]!;
    older[slot] = newest;
    newer[newest] = slot;
    newer[slot] = ANCHOR;
    older[ANCHOR] = slot;
  }

  remove(slot: number): void {
    const { older, newer } = this.#columns;
    const before = older[slot]!;
    const after = newer[slot]!;
    newer[before] = after;
    older[after] = before;
  }

  /** Rows that changed after `position`, oldest change first. */
  since(position: number): number[] {
    const { older, updatedPosition } = this.#columns;
    const slots: number[] = [];
    for (let slot = older[ANCHOR]!; slot !== ANCHOR && updatedPosition[slot]! > position; slot = older[slot]!)
      slots.push(slot);
    return slots.reverse();
  }

  /** Rebuilds the list from the updatedPosition column (after loading). */
  rebuild(slots: Uint32Array): void {
    const { updatedPosition, older, newer } = this.#columns;
    older[ANCHOR] = ANCHOR;
    newer[ANCHOR] = ANCHOR;
    slots.sort((a, b) => updatedPosition[a]! - updatedPosition[b]!);
    for (const slot of slots) this.append(slot);
  }
}

/**
 * Called for every delta, in the order of positions, after the tables have applied it. Its opportunities are valid
 * during the call.
 */
export type DeltaListener = (applied: Applied, delta: OpenDelta) => void;
