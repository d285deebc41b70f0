// The writing side of a shard's store: one transaction per batch, with the slabs it touched and its log entry.

import { Arena } from '../../base/memory/arena.js';
import type { ResultRecord } from '../../base/model/result.js';
import { ShardRow } from '../../base/model/shard-row.js';
import { type BookQuotes, type EventState, newEventState, newQuotes } from '../../base/model/state.js';
import { isNoRoom, StorageFull } from '../../base/model/storage-error.js';
import { decode, encode } from '../../base/wire/codec.js';
import { noteDraw } from '../../detection/draws.js';
import type { StoredOpportunities } from '../../detection/watched-universe.js';
import { type Delta, encodeDelta, type SplitsDelta } from '../../log/delta/delta.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import {
  extrasOf,
  forgetSplits,
  readFutures,
  readLatestSplits,
  readResults,
  writeExtras,
} from '../../store/extras-store.js';
import { packFixed, readFixed, readShardRows } from '../../store/fixed-slab.js';
import type { LaterNumbers } from '../../store/later-numbers.js';
import { OpportunityStore } from '../../store/opportunity-store.js';
import { bytesIn, ReservedSpace, type Write } from '../../store/reserved-space.js';
import {
  readMeta,
  type ShardEnv,
  type ShardMeta,
  slabKey,
  splitSlabKey,
  usedBytes,
  writeMeta,
} from '../../store/shard-env.js';
import { type Removal, readLogTail, type StoredEvent } from '../../store/shard-reader.js';
import { CommitGuard } from '../../store/shared-memory.js';
import { broughtUp, NumbersReader, packNumbers, readStatements } from '../../store/slab.js';
import { eventDelta, rowDeepLink } from '../shard/delta-builder.js';
import { settleEvent } from '../shard/liveness.js';
import { type Commit, type PreparedCommit, RESULTS_MS, type ShardStore } from '../shard/shard.js';
import type { ShardState } from '../shard/shard-state.js';
import { type EventBehind, SlabBacklog } from './slab-backlog.js';

export interface Retention {
  /** Log entries older than this are dropped. */
  logSeconds: number;
  /** The log is shortened if it grows past this. */
  logBytesMax: number;
  /** Commits are refused (StorageFull) past this size of the file. */
  fileBytesMax: number;
  /** How long results are stored after their game's start. */
  resultsMs?: number;
  /** Sources of results whose words are kept before others', where a game has too many. */
  resultSources?: readonly string[];
  /** RecordedPositions, if history is kept. */
  recorded?: SharedArrayBuffer;
}

const LOG_RETENTION_MIN_S = 120;
/** Maximum number of log entries dropped per commit: cutting must not stall a batch, unless there is no room. */
const CUT_ENTRIES_MAX = { usual: 64, whenFull: 1_024 } as const;

export class ShardWriter implements ShardStore {
  readonly #env: ShardEnv;
  readonly #catalogue: Catalogue;
  readonly #retention: Retention;
  readonly #guard: CommitGuard;
  readonly #opportunities: OpportunityStore;
  readonly #space: ReservedSpace;
  readonly #arena = new Arena();
  readonly #behind = new SlabBacklog();
  #meta: ShardMeta;
  #commits = 0;
  /** Commits are parts of one transaction. */
  #together = false;
  /**
   * Position of the oldest entry of the log, or one before it: nothing needs to be cut while that is within the
   * retention.
   */
  #oldestPosition = 0;
  /**
   * How far the process's own late readers have read: the log is not cut past it. If the clock is set or the machine
   * slept, entries become old at once that nobody had time to read.
   */
  readTo = Number.POSITIVE_INFINITY;
  /**
   * How far history has written the log: what it has not written stays, as long as `logBytesMax` allows and commits find
   * room.
   */
  recordedTo = Number.POSITIVE_INFINITY;

  /** @param guard needed if another thread may terminate this one */
  constructor(env: ShardEnv, catalogue: Catalogue, retention: Retention, guard?: CommitGuard) {
    this.#env = env;
    this.#guard = guard ?? new CommitGuard(CommitGuard.memory());
    this.#catalogue = catalogue;
    this.#retention = retention;
    this.#meta = readMeta(env);
    this.#opportunities = new OpportunityStore(env);
    this.#space = new ReservedSpace(env.path);
  }

