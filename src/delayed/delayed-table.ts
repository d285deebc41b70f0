// The Free tier's table: the odds table as it stood a while ago, prices, rows and last_seen_at alike. A reader of the
// change log like any other, with a cursor that stays behind; it holds only the books that are read late.
import { type Clock, monotonicMs } from '../clock.js';
import type { EngineLog } from '../engine.js';
import type { Delta } from '../shard/delta.js';
import type { DelayedEvent, DelayedRow, DelayedSlab, DelayedStore } from '../store/delayed-store.js';
import type { ShardEnv } from '../store/shard-env.js';
import { cutPosition, decodeDelta, firstPosition, readLog } from '../store/shard-reader.js';
import { loadTable } from '../table/load.js';
import { type Applied, OddsTable, type TableOptions } from '../table/table.js';

export interface DelayedTableOptions {
  clock: Clock;
  envs: readonly ShardEnv[];
  store: DelayedStore;
  delaySeconds: number;
  /** The books that are read late. */
  keepBook(book: string): boolean;
  bookOrder: TableOptions['bookOrder'];
  /** First position of the data directory. */
  birth: number;
  /** The shards are as of a moment before they were last read: what was seen of them since is of a past that is gone. */
  fellBack: boolean;
  log: EngineLog;
}

const ADVANCE_MS = 200;
/** Of filling the table at start, at once. */
const PIECE_MS = 10;
const STORE_MS = 2_000;
const STORE_QUIET_US = 30e6;

export class DelayedTable {
  readonly #table: OddsTable;
  readonly #options: DelayedTableOptions;
  /** Fills the table piece by piece; undefined once it is full. Ends with the position it is true of. */
  #filling: Iterator<void, number | undefined> | undefined;
  #cursor = 0;
  #stored: Promise<void> = Promise.resolve();
  #storing = false;
  #storedTo = 0;
  #dirtyEvents = new Map<string, DelayedEvent>();
  #dirtySlabs = new Map<string, { shard: number; event: number; book: string }>();
  #dropped: { shard: number; event: number }[] = [];
  #advance: NodeJS.Timeout | undefined;
  #store: NodeJS.Timeout | undefined;
  #piece: NodeJS.Immediate | undefined;

  constructor(options: DelayedTableOptions) {
    this.#options = options;
    const { keepBook, bookOrder, store, fellBack } = options;
    this.#table = new OddsTable({ keepBook, bookOrder });
    // Told once: whoever starts next would take it for true.
    if (fellBack) store.clear();
    this.#filling = this.#load();
    // What is not there yet is made of the log and the shards as they are now.
    if (store.position === undefined) this.#fill(Number.POSITIVE_INFINITY);
  }

