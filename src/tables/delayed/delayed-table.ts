// The Free tier's table: the odds table as it was a while ago, prices, rows and last_seen_at alike. A reader of the
// change log like any other, with a cursor that stays behind; it contains only the books of the delayed tiers.

import { Arena } from '../../base/memory/arena.js';
import { type Clock, monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp } from '../../base/model/storage-error.js';
import { formatMs } from '../../base/model/time.js';
import { encodePassing } from '../../base/wire/codec.js';
import { type Delta, decodeDelta } from '../../log/delta/delta.js';
import {
  type DelayedEvent,
  type DelayedSlab,
  type DelayedStore,
  delayedRow,
  type EncodedSlab,
  rowOfDelayed,
} from '../../store/delayed-store.js';
import { readMeta, type ShardEnv } from '../../store/shard-env.js';
import { cutPosition, firstPosition, mergedLogs } from '../../store/shard-reader.js';
import { readRow } from '../columns.js';
import { FuturesBoard } from '../futures.js';
import { loadShard, loadTable } from '../load.js';
import { type Applied, OddsTable, type TableFacts, type TableOptions } from '../table.js';

export interface DelayedTableOptions extends TableOptions {
  catalogue: TableFacts;
  clock: Clock;
  envs: readonly ShardEnv[];
  store: DelayedStore;
  /**
   * The store belongs to another process, which writes it meanwhile: it is read at once, as of one moment, and never
   * written.
   */
  readOnly?: boolean;
  delaySeconds: number;
  /** Removals are remembered as long as the log remembers changes. */
  logSeconds: number;
  /** The books of the delayed tiers. */
  keepBook(book: string): boolean;
  /** Position up to which the logs have every change: those of a node that follows others may lag behind the clock. */
  completeTo(): number;
  /** First position of the data directory. */
  createdPosition: number;
  /** The shards are as of a moment before they were last read: what was read of them since is lost. */
  fellBack: boolean;
  log: EngineLog;
}

/** Intervals at which due changes are applied, and at which the table is saved. */
const EVERY_MS = { advance: 200, store: 2_000 } as const;
/** Time spent at once on applying due changes and on filling the table at the start: the same thread serves. */
const PIECE_MS = { advance: 5, fill: 10 } as const;

export class DelayedTable {
  #table: OddsTable;
  #futures = new FuturesBoard([]);
  readonly #saver: DelayedSaver;
  readonly #options: DelayedTableOptions;
  /** Fills the table piece by piece; undefined once it is full. Ends with the position the table is as of. */
  #filling: Iterator<void, number | undefined> | undefined;
  #cursor = 0;
  /** When the table is as old as it must be (Unix ms): later than now if it had to be filled with the present. */
  #oldEnoughMs = 0;
  /** Shards that are read themselves, because they lost what the store has of them. */
  #stale: number[] = [];
  /** The table's position in each shard: the cursor, or later if it was read from the shards themselves. */
  #read: number[] = [];
  #advance: NodeJS.Timeout | undefined;
  #store: NodeJS.Timeout | undefined;
  #piece: NodeJS.Immediate | undefined;

