// An event in the recorder's memory, and what of it must be written.

import { detachedText } from '../../base/memory/detached-text.js';
import { grown } from '../../base/memory/grown.js';
import { isActive, isIndicative, isModelPrice } from '../../base/model/activity.js';
import type { Commission } from '../../base/model/commission.js';
import { IdColumn } from '../../base/model/id-column.js';
import { IdIndex } from '../../base/model/id-index.js';
import type { RowIdentity, RowNumbers } from '../../base/model/row.js';
import { sameFields } from '../../base/model/same-fields.js';
import type { EventDelta } from '../../log/delta/delta.js';
import {
  changePoint,
  type EventFields,
  flagsOf,
  type HistoryEvent,
  type HistoryRow,
  type Point,
  packRows,
  type RowsById,
} from './event-record.js';
import { encodePage } from './page.js';
import type { HistoryChanges, HistoryStore } from './port.js';

export function blankEvent(hno: number, fields: EventFields, usedUs: number): HistoryEvent {
  const byId = new EventRows();
  return {
    ...fields,
    seen: new Map(Object.entries(fields.seenAll ?? {})),
    storedSeen: new Map(Object.entries(fields.seenAll ?? {})),
    hno,
    rows: byId.list,
    byId,
    page: null,
    fieldsChanged: true,
    booksChanged: new Set(),
    pageChanged: false,
    usedUs,
  };
}

/** The fields of an event as its shard states them. */
export function fieldsOfDelta(shard: number, delta: EventDelta): EventFields {
  return fieldsOf({ ...delta, liveSince: delta.liveSince ?? {}, shard });
}

function fieldsOf(event: EventFields): EventFields {
  const { id, sport, league, home, away, startMs, status, live, liveSince, calledOffMs, namesakes, shard, no } = event;
  return {
    ...{ id, sport, league, home, away, startMs, status, live, liveSince, shard, no },
    ...(calledOffMs === undefined ? {} : { calledOffMs }),
    ...(namesakes === undefined ? {} : { namesakes }),
  };
}

function storedFields(event: HistoryEvent): EventFields {
  const { firstStartMs, startSinceUs, seen } = event;
  return {
    ...fieldsOf(event),
    ...(firstStartMs === undefined ? {} : { firstStartMs }),
    ...(startSinceUs === undefined ? {} : { startSinceUs }),
    ...(seen.size === 0 ? {} : { seenAll: Object.fromEntries(seen) }),
  };
}

/** A start that is replaced within this time was a mistake: nobody went by it. */
const SETTLED_US = 3_600_000_000;

/** To be called before the event's start changes: remembers the first that stood for some time. */
export function startChanges(event: HistoryEvent, startMs: number, position: number): void {
  if (startMs === event.startMs) return;
  const { startSinceUs = 0 } = event;
  if (event.firstStartMs === undefined && position - startSinceUs >= SETTLED_US) event.firstStartMs = event.startMs;
  event.startSinceUs = position;
}

/** The fields of an event that may change, apart from what others() compares. */
const CHANGING = ['startMs', 'status', 'live', 'no', 'shard', 'home', 'away', 'calledOffMs'] as const;

export function isSameEvent(a: EventFields, b: EventFields): boolean {
  const others = ({ liveSince, namesakes }: EventFields): string => JSON.stringify([liveSince, namesakes]);
  return sameFields(a, b, CHANGING) && others(a) === others(b);
}

/** The parts of an event to write. */
export interface PackedEvent {
  fields: HistoryChanges['events'][number] | undefined;
  rows: HistoryChanges['rows'];
  page: HistoryChanges['pages'][number] | undefined;
}

export function packEvent(event: HistoryEvent, store: HistoryStore): PackedEvent {
  const { hno, page } = event;
  return {
    fields: event.fieldsChanged ? { hno, fields: storedFields(event) } : undefined,
    rows: event.booksChanged.size > 0 ? packBooks(event) : [],
    page:
      event.pageChanged && page !== null
        ? { hno, firstUs: page.firstUs, bytes: store.pageBytes(encodePage(page), false) }
        : undefined,
  };
}

function packBooks({ hno, rows, booksChanged }: HistoryEvent): HistoryChanges['rows'] {
  const byBook = new Map<string, HistoryRow[]>([...booksChanged].map((book) => [book, []]));
  for (const row of rows) byBook.get(row.book)?.push(row);
  return [...byBook].map(([book, of]) => ({ hno, book, bytes: packRows(of) }));
}

// The rows of an event in history's memory. They are half a million objects while a whole market moves, so each is one
// and small: their numbers lie side by side, and what few rows have is kept apart.

const START_ROWS = 16;
/** Places in the index of ids at first. */
const START_INDEX = 32;

/** Indices of a row's numbers; the first five are its opening price. */
const OPENED_US = 0;
const AMERICAN = 1;
const DECIMAL = 2;
/** NaN if it has none. */
const LINE = 3;
const FLAGS = 4;
const SEEN_MS = 5;
const REMOVED_US = 6;
const NUMBERS = 7;