  /** Full: where it is asked for before it was filled in idle moments, that is done now. */
  get table(): OddsTable {
    if (this.#filling !== undefined) this.#fill(Number.POSITIVE_INFINITY);
    return this.#table;
  }

  start(): void {
    this.#advance = setInterval(() => this.advance(), ADVANCE_MS);
    this.#store = setInterval(() => this.#save(), STORE_MS);
    this.#fillOn();
  }

  /** The tiers that are not late are served meanwhile. */
  #fillOn(): void {
    this.#piece = setImmediate(() => {
      this.#fill(PIECE_MS);
      if (this.#filling !== undefined) this.#fillOn();
    });
  }

  #fill(forMs: number): void {
    const untilMs = monotonicMs() + forMs;
    while (this.#filling !== undefined && monotonicMs() < untilMs) {
      const { done, value } = this.#filling.next();
      if (!done) continue;
      // A generator that has thrown once is done, with nothing.
      if (value === undefined) throw new Error('the delayed table could not be filled from its store');
      this.#filling = undefined;
      this.#cursor = value;
      this.#table.position = value;
      this.#table.tombstones.completeFrom = value;
      this.advance();
    }
  }

  /** Applies what has become old enough to be shown. */
  advance(): void {
    // It is done with the filling.
    if (this.#filling !== undefined) return;
    const { clock, delaySeconds, envs } = this.#options;
    const until = Math.floor(clock.now() * 1000) - delaySeconds * 1e6;
    if (until <= this.#cursor) return;
    const entries: { position: number; delta: Delta }[] = [];
    for (const env of envs)
      for (const { position, bytes } of readLog(env, this.#cursor, until))
        entries.push({ position, delta: decodeDelta(Uint8Array.from(bytes)) });
    entries.sort((a, b) => a.position - b.position);
    for (const { delta } of entries) this.#note(delta, this.#table.apply(delta));
    this.#cursor = until;
    this.#table.position = until;
    this.#table.tombstones.expire(until - 900 * 1e6);
  }

  async close(): Promise<void> {
    clearInterval(this.#advance);
    clearInterval(this.#store);
    clearImmediate(this.#piece);
    await this.#stored;
    this.#save();
    await this.#stored;
    await this.#options.store.close();
  }

  /** Fills the table from its own store, and answers the position that is true of. */
  *#load(): Generator<void, number> {
    const { store, envs, birth, log } = this.#options;
    const position = store.position;
    if (position === undefined) {
      // A directory that fell back was born anew, after the first entries of its log.
      if (envs.every((env) => cutPosition(env) === 0))
        return Math.min(birth, ...envs.map((env) => firstPosition(env) - 1));
      // Its own file is gone but the log no longer reaches back to the beginning: the present is the best known past.
      log.warn({}, 'the delayed table has lost its state: for a minute the Free tier sees prices without their delay');
      const loaded = loadTable(this.#table, envs, this.#options.keepBook);
      this.#noteAll();
      return loaded.position;
    }
    for (const { shard, ...event } of store.events()) this.#table.events.upsert(shard, event, this.#table.order);
    for (const key of store.slabKeys()) {
      const slab = store.slab(key);
      if (slab !== undefined) this.#insert(slab);
      yield;
    }
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
    for (const { parts, ...row } of slab.rows)
      this.#table.insert(slab.shard, event, book, { ...row, source: parts, at: 0 });
  }

  /** Remembers what a delta touched, to be stored with the next save. */
  #note(delta: Delta, applied: Applied): void {
    const { shard } = delta;
    for (const event of delta.events) this.#dirtyEvents.set(`${shard}|${event.no}`, { ...event, shard });
    for (const no of delta.dropped) {
      this.#dirtyEvents.delete(`${shard}|${no}`);
      this.#dropped.push({ shard, event: no });
    }
    for (const { event, book } of applied.books) {
      const name = this.#table.books.name(book);
      this.#dirtySlabs.set(`${shard}|${event.no}|${name}`, { shard, event: event.no, book: name });
    }
  }

  /** Everything there is goes into the store with the next save. */
  #noteAll(): void {
    for (const event of this.#table.events.ordered()) {
      const { index: _index, name: _name, version: _version, rows: _rows, byBook, ...stored } = event;
      this.#dirtyEvents.set(`${event.shard}|${event.no}`, stored);
      for (const book of byBook.keys()) {
        const name = this.#table.books.name(book);
        this.#dirtySlabs.set(`${event.shard}|${event.no}|${name}`, { shard: event.shard, event: event.no, book: name });
      }
    }
  }

  /** One write at a time: what a failed one carried goes with the next, so that the store is never ahead of itself. */
  #save(): void {
    if (this.#storing || this.#filling !== undefined) return;
    const clean = this.#dirtyEvents.size === 0 && this.#dirtySlabs.size === 0 && this.#dropped.length === 0;
    // Even where its books are quiet the position moves on: the log must not be cut past what is stored.
    if (clean && this.#cursor - this.#storedTo < STORE_QUIET_US) return;
    this.#storedTo = this.#cursor;
    const events = this.#dirtyEvents;
    const slabs = this.#dirtySlabs;
    const dropped = this.#dropped;
    this.#dirtyEvents = new Map();
    this.#dirtySlabs = new Map();
    this.#dropped = [];
    this.#storing = true;
    this.#stored = this.#options.store
      .write({
        position: this.#cursor,
        events: [...events.values()],
        droppedEvents: dropped,
        slabs: [...slabs.values()].map((slab) => this.#slab(slab)),
      })
      .catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'the delayed table could not be stored; it will be tried again');
        this.#dirtyEvents = new Map([...events, ...this.#dirtyEvents]);
        this.#dirtySlabs = new Map([...slabs, ...this.#dirtySlabs]);
        this.#dropped = [...dropped, ...this.#dropped];
      })
      .finally(() => {
        this.#storing = false;
      });
  }

  #slab({ shard, event: no, book }: { shard: number; event: number; book: string }): DelayedSlab {
    const table = this.#table;
    const bookNo = table.books.number(book);
    const slots = table.events.find(shard, no)?.byBook.get(bookNo) ?? [];
    return {
      shard,
      event: no,
      book,
      polledMs: table.bookPolledMs[bookNo] ?? 0,
      rows: slots.map((slot) => this.#row(slot)),
    };
  }

  #row(slot: number): DelayedRow {
    const c = this.#table.columns;
    const line = c.line[slot]!;
    return {
      no: c.no[slot]!,
      id: c.id[slot]!,
      market: this.#table.markets.name(c.market[slot]!),
      selection: c.selection[slot]!,
      selectionType: c.selectionType[slot]!,
      player: c.player[slot]!,
      stat: c.stat[slot]!,
      team: c.team[slot]!,
      alternate: (c.flags[slot]! & 1) !== 0,
      american: c.american[slot]!,
      decimal: c.decimal[slot]!,
      line: Number.isNaN(line) ? null : line,
      seenMs: c.seenMs[slot]!,
      changedUs: c.changedUs[slot]!,
      bornUs: c.bornUs[slot]!,
      movedUs: c.movedUs[slot]!,
      ...this.#table.bytes.parts(slot),
    };
  }
}
