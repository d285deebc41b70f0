// The markets in which the detection bench changes prices, once in the program's form and once as plain objects.

import { packActivity } from '../src/base/model/activity.js';
import { OPEN_ID_SECRET, opportunityId } from '../src/base/model/identity.js';
import type { BetKind, UniverseSpec } from '../src/base/model/opportunity.js';
import { type OpportunityRecord, RecordWriter, readRecord, writeRecord } from '../src/base/model/opportunity-record.js';
import { type Row, RowChange } from '../src/base/model/row.js';
import { NO_DETAILS } from '../src/base/model/row-details.js';
import { ShardRow, ShardRowNumbers } from '../src/base/model/shard-row.js';
import type { BookQuotes, EventState } from '../src/base/model/state.js';
import { newEventState, newQuotes } from '../src/base/model/state.js';
import { ALL_KINDS } from '../src/detection/candidate.js';
import { Detector } from '../src/detection/detector.js';
import type { PackedNews } from '../src/log/delta/opportunity.js';
import { loadCatalogue } from '../src/rules/catalogue/load.js';
import type { PlainMarket, PlainRow } from './plain-detection.js';

/** When everything is seen first. */
export const NOW_MS = Date.UTC(2026, 10, 20, 18);

export interface Scenario {
  kind: 'three-way' | 'total';
  books: number;
  universes: number;
  /** Whether the sharp book quotes; else there is a consensus. */
  sharp: boolean;
  /** Changed prices become the best half of the time, so that most are news; otherwise the best ones stay. */
  news: boolean;
  /** A few prices are so high that of five markets one has an arbitrage, EV and any middle, and one a low hold. */
  standing?: boolean;
  /** The kinds that both sides look for; every kind by default. */
  kinds?: ReadonlySet<BetKind>;
}

/** Of the best prices: how high they are, at which books (one a side and line) they are higher, and how much by market. */
const STANDING = {
  'three-way': { usual: 1, books: [1, 2, 4], higher: [1.1, 1.04] },
  total: { usual: 0.99, books: [1, 2, 3, 6], higher: [1.07, 1.03] },
};
const MARKETS_A_TURN = 5;

/** A reproducible source of prices. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const catalogue = loadCatalogue();

function bookNames({ books, sharp }: Scenario): string[] {
  const soft = catalogue.books.filter((book) => !book.isSharp).map((book) => book.id);
  return sharp ? ['pinnacle', ...soft.slice(0, books - 1)] : soft.slice(0, books);
}

/** The maximum price of a book if the best ones stay. */
function topPrice(side: number, { kind, standing }: Scenario, event: number, book: number): number {
  const top = kind === 'total' ? 1.92 : [2.3, 3, 3.25][side]!;
  if (standing !== true) return top;
  const { usual, books, higher } = STANDING[kind];
  const factor = books.includes(book) ? (higher[event % MARKETS_A_TURN] ?? 1) : 1;
  return Math.round(1_000 * top * usual * factor) / 1_000;
}

/** As a shard has it, with its numbers beside those of all other rows. */
function shardRow(
  numbers: ShardRowNumbers,
  no: number,
  kind: Scenario['kind'],
  side: number,
  { line, decimal, seenMs }: PlainRow,
): Row {
  const selectionType = (kind === 'total' ? ['over', 'under'] : ['home', 'away', 'draw'])[side]!;
  const market = kind === 'total' ? 'total_points' : 'moneyline_3way';
  return new ShardRow(
    numbers,
    {
      id: String(no),
      market,
      selection: selectionType,
      selectionType,
      player: null,
      stat: null,
      team: null,
      alternate: false,
    },
    {
      no,
      american: 100,
      decimal,
      activity: packActivity(true, null),
      line,
      seenMs,
      changedUs: 0,
      createdPosition: 0,
      updatedPosition: 0,
    },
    { key: String(no), deepLink: null, externalId: null, marketId: null },
    NO_DETAILS,
  );
}

