// Saves the delayed table to its store: every two seconds everything that deltas have touched since, all as of one
// position. It is encoded in short pieces between other work; what a delta is about to change is encoded before it
// does.

import { Arena } from '../../base/memory/arena.js';
import { monotonicMs } from '../../base/model/clock.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp } from '../../base/model/storage-error.js';
import { encodePassing } from '../../base/wire/codec.js';
import type { Delta } from '../../log/delta/delta.js';
import {
  type DelayedEvent,
  type DelayedSlab,
  type DelayedStore,
  delayedRow,
  type EncodedSlab,
} from '../../store/delayed-store.js';
import { readRow } from '../columns.js';
import type { Applied, OddsTable } from '../table.js';

/** Time spent encoding at once. */
const PIECE_MS = 3;
/** Even if its books are quiet the position advances: the log must not be cut past what is stored. */
const QUIET_US = 30e6;

type SlabName = Pick<DelayedSlab, 'shard' | 'event' | 'book'>;

/** What must be written, and which part of it is encoded. */
interface Save {
  position: number;
  events: Map<string, DelayedEvent>;
  slabs: Map<string, SlabName>;
  dropped: { shard: number; event: number }[];
  /** Members of `slabs` still to be encoded. */
  left: Map<string, SlabName>;
  encoded: EncodedSlab[];
}

export class DelayedSaver {
  readonly #table: OddsTable;
  readonly #store: DelayedStore;
  readonly #log: EngineLog;
  /** Memory of encoded slabs, until they are written. */
  readonly #arena = new Arena();
  #events = new Map<string, DelayedEvent>();
  #slabs = new Map<string, SlabName>();
  #dropped: { shard: number; event: number }[] = [];
  /** The one being encoded. */
  #save: Save | undefined;
  #piece: NodeJS.Immediate | undefined;
  #written: Promise<void> | undefined;
  #position = 0;

  constructor(table: OddsTable, store: DelayedStore, log: EngineLog) {
    this.#table = table;
    this.#store = store;
    this.#log = log;
  }

  /** To be called before the table applies the delta: a save that has begun is of the table as it is now. */
  before(delta: Delta): void {
    const left = this.#save?.left;
    if (left === undefined || left.size === 0) return;
    for (const [eventNo, book] of delta.books) {
      const key = keyOf(delta.shard, eventNo, book);
      const slab = left.get(key);
      if (slab !== undefined) this.#encode(key, slab);
    }
  }

  /** Marks what a delta touched, to be stored by the next save. */
  note(delta: Delta, applied: Applied): void {
    const { shard } = delta;
    for (const event of delta.events) this.#events.set(`${shard}|${event.no}`, { ...event, shard });
    for (const no of delta.dropped) {
      this.#events.delete(`${shard}|${no}`);
      this.#dropped.push({ shard, event: no });
    }
    for (const { event, book } of applied.books) this.#noteSlab(shard, event.no, this.#table.books.name(book));
  }

  /** Marks everything, to be stored by the next save. */
  noteAll(): void {
    for (const event of this.#table.events.ordered()) {
      const { index: _index, name: _name, version: _version, rows: _rows, byBook, ...stored } = event;
      this.#events.set(`${event.shard}|${event.no}`, stored);
      for (const book of byBook.keys()) this.#noteSlab(event.shard, event.no, this.#table.books.name(book));
    }
  }

  /**
   * Starts to store everything marked as of the table's position, unless the previous save is still running: a failed
   * save's contents go into the next, so that the store is never ahead of itself.
   */
  begin(position: number): void {
    if (this.#save !== undefined || this.#written !== undefined) return;
    const clean = this.#events.size === 0 && this.#slabs.size === 0 && this.#dropped.length === 0;
    if (clean && position - this.#position < QUIET_US) return;
    this.#position = position;
    const [events, slabs, dropped] = [this.#events, this.#slabs, this.#dropped];
    this.#events = new Map();
    this.#slabs = new Map();
    this.#dropped = [];
    this.#arena.reset();
    this.#save = { position, events, slabs, dropped, left: new Map(slabs), encoded: [] };
    this.#goOn(this.#save);
  }

  /** Stores everything marked; settles when it is written, or has failed. */
  async close(position: number): Promise<void> {
    await this.#finish();
    this.begin(position);
    await this.#finish();
  }

  /** Encodes the rest of the current save now. */
  async #finish(): Promise<void> {
    clearImmediate(this.#piece);
    if (this.#save !== undefined) this.#run(this.#save, Number.POSITIVE_INFINITY);
    await this.#written;
  }

  #noteSlab(shard: number, event: number, book: string): void {
    const key = keyOf(shard, event, book);
    if (!this.#slabs.has(key)) this.#slabs.set(key, { shard, event, book });
  }

  #goOn(save: Save): void {
    this.#piece = setImmediate(() => {
      this.#run(save, PIECE_MS);
      if (this.#save === save) this.#goOn(save);
    });
  }

  /** Encodes for about this long, and writes everything once all is encoded. */
  #run(save: Save, forMs: number): void {
    const untilMs = monotonicMs() + forMs;
    for (const [key, slab] of save.left) {
      this.#encode(key, slab);
      if (monotonicMs() >= untilMs && save.left.size > 0) return;
    }
    this.#save = undefined;
    const { position, events, dropped, encoded } = save;
    this.#written = this.#store
      .write({ position, events: [...events.values()], droppedEvents: dropped, slabs: encoded })
      .catch((error: unknown) => {
        endWhereGivenUp(error);
        this.#log.error({ err: error }, 'the delayed table could not be stored; it will be tried again');
        // Those that have left the table meanwhile stay away.
        for (const { shard, event } of this.#dropped) events.delete(`${shard}|${event}`);
        this.#events = new Map([...events, ...this.#events]);
        this.#slabs = new Map([...save.slabs, ...this.#slabs]);
        this.#dropped = [...dropped, ...this.#dropped];
      })
      .finally(() => {
        this.#written = undefined;
      });
  }

  #encode(key: string, { shard, event: no, book }: SlabName): void {
    const save = this.#save!;
    save.left.delete(key);
    const table = this.#table;
    const bookNo = table.books.number(book);
    const slots = table.events.find(shard, no)?.byBook.get(bookNo) ?? [];
    if (slots.length === 0) {
      save.encoded.push([key, null]);
      return;
    }
    const polledMs = table.bookPolledMs[bookNo] ?? 0;
    const rows = slots.map((slot) => delayedRow(readRow(table, slot), table.restOf(slot), table.depths.get(slot)));
    const slab: DelayedSlab = { shard, event: no, book, polledMs, rows };
    const bytes = encodePassing(slab);
    const copy = this.#arena.take(bytes.length);
    copy.set(bytes);
    save.encoded.push([key, copy]);
  }
}

function keyOf(shard: number, event: number, book: string): string {
  return `${shard}|${event}|${book}`;
}
