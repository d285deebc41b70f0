// Rows read at a start whose JSON has not been made yet: half a million of them would keep everybody waiting for what
// few ask for at once. It is made of the table's columns, and of the little that is in none, when somebody asks for the
// row, when the row changes, or in idle moments after the start.
import { isActive, previousPrice } from '../model/activity.js';
import { encodeEventHead, encodeHead, encodePrice, encodeProbability, encodeRest } from '../model/row-json.js';
import { type Columns, ROW_FLAG } from './columns.js';
import type { TableEvent } from './events.js';
import type { Registry } from './registry.js';
import type { RowText } from './row-bytes.js';

/** What the JSON of a row is made of, and where it goes: the table. */
export interface RowSource {
  readonly columns: Columns;
  readonly markets: Registry;
  readonly books: Registry;
  readonly bytes: { make(slot: number): void };
  eventOf(slot: number): TableEvent;
  bookName(book: string): string;
}

/** What of a row stands in no column. */
export interface RowRest {
  link: string | null;
  maxBet: number | null;
  publicBetPct: number | null;
}

export class LazyRows {
  readonly #table: RowSource;
  readonly #rest: (RowRest | undefined)[] = [];
  /** Rows below this slot are made. */
  #next = 1;
  #event: TableEvent | undefined;
  #eventHead = '';

  constructor(table: RowSource) {
    this.#table = table;
  }

  put(slot: number, { link, maxBet, publicBetPct }: RowRest): void {
    // Most rows have nothing but a link, which all rows of a book and event may share.
    const before = this.#rest[slot - 1];
    this.#rest[slot] =
      before !== undefined && before.link === link && before.maxBet === maxBet && before.publicBetPct === publicBetPct
        ? before
        : { link, maxBet, publicBetPct };
  }

  /** The row's JSON, as the shard makes it. It is not asked for again. */
  take(slot: number): RowText {
    const table = this.#table;
    const c = table.columns;
    const rest = this.#rest[slot];
    if (rest === undefined) throw new Error(`the row in slot ${slot} is not one to come`);
    this.#rest[slot] = undefined;
    const event = table.eventOf(slot);
    if (event !== this.#event) {
      this.#event = event;
      this.#eventHead = encodeEventHead(event);
    }
    const line = c.line[slot]!;
    const price = {
      american: c.american[slot]!,
      decimal: c.decimal[slot]!,
      line: Number.isNaN(line) ? null : line,
      changedUs: c.changedUs[slot]!,
      active: isActive(c.activity[slot]!),
      previous: previousPrice(c.activity[slot]!),
    };
    const row = {
      id: c.id.at(slot),
      market: table.markets.name(c.market[slot]!),
      selection: c.selection.at(slot)!,
      selectionType: c.selectionType.at(slot)!,
      player: c.player.at(slot),
      stat: c.stat.at(slot),
      team: c.team.at(slot),
      alternate: (c.flags[slot]! & ROW_FLAG.alternate) !== 0,
    };
    const book = table.books.name(c.book[slot]!);
    return {
      head: encodeHead(row, { id: book, name: table.bookName(book) }, event, this.#eventHead),
      price: encodePrice(price, event.live),
      probability: encodeProbability(price),
      rest: encodeRest(rest, event, rest.link),
    };
  }

  /** The row has gone before anybody asked for it. */
  drop(slot: number): void {
    this.#rest[slot] = undefined;
  }

  /** Has the next `count` rows made; false when there are none left. */
  makeSome(count: number): boolean {
    const { bytes } = this.#table;
    const end = this.#rest.length;
    for (let made = 0; this.#next < end && made < count; this.#next++)
      if (this.#rest[this.#next] !== undefined) {
        bytes.make(this.#next);
        made++;
      }
    if (this.#next < end) return true;
    this.#rest.length = 0;
    return false;
  }
}