function eventState(no: number): EventState {
  const of = { id: `nba_a_b_${no}`, league: 'nba', sport: 'basketball', startMs: NOW_MS + 86_400_000 };
  return newEventState({ no, ...of, homeToken: 'a', awayToken: 'b', home: 'A', away: 'B' }, 0);
}

/** An event's book, its rows in either form, and the maximum price of each. */
interface Place {
  market: PlainMarket;
  quotes: BookQuotes;
  rows: Row[];
  plainRows: PlainRow[];
  tops: number[];
}

/** As many texts as an id of two legs is made of. */
const ID_PARTS = [
  'low_hold',
  'nba_a_b_1',
  'total_points',
  null,
  null,
  null,
  'over',
  220.5,
  'draftkings',
  'under',
  220.5,
];

/** Which side changes: by bits unrelated to the index, or a book would always change the same side. */
function sideOf(i: number, sides: number): number {
  return (Math.imul(i, 0x9e3779b1) >>> 16) % sides;
}

/** Of all universes. */
export function recordsIn({ records, universes }: PackedNews): OpportunityRecord[] {
  return universes.flatMap(({ put }) => put.flatMap((place, i) => (i % 3 === 0 ? readRecord(records, place) : [])));
}

export class World {
  readonly detector: Detector;
  /** One an event. */
  readonly plain: PlainMarket[] = [];
  readonly kinds: ReadonlySet<BetKind>;
  /** The result of the first evaluation of everything. */
  readonly first: PackedNews;
  /** Since then: prices changed, records written for it, and opportunities that ended: about as many began, with an id each. */
  readonly counts = { changes: 0, records: 0, ids: 0 };
  readonly #made = new RecordWriter();
  readonly #written: readonly OpportunityRecord[];
  #recordsOwed = 0;
  #idsOwed = 0;
  readonly #places: Place[] = [];
  readonly #scenario: Scenario;
  readonly #random = generator(7);
  readonly #numbers = new ShardRowNumbers();
  #position = NOW_MS * 1000;