export class EventRows implements RowsById {
  /** By place. */
  readonly list: HistoryRow[] = [];
  /** NUMBERS per row. */
  values = new Float64Array(START_ROWS * NUMBERS);
  /** By place, of few rows. */
  readonly commissions = new Map<number, Commission>();
  readonly shallow = new Map<number, number>();
  readonly lastBeforeClose = new Map<number, Point>();
  /** A row's slot is its place + 1. */
  readonly ids = new IdColumn(START_ROWS + 1);
  readonly #index = new IdIndex(this.ids, START_INDEX);
  #room = START_ROWS;

  get(id: string): HistoryRow | undefined {
    const slot = this.#index.get(id);
    return slot === undefined ? undefined : this.list[slot - 1];
  }

  add(added: HistoryRow): HistoryRow {
    if (added.place < 0) added.place = this.list.length;
    const { place } = added;
    if (place >= this.#room) {
      this.#room = Math.max(place + 1, 2 * this.#room);
      this.values = grown(this.values, this.#room * NUMBERS);
      this.ids.grow(this.#room + 1);
    }
    this.ids.set(place + 1, added.id);
    this.#index.add(place + 1);
    const row = new EventRow(this, added);
    this.list[place] = row;
    return row;
  }
}

class EventRow implements HistoryRow {
  readonly #rows: EventRows;
  readonly place: number;
  readonly book: string;
  readonly market: string;
  readonly selection: string;
  readonly selectionType: string;
  readonly player: string | null;
  readonly stat: string | null;
  readonly team: RowIdentity['team'];
  readonly alternate: boolean;
  no: number;

  constructor(rows: EventRows, row: HistoryRow) {
    this.#rows = rows;
    this.place = row.place;
    this.book = row.book;
    this.market = row.market;
    this.selection = row.selection;
    this.selectionType = row.selectionType;
    this.player = row.player;
    this.stat = row.stat;
    this.team = row.team;
    this.alternate = row.alternate;
    this.no = row.no;
    const { atUs, american, decimal, line } = row.opening;
    const first = this.place * NUMBERS;
    rows.values.set([atUs, american, decimal, line ?? Number.NaN, flagsOf(row.opening)], first);
    this.seenMs = row.seenMs;
    this.removedUs = row.removedUs;
    this.commission = row.commission;
    this.shallow = row.shallow;
    this.lastBeforeClose = row.lastBeforeClose;
  }

  get id(): string {
    return this.#rows.ids.at(this.place + 1);
  }

  get opening(): Point {
    const { values } = this.#rows;
    const at = this.place * NUMBERS;
    return changePoint(
      values[at + OPENED_US]!,
      values[at + AMERICAN]!,
      values[at + DECIMAL]!,
      values[at + LINE]!,
      values[at + FLAGS]!,
    );
  }

  get seenMs(): number {
    return this.#rows.values[this.place * NUMBERS + SEEN_MS]!;
  }

  set seenMs(ms: number) {
    this.#rows.values[this.place * NUMBERS + SEEN_MS] = ms;
  }

  get removedUs(): number {
    return this.#rows.values[this.place * NUMBERS + REMOVED_US]!;
  }

  set removedUs(us: number) {
    this.#rows.values[this.place * NUMBERS + REMOVED_US] = us;
  }

  get commission(): Commission | undefined {
    return this.#rows.commissions.get(this.place);
  }

  set commission(commission: Commission | undefined) {
    if (commission !== undefined) this.#rows.commissions.set(this.place, commission);
    else this.#rows.commissions.delete(this.place);
  }

  get shallow(): number | undefined {
    return this.#rows.shallow.get(this.place);
  }

  set shallow(bits: number | undefined) {
    if (bits) this.#rows.shallow.set(this.place, bits);
    else this.#rows.shallow.delete(this.place);
  }

  get lastBeforeClose(): Point | null {
    return this.#rows.lastBeforeClose.get(this.place) ?? null;
  }

  set lastBeforeClose(point: Point | null) {
    if (point !== null) this.#rows.lastBeforeClose.set(this.place, point);
    else this.#rows.lastBeforeClose.delete(this.place);
  }
}

// The fields of a row in the log that history stores.

/** The new price of a row. */
export function pointOf(row: RowNumbers, live: boolean): Point {
  const { changedUs: atUs, american, decimal, line, activity } = row;
  return { atUs, american, decimal, line, live, active: isActive(activity), ...marksIn(activity) };
}

/** Why nothing was on offer at the price. */
function marksIn(activity: number): Pick<Point, 'indicative' | 'model'> {
  if (!isIndicative(activity)) return { indicative: false };
  return { indicative: true, ...(isModelPrice(activity) ? { model: true } : {}) };
}

/** A row that is new to the table, with its opening price. */
export function addedRow(
  identity: RowIdentity,
  no: number,
  book: string,
  opening: Point,
  intern: (text: string) => string,
): HistoryRow {
  const { id, market, selection, selectionType, player, stat, team, alternate } = identity;
  return {
    place: -1,
    id: detachedText(id),
    book: intern(book),
    market: intern(market),
    selection: intern(selection),
    selectionType: intern(selectionType),
    player: player === null ? null : intern(player),
    stat: stat === null ? null : intern(stat),
    team,
    alternate,
    no,
    removedUs: 0,
    opening,
    seenMs: 0,
    lastBeforeClose: null,
  };
}