  load(state: ShardState): void {
    const env = this.#env;
    this.#meta = readMeta(env);
    state.nextEventNo = this.#meta.nextEventNo;
    state.books.load(this.#meta.bookNames);
    const events = new Map<number, EventState>();
    for (const { value } of env.events.getRange()) {
      const event = restoreEvent(decode(value) as StoredEvent);
      events.set(event.no, event);
    }
    const behind: { no: number; sinceUs: number; quotes?: BookQuotes }[] = [];
    const after = readLogTail(env, (no, sinceUs) => void behind.push({ no, sinceUs }));
    this.#opportunities.load(after.opportunities);
    for (const { key, value } of env.numbers.getRange()) {
      const quotes = this.#loadQuotes(key, value, after.numbers, events, state);
      const since = quotes && after.numbers.book(quotes.event.no, quotes.book);
      if (since !== undefined) behind.push({ no: quotes!.event.no, sinceUs: since.sinceUs, quotes: quotes! });
    }
    this.#behind.load(behind);
    for (const event of events.values()) {
      state.events.add(event);
      state.names.countGame(event, 1);
      const { startMs, status, live, calledOffMs, liveSince } = event;
      settleEvent(event, this.#meta.position / 1000);
      // What was committed stays valid: time that has passed since is handled by the next tick, and what sources of
      // results told is not known yet.
      Object.assign(event, { startMs, status, live, calledOffMs, liveSince });
      if (event.status === 'upcoming' && !event.live) event.deadlineMs = Math.min(event.deadlineMs, event.startMs);
    }
    for (const { key, value } of env.leaguePolls.getRange())
      state.leaguePolls.set(key, (decode(value) as { us: number }).us);
    state.futures.load(readFutures(env));
  }

  get opportunities(): StoredOpportunities {
    return this.#opportunities.stored;
  }

  results(): Iterable<ResultRecord> {
    return readResults(this.#env);
  }

  get resultsMs(): number {
    return this.#retention.resultsMs ?? RESULTS_MS;
  }

  get resultSources(): readonly string[] {
    return this.#retention.resultSources ?? [];
  }

  latestSplits(): Iterable<SplitsDelta> {
    return readLatestSplits(this.#env);
  }

  get keepUnwatchedMs(): number {
    return this.#retention.logSeconds * 1000;
  }

  #loadQuotes(
    key: number,
    stored: Buffer,
    later: LaterNumbers,
    events: Map<number, EventState>,
    state: ShardState,
  ): BookQuotes | undefined {
    const intern = (text: string): string => state.texts.intern(text);
    const { eventNo, bookNo } = splitSlabKey(key);
    const event = events.get(eventNo);
    const book = state.books.names[bookNo];
    const fixedSlab = this.#env.fixed.getBinary(key);
    if (event === undefined || book === undefined) return undefined;
    const quotes = newQuotes(event, book, bookNo);
    const slab = broughtUp(stored, later, eventNo, book);
    readStatements(slab, quotes);
    quotes.restated = false;
    const numbers = new NumbersReader(slab);
    quotes.polledUs = numbers.polledUs;
    quotes.appliedUs = numbers.appliedUs;
    let rows = 0;
    if (fixedSlab !== undefined) {
      const own = readShardRows(fixedSlab, intern);
      rows = readFixed(fixedSlab, numbers, intern, (fixed, prices, i) => {
        if (prices.no !== fixed.no) throw new Error(`slab ${key} does not match its fixed part`);
        const { ids } = fixed;
        const origin = { marketId: ids?.market ?? null, ...own[i]! };
        origin.externalId = ids?.selection ?? origin.externalId;
        const row = new ShardRow(state.numbers, fixed, prices, origin, fixed.details);
        quotes.rows.set(row.key, row);
        state.names.countRow(row, 1);
        noteDraw(event, book, fixed, this.#catalogue.types);
      });
    }
    if (rows !== numbers.count) throw new Error(`slab ${key} does not match its fixed part`);
    event.books.set(book, quotes);
    state.books.addGame(bookNo);
    state.rowCount += quotes.rows.size;
    // Amounts that a slab of an earlier release has no room for.
    quotes.fixedPartsDirty =
      !numbers.hasAmounts && [...quotes.rows.values()].some(({ details }) => details.exchange !== null);
    return quotes;
  }

  prepare(commit: Commit): PreparedCommit {
    const { position, delta, state } = commit;
    const bytes = commit.bytes ?? encodeDelta(delta);
    this.#checkRoom(position);
    this.#arena.reset();
    let changed = 0;
    const ends = this.#opportunities.note(delta.opportunities, position, (no) => {
      this.#behind.add(no, position);
      changed++;
    });
    const writes = [...ends, ...this.#writesOf(commit)];
    for (const _book of commit.books) changed++;
    const gone = new Set(commit.dropped.map(({ no }) => no));
    const due = this.#behind.due(position, changed, bytes.length);
    for (const { no, books } of due) {
      if (!gone.has(no)) for (const quotes of books) writes.push(this.#numbers(quotes, state));
      writes.push(...this.#opportunities.slab(no));
    }
    const { version, cutTo, logBytes } = this.#meta;
    const meta: ShardMeta = {
      version,
      position,
      nextEventNo: state.nextEventNo,
      bookNames: state.books.names,
      logBytes: logBytes + bytes.length,
      cutTo,
      slabsTo: this.#behind.to(position, due),
    };
    // Of the log and of extras; what is cut from the log lies side by side.
    this.#space.reserve(writes.length + 2 + extrasOf(delta), bytesIn(writes) + 2 * bytes.length, this.#together);
    const committed = (): void => {
      this.#commit(meta, writes, delta, bytes);
      this.#putDone(due);
      for (const no of gone) this.#behind.remove(no);
    };
    return { bytes, commit: committed };
  }

  #commit(meta: ShardMeta, writes: readonly Write[], delta: Delta, bytes: Uint8Array): void {
    const { position } = delta;
    try {
      this.#transact(() => {
        for (const { run } of writes) run();
        writeExtras(this.#env, delta);
        void this.#env.log.put(position, bytes as Buffer);
        this.#cutLog(meta, 'usual');
        writeMeta(this.#env, meta);
      });
    } catch (error) {
      // Its cuts to the log are undone.
      this.#oldestPosition = 0;
      if (!isNoRoom(error) || error instanceof StorageFull) throw error;
      // What makes room is not undone with this commit.
      if (!this.#together) this.#dropExpired(position);
      throw new StorageFull(error);
    }
    this.#meta = meta;
  }

  /** Settles when everything committed so far is on the disk (the guarantee of `--durability flush`). */
  flushed(): Promise<unknown> {
    return this.#env.root.flushed;
  }

  /** Puts all slabs, so that the next start need not fold the log; for want of room it will. */
  async close(): Promise<void> {
    const { position } = this.#meta;
    const behind = this.#behind.all();
    try {
      if (behind.length > 0) this.#cutInto(position, position, this.#slabsAsCommitted(behind), 'usual');
    } finally {
      this.#space.close();
      await this.#env.root.close();
    }
  }

  /** All commits of `work` as one transaction; if it throws, none of them, and the state is to be loaded again. */
  together<Result>(work: () => Result): Result {
    this.#together = true;
    try {
      return this.#guard.run(() => this.#env.root.transactionSync(work));
    } finally {
      this.#together = false;
    }
  }

  #transact(writes: () => void): void {
    if (this.#together) writes();
    else this.#guard.run(() => this.#env.root.transactionSync(writes));
  }

  /**
   * The contents of the transaction, encoded before it begins, so that it holds the store's lock as briefly as
   * possible.
   */
  #writesOf({ events, dropped, books, restructured, state, delta }: Commit): Write[] {
    const env = this.#env;
    const writes: Write[] = [];
    const write = (bytes: number, run: () => void): void => void writes.push({ bytes, run });
    for (const event of dropped) {
      write(0, () => void env.events.remove(event.no));
      write(0, () => forgetSplits(env, event.id));
      for (const quotes of event.books.values()) {
        const key = slabKey(event.no, quotes.bookNo);
        write(0, () => void env.numbers.remove(key));
        write(0, () => void env.fixed.remove(key));
      }
    }
    const gone = new Set(dropped);
    for (const event of events) {
      if (!event.dirty) continue;
      const stored = encode({ ...eventDelta(event), bornUs: event.createdPosition } satisfies StoredEvent);
      write(stored.length, () => void env.events.put(event.no, stored));
    }
    const removals: Removal[] = [];
    for (const quotes of books) {
      removals.push(...removalsOf(quotes));
      if (gone.has(quotes.event)) continue;
      if (!restructured.has(quotes)) {
        this.#behind.add(quotes.event.no, delta.position, quotes);
        continue;
      }
      writes.push(this.#numbers(quotes, state));
      const fixed = packFixed(quotes, (row) => rowDeepLink(row, quotes, this.#catalogue));
      write(fixed.length, () => void env.fixed.put(slabKey(quotes.event.no, quotes.bookNo), fixed));
    }
    if (removals.length > 0) {
      const encoded = encode(removals);
      write(encoded.length, () => void env.removals.put(delta.position, encoded));
    }
    for (const poll of state.dirtyLeaguePolls) {
      const us = state.leaguePolls.get(poll);
      if (us === undefined) {
        write(0, () => void env.leaguePolls.remove(poll));
        continue;
      }
      const encoded = encode({ us });
      write(encoded.length, () => void env.leaguePolls.put(poll, encoded));
    }
    return writes;
  }

  #numbers(quotes: BookQuotes, state: ShardState): Write {
    const key = slabKey(quotes.event.no, quotes.bookNo);
    const numbers = packNumbers(quotes, state.numbers, this.#arena);
    return { bytes: numbers.length, run: () => void this.#env.numbers.put(key, numbers) };
  }

  /** Drops entries past the retention, a few per commit. */
  #cutLog(meta: ShardMeta, why: keyof typeof CUT_ENTRIES_MAX): void {
    const { log, removals, endings } = this.#env;
    const keepAlways = meta.position - LOG_RETENTION_MIN_S * 1e6;
    const keepFrom = meta.position - this.#retention.logSeconds * 1e6;
    if (this.#oldestPosition >= keepFrom && meta.logBytes <= this.#retention.logBytesMax) return;
    for (const { key, value } of log.getRange({ limit: CUT_ENTRIES_MAX[why] })) {
      this.#oldestPosition = key;
      if (key >= keepFrom && meta.logBytes <= this.#retention.logBytesMax) break;
      // The delayed table reads a minute behind the head, whatever the size of the log.
      if (key >= keepAlways || key > this.readTo || key > meta.slabsTo) break;
      // History that cannot write must not fill the disk, or keep it full: it has a gap then.
      if (key > this.recordedTo && meta.logBytes <= this.#retention.logBytesMax && why === 'usual') break;
      meta.logBytes -= value.length;
      meta.cutTo = key;
      void log.remove(key);
      void removals.remove(key);
      void endings.remove(key);
    }
  }

  /**
   * Makes room if there is none for a commit, which would have done it: otherwise a full store would stay full for
   * ever.
   */
  #dropExpired(nowUs: number): void {
    const { position, slabsTo } = this.#meta;
    if (!this.#cutInto(nowUs, slabsTo, [])) return;
    // Further only once the slabs have what is cut.
    const put = this.#behind.behindAt(position);
    if (this.#cutInto(nowUs, this.#behind.to(position, put), this.#slabsAsCommitted(put))) this.#putDone(put);
  }

  #putDone(put: readonly EventBehind[]): void {
    this.#behind.delete(put);
    for (const { no } of put) this.#opportunities.putOf(no);
  }

  /** Slabs of events as of the last commit, whatever the present batch has changed. */
  #slabsAsCommitted(events: readonly EventBehind[]): Write[] {
    const { numbers } = this.#env;
    const after = readLogTail(this.#env);
    const writes: Write[] = [];
    for (const { no, books } of events) {
      for (const { event, book, bookNo } of books) {
        const key = slabKey(no, bookNo);
        const slab = broughtUp(numbers.getBinary(key)!, after.numbers, event.no, book);
        writes.push({ bytes: slab.length, run: () => void numbers.put(key, slab) });
      }
      writes.push(...after.opportunities.slab(no));
    }
    return writes;
  }

  #cutInto(
    nowUs: number,
    slabsTo: number,
    slabs: readonly Write[],
    why: keyof typeof CUT_ENTRIES_MAX = 'whenFull',
  ): boolean {
    const meta = { ...this.#meta, position: nowUs, slabsTo };
    const { position } = this.#meta;
    try {
      this.#space.reserve(slabs.length, bytesIn(slabs));
      this.#transact(() => {
        for (const { run } of slabs) run();
        this.#cutLog(meta, why);
        writeMeta(this.#env, { ...meta, position });
      });
    } catch (error) {
      this.#oldestPosition = 0;
      if (isNoRoom(error)) return false;
      throw error;
    }
    this.#meta = { ...meta, position };
    return true;
  }

  #checkRoom(nowUs: number): void {
    // Reading LMDB's size at every commit would cost more than most commits.
    if (this.#commits++ % 16 !== 0) return;
    const bytesMax = this.#retention.fileBytesMax;
    if (usedBytes(this.#env) < bytesMax) return;
    this.#dropExpired(nowUs);
    if (usedBytes(this.#env) < bytesMax) return;
    this.#commits = 0;
    throw new StorageFull(`the shard's data has reached --map-size (${bytesMax} bytes)`);
  }
}

/** Rows that readers have known and must remove. */
function removalsOf(quotes: BookQuotes): Removal[] {
  const { id: eventId, sport, league } = quotes.event;
  const removals: Removal[] = [];
  for (const { id, market, alternate, createdPosition, change } of quotes.removed?.values() ?? [])
    if (change === 0)
      removals.push({ id, eventId, sport, league, book: quotes.book, market, alternate, bornUs: createdPosition });
  return removals;
}

function restoreEvent({ externalIds: _externalIds, bornUs, ...event }: StoredEvent): EventState {
  return { ...newEventState(event, bornUs), ...event };
}