  constructor(scenario: Scenario, events: number) {
    this.#scenario = scenario;
    this.kinds = scenario.kinds ?? ALL_KINDS;
    const names = bookNames(scenario);
    const universes: UniverseSpec[] = [{ key: 'all', books: null }];
    while (universes.length < scenario.universes)
      universes.push({ key: `u${universes.length}`, books: names.filter(() => this.#random() < 0.6) });
    this.detector = new Detector({
      // The control has no commission.
      books: {
        bookOrder: (book) => catalogue.bookOrder(book),
        ownerOf: (book) => catalogue.ownerOf(book),
        isSharp: (book) => catalogue.isSharp(book),
        isCommissionKnown: (book) => catalogue.isCommissionKnown(book),
        rulesOf: (book) => catalogue.rulesOf(book),
        houseRules: catalogue.houseRules,
        rates: catalogue.rates,
        commissionOf: () => null,
      },
      idSecret: OPEN_ID_SECRET,
      types: catalogue.types,
      universes,
      kinds: this.kinds,
    });
    const masks = universes.map(({ books }) => (books === null ? null : new Set(books)));
    for (let no = 0; no < events; no++) this.#addEvent(no, names, masks);
    const { records, universes: found } = this.detector.evaluate(this.#position);
    // The records are overwritten by the next evaluation.
    this.first = { records: Uint8Array.from(records), universes: found };
    this.#written = recordsIn(this.first);
  }

  #addEvent(no: number, names: readonly string[], universes: PlainMarket['universes']): void {
    const { kind, news } = this.#scenario;
    const sides = kind === 'total' ? 2 : 3;
    const event = eventState(no);
    const plain: PlainMarket = {
      quotes: [],
      universes,
      sharpBook: 'pinnacle',
      sides: kind === 'total' ? 2 : 3,
      lines: kind === 'total',
    };
    this.plain.push(plain);
    for (const [bookNo, book] of names.entries()) {
      const quotes = newQuotes(event, book, bookNo);
      const place: Place = { market: plain, quotes, rows: [], plainRows: [], tops: [] };
      event.books.set(book, quotes);
      // Half of the books are half a point higher: two lines, and middles to look for.
      const line = kind === 'total' ? 220.5 + (bookNo % 2) : null;
      for (let side = 0; side < sides; side++) {
        const top = topPrice(side, this.#scenario, no, bookNo);
        // Some book has the best price of each side, and retains it.
        const stands = !news && (bookNo >> 1) % 3 === side;
        const plainRow = { line, decimal: stands ? top : this.#price(side), seenMs: NOW_MS };
        const made = shardRow(this.#numbers, this.#places.length * sides + side, kind, side, plainRow);
        place.rows.push(made);
        place.plainRows.push(plainRow);
        place.tops.push(news ? Number.POSITIVE_INFINITY : top);
        quotes.rows.set(made.key, made);
        plain.quotes.push({ book, owner: catalogue.ownerOf(book), side, row: plainRow });
      }
      this.#places.push(place);
      this.detector.touchBook(quotes);
    }
  }

  #price(side: number): number {
    const { kind, news } = this.#scenario;
    const fair = kind === 'total' ? 2 : [2.4, 3.1, 3.4][side]!;
    return Math.round(fair * (0.9 + (news ? 0.08 : 0.05) * this.#random()) * 100) / 100;
  }

  /** One book's price of one side changes; the places to change wander over all events. Returns the row. */
  change(i: number): Row {
    const { rows, tops } = this.#place(i);
    const side = sideOf(i, rows.length);
    const changed = rows[side]!;
    if (changed.decimal < tops[side]!) changed.decimal = this.#price(side);
    changed.change = RowChange.updated;
    return changed;
  }

  /** The same for the plain objects: the price becomes another one. Returns the row. */
  changePlain(i: number): PlainRow {
    const { plainRows, tops } = this.#place(i);
    const side = sideOf(i, plainRows.length);
    const changed = plainRows[side]!;
    if (changed.decimal < tops[side]!) changed.decimal = this.#price(side);
    return changed;
  }

  /** Tells the detector of `change(i)`, which answered that row. */
  tell(i: number, changed: Row): void {
    this.detector.touchBook(this.#place(i).quotes);
    changed.change = RowChange.none;
  }

  /** `change(i)` and what any detection reads of the book, the price and time of each row; nothing is evaluated. */
  read(i: number): number {
    this.change(i).change = RowChange.none;
    let sum = 0;
    for (const row of this.#place(i).quotes.rows.values()) sum += row.decimal + row.seenMs;
    return sum;
  }

  /**
   * `read(i)`, and on average as many records and ids as those counts say a change leads to: records are written as
   * those of others, ids computed from as many texts. Nothing is evaluated.
   */
  make(i: number, { changes, records, ids }: World['counts']): void {
    this.read(i);
    const made = this.#made;
    const copied = this.#written[i % this.#written.length]!;
    let { id } = copied;
    for (this.#idsOwed += ids / changes; this.#idsOwed >= 1; this.#idsOwed--)
      id = opportunityId(OPEN_ID_SECRET, [...ID_PARTS, i]);
    for (this.#recordsOwed += records / changes; this.#recordsOwed >= 1; this.#recordsOwed--)
      writeRecord(made, { ...copied, id });
    if (i % 100 === 0) made.clear();
  }

  /** The market of `change(i)`. */
  plainOf(i: number): PlainMarket {
    return this.#place(i).market;
  }

  /** Of a row, by its number. */
  bookOf(row: number): string {
    return this.#places[Math.floor(row / this.#places[0]!.rows.length)]!.quotes.book;
  }

  #place(i: number): Place {
    return this.#places[(i * 7_919) % this.#places.length]!;
  }

  /** A batch of changes of as many markets; returns the number of markets evaluated. */
  batch(from: number, size: number): number {
    for (let i = from; i < from + size; i++) this.tell(i, this.change(i));
    // A millisecond per batch: changes are published once a second, as in live operation.
    this.#position += 1_000;
    const { counts } = this;
    counts.changes += size;
    for (const { put, expired } of this.detector.evaluate(this.#position).universes) {
      counts.records += put.length / 3;
      counts.ids += expired.length;
    }
    return size;
  }
}
