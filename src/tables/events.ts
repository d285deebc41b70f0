// The table's events: their public fields, and all of them in order of their starts.

import { detachedText } from '../base/memory/detached-text.js';
import { grown } from '../base/memory/grown.js';
import { compareText } from '../base/model/compare.js';
import type { GameState } from '../base/model/game-state.js';
import { LIMITS } from '../base/model/limits.js';
import type { EventDelta } from '../log/delta/delta.js';

const SHARDS_MAX = LIMITS.shards.max;

/** As in answers. */
export type ServedState = GameState & { score_home?: number | null; score_away?: number | null };

export interface TableEvent extends EventDelta {
  /** Index in the table's columns; reused after the event is removed. */
  index: number;
  shard: number;
  /** `{away} @ {home}` */
  name: string;
  state: ServedState | null;
  /** Position of the last delta that touched the event or any of its rows. */
  version: number;
  rows: EventRows;
  /** Slots of each book's rows, by book number. */
  byBook: Map<number, number[]>;
}

export class EventList {
  readonly #byId = new Map<string, TableEvent>();
  readonly #byNo = new Map<number, TableEvent>();
  readonly #byIndex: (TableEvent | undefined)[] = [];
  readonly #free: number[] = [];
  #ordered: TableEvent[] = [];
  #sorted = true;

  get size(): number {
    return this.#byId.size;
  }

  get(id: string): TableEvent | undefined {
    return this.#byId.get(id);
  }

  find(shard: number, no: number): TableEvent | undefined {
    return this.#byNo.get(numberKey(shard, no));
  }

  at(index: number): TableEvent {
    return this.#byIndex[index]!;
  }

  /** All events by start, then id. */
  ordered(): readonly TableEvent[] {
    if (!this.#sorted) {
      this.#ordered.sort(compareEvents);
      this.#sorted = true;
    }
    return this.#ordered;
  }

  /** A new event, or new fields of a known one. */
  upsert(shard: number, delta: EventDelta, order: RowOrder): TableEvent {
    const known = this.find(shard, delta.no);
    if (known !== undefined) {
      if (known.startMs !== delta.startMs) this.#sorted = false;
      known.startMs = delta.startMs;
      known.status = delta.status;
      known.live = delta.live;
      known.state = servedState(delta.state);
      known.stateBooks = delta.stateBooks ?? [];
      known.externalIds = delta.externalIds;
      if (delta.draws !== undefined) known.draws = delta.draws;
      if (delta.namesakes !== undefined) known.namesakes = delta.namesakes;
      if (delta.liveSince !== undefined) known.liveSince = delta.liveSince;
      if (delta.calledOffMs === undefined) delete known.calledOffMs;
      else known.calledOffMs = delta.calledOffMs;
      return known;
    }
    const index = this.#free.pop() ?? this.#byIndex.length;
    const event: TableEvent = {
      ...delta,
      state: servedState(delta.state),
      id: detachedText(delta.id),
      homeToken: detachedText(delta.homeToken),
      awayToken: detachedText(delta.awayToken),
      home: detachedText(delta.home),
      away: detachedText(delta.away),
      index,
      shard,
      name: detachedText(`${delta.away} @ ${delta.home}`),
      version: 0,
      rows: new EventRows(order),
      byBook: new Map(),
    };
    this.#byIndex[index] = event;
    this.#byId.set(event.id, event);
    this.#byNo.set(numberKey(shard, event.no), event);
    this.#ordered.push(event);
    this.#sorted = false;
    return event;
  }

  remove(event: TableEvent): void {
    this.#byId.delete(event.id);
    this.#byNo.delete(numberKey(event.shard, event.no));
    this.#byIndex[event.index] = undefined;
    this.#free.push(event.index);
    this.#ordered = this.#ordered.filter((other) => other !== event);
  }
}

/** Events are numbered by their shard. */
function numberKey(shard: number, no: number): number {
  return no * SHARDS_MAX + shard;
}

/** With the score under both names that clients read. */
function servedState(state: GameState | null): ServedState | null {
  if (state === null) return null;
  const { home_score, away_score } = state;
  return {
    ...state,
    ...(home_score === undefined ? {} : { score_home: home_score }),
    ...(away_score === undefined ? {} : { score_away: away_score }),
  };
}

export function compareEvents(a: { startMs: number; id: string }, b: { startMs: number; id: string }): number {
  return a.startMs - b.startMs || compareText(a.id, b.id);
}

// The rows of one event in serving order, for pages that walk the table event by event.

const START_SLOTS = 16;
/** A row that would move more rows than this is appended instead, and all are sorted when they are next read. */
const ROWS_MOVED = 64;

/** Negative if the row in slot `a` comes before the one in slot `b`. */
type RowOrder = (a: number, b: number) => number;

/** Sorted by market, line, selection and book on first use, and kept sorted from then on. */
export class EventRows {
  readonly #order: RowOrder;
  #slots = new Uint32Array(START_SLOTS);
  #count = 0;
  #sorted = true;
  /** Incremented when a row is added, removed or moved in the order: cached groupings of the rows depend on it. */
  structure = 0;

  constructor(order: RowOrder) {
    this.#order = order;
  }

  get count(): number {
    return this.#count;
  }

  /** The sorted slots: a view, valid until the next change. */
  sorted(): Uint32Array {
    const view = this.#slots.subarray(0, this.#count);
    if (!this.#sorted) {
      view.sort(this.#order);
      this.#sorted = true;
    }
    return view;
  }

  /** The slots in no particular order. */
  unsorted(): Uint32Array {
    return this.#slots.subarray(0, this.#count);
  }

  add(slot: number): void {
    this.structure++;
    if (this.#count === this.#slots.length) this.#slots = grown(this.#slots, this.#count * 2);
    // Rows that are added many at a time (a new event, a start from disk) are sorted once, on demand.
    if (!this.#sorted) {
      this.#slots[this.#count++] = slot;
      return;
    }
    const at = this.#lowerBound(slot);
    if (at === this.#count || this.#count - at > ROWS_MOVED) {
      this.#sorted = at === this.#count;
      this.#slots[this.#count++] = slot;
      return;
    }
    this.#slots.copyWithin(at + 1, at, this.#count);
    this.#slots[at] = slot;
    this.#count++;
  }

  /** Must be called before the row's sort columns change. */
  remove(slot: number): void {
    this.structure++;
    let at = this.#sorted ? this.#lowerBound(slot) : this.unsorted().indexOf(slot);
    if (this.#slots[at] !== slot) at = this.unsorted().indexOf(slot);
    if (at < 0) return;
    this.#slots.copyWithin(at, at + 1, this.#count);
    this.#count--;
  }

  /** Index of the first row for which `compare` is positive; the number of rows if there is none. */
  firstAfter(compare: (slot: number) => number): number {
    const slots = this.sorted();
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(slots[middle]!) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lowerBound(slot: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(this.#slots[middle]!, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
