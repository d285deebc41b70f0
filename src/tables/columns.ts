// The table's columns, one slot per row: typed arrays only, with ids and texts as numbers too, so that a table of any
// size is a few objects to the garbage collector. They grow by doubling; slots of removed rows are reused.

import { detachedText } from '../base/memory/detached-text.js';
import { growColumns, grown, withPlace } from '../base/memory/grown.js';
import type { Commission } from '../base/model/commission.js';
import { feedIds } from '../base/model/feed-ids.js';
import { IdColumn } from '../base/model/id-column.js';
import { noNumbers, type RowFields, type RowIdentity, type RowNumbers, type RowRest } from '../base/model/row.js';
import { detachedDetails, NO_DETAILS, type RowDetails } from '../base/model/row-details.js';
import type { PricedRow } from '../base/model/row-json.js';
import type { Registry } from './registry.js';

const START_SLOTS = 4_096;

export const ROW_FLAG = { alternate: 1 } as const;

/** Whether the row is at its book's main line. */
export function isMainLine({ flags }: Pick<Columns, 'flags'>, slot: number): boolean {
  return (flags[slot]! & ROW_FLAG.alternate) === 0;
}

export class Columns {
  capacity = START_SLOTS;
  /** Index into the table's list of events. */
  event = new Uint32Array(START_SLOTS);
  book = new Uint32Array(START_SLOTS);
  market = new Uint32Array(START_SLOTS);
  flags = new Uint8Array(START_SLOTS);
  /** Row number in its shard. */
  no = new Uint32Array(START_SLOTS);
  american = new Float64Array(START_SLOTS);
  decimal = new Float64Array(START_SLOTS);
  /** By slot, for the few rows whose commission differs from their book's. */
  readonly commission = new Map<number, Commission>();
  /** Decimal odds after commission, by which prices are compared. */
  net = new Float64Array(START_SLOTS);
  /** Whether it can be bet, and its previous price, packed as in base/model/activity.ts. */
  activity = new Int32Array(START_SLOTS);
  /** NaN if the row has no line. */
  line = new Float64Array(START_SLOTS);
  /** Unix ms. */
  seenMs = new Float64Array(START_SLOTS);
  /** Unix µs: odds_changed_at. */
  changedUs = new Float64Array(START_SLOTS);
  createdPosition = new Float64Array(START_SLOTS);
  /** Position of the last change of anything but seenMs. */
  updatedPosition = new Float64Array(START_SLOTS);
  /** Position of the last change that requires a whole row (links, start, limits). */
  restatedPosition = new Float64Array(START_SLOTS);
  /** Neighbours in the order of updatedPosition; 0 is the list's anchor, so slot 0 is never a row. */
  older = new Uint32Array(START_SLOTS);
  newer = new Uint32Array(START_SLOTS);
  readonly id = new IdColumn(START_SLOTS);
  readonly #texts = new TextPool();
  readonly selection = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly selectionType = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly player = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly stat = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly team = new TextColumn<'home' | 'away'>(this.#texts, START_SLOTS);
  /** For the default state. */
  readonly link = new TextColumn<string>(this.#texts, START_SLOTS);
  /** As the book's feed names them; null if it tells none. */
  readonly eventId = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly marketId = new TextColumn<string>(this.#texts, START_SLOTS);
  readonly selectionId = new TextColumn<string>(this.#texts, START_SLOTS);
  /** By slot, for rows of which something is stated beside the price; without the depth. */
  readonly details = new Map<number, RowDetails>();

  readonly #textColumns: readonly TextColumn<string>[] = Object.values(this).filter(
    (column) => column instanceof TextColumn,
  );
  #next = 1;
  readonly #free: number[] = [];

  allocate(): number {
    const slot = this.#free.pop() ?? this.#next++;
    if (slot >= this.capacity) this.#grow(this.capacity * 2);
    return slot;
  }

  release(slot: number): void {
    this.id.clear(slot);
    this.commission.delete(slot);
    this.details.delete(slot);
    for (const column of this.#textColumns) column.set(slot, null);
    this.#free.push(slot);
  }

  /** Rows in the table. */
  get count(): number {
    return this.#next - 1 - this.#free.length;
  }

  /** One above the highest slot in use. */
  get limit(): number {
    return this.#next;
  }

  /** Allocates for `rows` at once (loading), instead of by doubling. */
  reserve(rows: number): void {
    if (this.#next + rows > this.capacity) this.#grow(this.#next + rows);
  }

  #grow(capacity: number): void {
    this.capacity = capacity;
    growColumns(this, capacity);
    this.id.grow(capacity);
    for (const column of this.#textColumns) column.grow(capacity);
  }
}

// Texts shared by many rows (Over, team names, players), one copy of each, and columns of their numbers: half a million
// pointers per column must be followed by a major GC, numbers never.

const START_TEXTS = 256;
const NO_TEXT = 0;

export class TextPool {
  /** By number; 0 means no text. */
  readonly #texts: (string | null)[] = [null];
  readonly #numbers = new Map<string, number>();
  #uses = new Uint32Array(START_TEXTS);
  readonly #free: number[] = [];

  text(no: number): string | null {
    return this.#texts[no]!;
  }

  /** Number of the text; its reference count goes up by one. */
  take(text: string): number {
    let no = this.#numbers.get(text);
    if (no === undefined) {
      no = this.#free.pop() ?? this.#texts.length;
      const own = detachedText(text);
      this.#texts[no] = own;
      this.#numbers.set(own, no);
      this.#uses = withPlace(this.#uses, no);
    }
    this.#uses[no]!++;
    return no;
  }

  /** Drops a reference; players come and go, and unused texts are removed. */
  giveBack(no: number): void {
    if (no === NO_TEXT || --this.#uses[no]! > 0) return;
    this.#numbers.delete(this.#texts[no]!);
    this.#texts[no] = null;
    this.#free.push(no);
  }
}

/** A text, or null, for each slot. */
export class TextColumn<Text extends string> {
  readonly #pool: TextPool;
  #numbers: Uint32Array<ArrayBuffer>;

  constructor(pool: TextPool, capacity: number) {
    this.#pool = pool;
    this.#numbers = new Uint32Array(capacity);
  }

  at(slot: number): Text | null {
    return this.#pool.text(this.#numbers[slot]!) as Text | null;
  }

  same(a: number, b: number): boolean {
    return this.#numbers[a] === this.#numbers[b];
  }

  set(slot: number, text: Text | null): void {
    const before = this.#numbers[slot]!;
    this.#numbers[slot] = text === null ? NO_TEXT : this.#pool.take(text);
    this.#pool.giveBack(before);
  }

  grow(capacity: number): void {
    this.#numbers = grown(this.#numbers, capacity);
  }
}

// The fields of a row in the table's columns: written when it is added or changes, read back whole on demand.

export interface RowColumns {
  readonly columns: Columns;
  readonly markets: Registry;
}

/** Writes the fields that are fixed for the row's life. */
export function writeIdentity({ columns: c, markets }: RowColumns, slot: number, row: RowIdentity): void {
  const { market } = row;
  c.market[slot] = markets.take(market);
  c.flags[slot] = row.alternate ? ROW_FLAG.alternate : 0;
  c.id.set(slot, row.id);
  c.selection.set(slot, row.selection);
  c.selectionType.set(slot, row.selectionType);
  c.player.set(slot, row.player);
  c.stat.set(slot, row.stat);
  c.team.set(slot, row.team);
}

/** Writes what may have changed with the price: not the row's number, nor when it was created or seen. */
export function writePrice(c: Columns, slot: number, row: RowNumbers): void {
  c.american[slot] = row.american;
  c.decimal[slot] = row.decimal;
  c.activity[slot] = row.activity;
  c.line[slot] = row.line ?? Number.NaN;
  c.changedUs[slot] = row.changedUs;
  c.updatedPosition[slot] = row.updatedPosition;
  if (row.commission !== undefined) c.commission.set(slot, row.commission);
  else if (c.commission.size > 0) c.commission.delete(slot);
}

/** Writes all numbers of a new row. */
export function writeNumbers(c: Columns, slot: number, row: RowNumbers): void {
  c.no[slot] = row.no;
  c.seenMs[slot] = row.seenMs;
  c.createdPosition[slot] = row.createdPosition;
  writePrice(c, slot, row);
}

/** Writes what a book states beside the price. */
export function writeRest(c: Columns, slot: number, { link, details, ids }: RowRest): void {
  c.link.set(slot, link);
  c.eventId.set(slot, ids?.event ?? null);
  c.marketId.set(slot, ids?.market ?? null);
  c.selectionId.set(slot, ids?.selection ?? null);
  if (details !== NO_DETAILS) c.details.set(slot, detachedDetails(details));
  else if (c.details.size > 0) c.details.delete(slot);
}

export function readRest(c: Columns, slot: number): RowRest {
  const ids = feedIds(c.eventId.at(slot), c.marketId.at(slot), c.selectionId.at(slot));
  return { link: c.link.at(slot), details: c.details.get(slot) ?? NO_DETAILS, ids };
}

const price: PricedRow = { ...noNumbers(), alternate: false };

/** What the price part of a row shows, in an object that is reused by the next call; its other fields are undefined. */
export function readPrice(c: Columns, slot: number): Readonly<PricedRow> {
  const line = c.line[slot]!;
  price.american = c.american[slot]!;
  price.decimal = c.decimal[slot]!;
  price.activity = c.activity[slot]!;
  price.line = Number.isNaN(line) ? null : line;
  price.changedUs = c.changedUs[slot]!;
  price.updatedPosition = c.updatedPosition[slot]!;
  price.alternate = !isMainLine(c, slot);
  return price;
}

export function readRow({ columns: c, markets }: RowColumns, slot: number): RowFields {
  const line = c.line[slot]!;
  const commission = c.commission.get(slot);
  return {
    no: c.no[slot]!,
    id: c.id.at(slot),
    market: markets.name(c.market[slot]!),
    selection: c.selection.at(slot)!,
    selectionType: c.selectionType.at(slot)!,
    player: c.player.at(slot),
    stat: c.stat.at(slot),
    team: c.team.at(slot),
    alternate: (c.flags[slot]! & ROW_FLAG.alternate) !== 0,
    american: c.american[slot]!,
    decimal: c.decimal[slot]!,
    activity: c.activity[slot]!,
    line: Number.isNaN(line) ? null : line,
    seenMs: c.seenMs[slot]!,
    changedUs: c.changedUs[slot]!,
    createdPosition: c.createdPosition[slot]!,
    updatedPosition: c.updatedPosition[slot]!,
    ...(commission === undefined ? {} : { commission }),
  };
}