  constructor(options: DelayedTableOptions) {
    this.#options = options;
    const { store, fellBack } = options;
    this.#table = new OddsTable(options.catalogue, options);
    this.#saver = new DelayedSaver(this.#table, store, options.log);
    // Only once: the next start would otherwise take it for current.
    if (!options.readOnly && !this.#reachesLog(store.position ?? Infinity)) store.clear();
    else if (fellBack) this.#forgetLost();
    this.#filling = this.#load();
    // Whatever is missing is filled from the log and the shards as they are now.
    if (store.position === undefined || this.#stale.length > 0 || options.readOnly)
      this.#fill(Number.POSITIVE_INFINITY);
  }

  /** If a shard is behind what was stored of it, that may be lost: the shard's present state is old enough. */
  #forgetLost(): void {
    const { store, envs } = this.#options;
    const position = store.position ?? 0;
    this.#stale = [...envs.keys()].filter((shard) => readMeta(envs[shard]!).position < position);
    store.forgetShards(new Set(this.#stale));
  }

  /** Whether the logs contain everything after it. */
  #reachesLog(position: number): boolean {
    return this.#options.envs.every((env) => cutPosition(env) <= position);
  }

  /**
   * The filled table: if it is needed before idle moments have filled it, it is filled now. Throws ApiError `unavailable`
   * while it is not old enough.
   */
  get table(): OddsTable {
    this.#fillAtOnce();
    return this.#table;
  }

  #fillAtOnce(): void {
    if (this.#filling !== undefined) this.#fill(Number.POSITIVE_INFINITY);
    const waitMs = this.#oldEnoughMs - this.#options.clock.now();
    if (waitMs > 0)
      throw new ApiError('unavailable', 'the odds of a minute ago are not known yet', {
        retryAfter: Math.ceil(waitMs / 1000),
      });
  }

  /** Futures as of the same time; throws as `table` does. After a start, what was listed anew within the delay is shown when it is due. */
  get futures(): FuturesBoard {
    this.#fillAtOnce();
    return this.#futures;
  }

  /** The position it is as of; 0 until it is filled. */
  get position(): number {
    return this.#cursor;
  }

  start(): void {
    this.#advance = setInterval(() => this.#advanceOn(), EVERY_MS.advance);
    if (!this.#options.readOnly) this.#store = setInterval(() => this.#save(), EVERY_MS.store);
    this.#fillOn();
  }

  /** Real-time tiers are served meanwhile. */
  #fillOn(): void {
    this.#piece = setImmediate(() => {
      this.#fill(PIECE_MS.fill);
      if (this.#filling !== undefined) this.#fillOn();
    });
  }

  #fill(forMs: number): void {
    const untilMs = monotonicMs() + forMs;
    while (this.#filling !== undefined && monotonicMs() < untilMs) {
      const { done, value } = this.#filling.next();
      if (!done) continue;
      // A generator that has thrown once is finished, with no result.
      if (value === undefined) throw new Error('the delayed table could not be filled from its store');
      this.#filling = undefined;
      this.#cursor = value;
      this.#table.position = value;
      this.#table.tombstones.completeFrom = value;
      this.#futures = new FuturesBoard(this.#options.envs, value);
      this.advance();
    }
  }

  #advanceOn(): void {
    // The next piece is one of the filling, which begins to advance when it is done.
    if (this.#filling !== undefined) return;
    clearImmediate(this.#piece);
    if (!this.advance(PIECE_MS.advance)) this.#piece = setImmediate(() => this.#advanceOn());
  }

  /**
   * Applies changes that are due, for about this long; returns whether that was all of them. Otherwise the table is of
   * an earlier moment, but consistent.
   */
  advance(forMs = Number.POSITIVE_INFINITY): boolean {
    // The filling is done.
    if (this.#filling !== undefined) return true;
    const { clock, delaySeconds, logSeconds, envs, completeTo } = this.#options;
    const until = Math.min(Math.floor(clock.now() * 1000) - delaySeconds * 1e6, completeTo());
    if (until <= this.#cursor) return true;
    // A view from earlier in this turn would not do if the clock has jumped since.
    for (const { root } of envs) root.resetReadTxn();
    if (this.#options.readOnly && !this.#reachesLog(this.#cursor)) this.#loadAnew();
    const untilMs = monotonicMs() + forMs;
    let reached = until;
    let last = this.#cursor;
    for (const { position, bytes } of mergedLogs(envs, this.#read, until)) {
      // Never between two entries of one position.
      if (last > this.#cursor && position > last && monotonicMs() >= untilMs) {
        reached = last;
        break;
      }
      const delta = decodeDelta(Uint8Array.from(bytes));
      if (this.#options.readOnly) this.#table.apply(delta);
      else {
        this.#saver.before(delta);
        this.#saver.note(delta, this.#table.apply(delta));
      }
      this.#futures.apply(delta);
      last = position;
    }
    this.#read = this.#read.map((read) => Math.max(read, reached));
    this.#cursor = reached;
    this.#table.position = reached;
    this.#table.tombstones.expire(reached - logSeconds * 1e6);
    return reached === until;
  }

  /**
   * The writer retains the log for its own needs; if this process stood still for longer, what the writer has stored is
   * closer.
   */
  #loadAnew(): void {
    this.#options.log.warn({}, 'the log was cut past the delayed table, which is read anew');
    this.#table = new OddsTable(this.#options.catalogue, this.#options);
    this.#filling = this.#load();
    this.#fill(Number.POSITIVE_INFINITY);
  }

  async close(): Promise<void> {
    clearInterval(this.#advance);
    clearInterval(this.#store);
    clearImmediate(this.#piece);
    if (this.#filling === undefined && !this.#options.readOnly) await this.#saver.close(this.#cursor);
    await this.#options.store.close();
  }

  /** Fills the table from its own store, and returns the position that is as of. */
  *#load(): Generator<void, number> {
    const { store, envs, clock, createdPosition, delaySeconds, log } = this.#options;
    const position = store.position;
    if (position === undefined || !this.#reachesLog(position)) {
      // A directory that was restored to a checkpoint has an epoch that begins after the first entries of its log.
      if (envs.every((env) => cutPosition(env) === 0)) {
        const first = Math.min(createdPosition, ...envs.map((env) => firstPosition(env) - 1));
        this.#read = envs.map(() => first);
        return first;
      }
      // Its own file is missing, or from before the log's first entry: what the shards have is old enough in a minute
      // from their last change; from now at the latest, as the clock may be behind that.
      const { position: present, shards } = loadTable(this.#table, envs, this.#options.keepBook);
      this.#oldEnoughMs = Math.min(present / 1000, clock.now()) + delaySeconds * 1000;
      log.warn(
        { until: formatMs(Math.ceil(this.#oldEnoughMs)) },
        'the delayed table has lost its state: the Free tier is answered with 503 until the present is old enough',
      );
      if (!this.#options.readOnly) this.#saver.noteAll();
      this.#read = shards;
      return present;
    }
    this.#read = envs.map(() => position);
    for (const { shard, ...event } of store.events()) this.#table.events.upsert(shard, event, this.#table.order);
    for (const key of store.slabKeys()) {
      const slab = store.slab(key);
      if (slab !== undefined) this.#insert(slab);
      yield;
    }
    for (const shard of this.#stale) loadShard(this.#table, envs[shard]!, shard, this.#options.keepBook);
    if (this.#stale.length > 0) this.#saver.noteAll();
    const slots = new Uint32Array(this.#table.rowCount);
    for (let slot = 1; slot <= slots.length; slot++) slots[slot - 1] = slot;
    this.#table.recency.rebuild(slots);
    return position;
  }

  #insert(slab: DelayedSlab): void {
    const event = this.#table.events.find(slab.shard, slab.event);
    if (event === undefined) return;
    const book = this.#table.books.number(slab.book);
    this.#table.bookPolledMs[book] = Math.max(this.#table.bookPolledMs[book] ?? 0, slab.polledMs);
    for (const stored of slab.rows) {
      const row = rowOfDelayed(stored);
      const slot = this.#table.insert(slab.shard, event, book, row, row, row);
      if (stored.depth !== undefined) this.#table.depths.set(slot, stored.depth, row.updatedPosition);
    }
  }

  #save(): void {
    if (this.#filling === undefined) this.#saver.begin(this.#cursor);
  }
}

// Saves the delayed table to its store: every two seconds everything that deltas have touched since, all as of one
// position. It is encoded in short pieces between other work; what a delta is about to change is encoded before it
// does.

/** Time spent encoding at once. */
const ENCODING_MS = 3;
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
      this.#run(save, ENCODING_MS);
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
