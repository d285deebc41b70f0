// The engine in a front: a table and opportunities updated by the log that another process writes; everything that only
// that process can do is requested from it. Rows are loaded from its stores, opened read-only; then the log is
// followed.
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../accounts/caller.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { loadCatalogue } from '../catalogue/load.js';
import { isDelayed } from '../catalogue/tiers.js';
import type { Tier } from '../catalogue/types.js';
import { Control } from '../control/control.js';
import { DelayedTable } from '../delayed/delayed-table.js';
import type { EvaluationQuestion } from '../detect/question.js';
import { startUniverses } from '../detect/start-universes.js';
import type { FeedInfo } from '../feeds/feed-watch.js';
import { type AskedUniverse, DEADLINE_MS, RENEW_MS, type Requests, type ShardWhole } from '../log/requests.js';
import type { Beat, Hello, LogHandlers, LogSource } from '../log/source.js';
import { type Clock, monotonicMs } from '../model/clock.js';
import { ApiError, noWriter } from '../model/errors.js';
import type { EngineLog } from '../model/log.js';
import type { MoneySettings } from '../model/money.js';
import type { UniverseSpec } from '../model/opportunity.js';
import { decodeLogMessage } from '../pool/log-message.js';
import type { DelayedStore } from '../store/delayed-store.js';
import { loadTable } from '../table/load.js';
import { OddsTable } from '../table/table.js';
import { booksOf } from './books-of.js';
import { Conditions } from './conditions.js';
import type { DeltaListener } from './delta-listener.js';
import type { ClusterState, EngineView, IngestAnswer, IngestOptions, StoreView } from './engine-view.js';
import type { Evaluated } from './evaluations.js';
import { FollowedUniverses } from './followed-universes.js';
import { Follower } from './follower.js';
import { nodeName } from './node-name.js';
import { PendingMessages } from './pending-messages.js';

export interface FollowingEngineOptions {
  /** The writer's stores, opened read-only. */
  directory: StoreView & { close(): Promise<void> };
  delayedStore: DelayedStore;
  source: LogSource;
  clock: Clock;
  /** Undefined means the built-in catalogue. */
  catalogueDir: string | undefined;
  money?: MoneySettings;
  logSeconds: number;
  delaySeconds: number;
  log: EngineLog;
  /** The log can no longer be followed: this front must be replaced. */
  onEnd(reason: string): void;
}

/** Delay before a failed attempt is repeated. */
const RETRY_MS = 250;

export class FollowingEngine implements EngineView, LogHandlers {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly table: OddsTable;
  readonly directory: FollowingEngineOptions['directory'];
  readonly control: Control;
  readonly alone = false;
  readonly queueDepths: readonly number[] = [];
  feeds: readonly FeedInfo[] = [];
  readonly unmatched = () => this.#source.request('unmatched', null, DEADLINE_MS.unmatched);
  readonly #options: FollowingEngineOptions;
  readonly #name = nodeName();
  readonly #source: LogSource;
  readonly delayed: DelayedTable;
  readonly #follower: Follower;
  readonly #universes = new FollowedUniverses();
  readonly #permanent: ReadonlySet<string>;
  readonly #conditions = new Conditions();
  /** Messages are buffered until it is known what has been missed. */
  readonly #pending = new PendingMessages();
  /** Incremented with every connection: work begun for an earlier one is abandoned. */
  #connection = 0;
  #epoch: string;
  #writer: string | null = null;
  #fronts = 0;
  /** Position of the last message. */
  #reached = 0;
  /** The table was ahead of the first messages when it was loaded: it is consistent from this position on. */
  readonly #wholeFrom: number;
  /** The writer's clock when everything it had committed was known here. */
  #headMs = 0;
  #renewal: NodeJS.Timeout | undefined;
  #closed = false;

  /** Follows the log and loads the table; settles when it is connected, rejects if the stores cannot be read. */
  static open(options: FollowingEngineOptions): Promise<FollowingEngine> {
    return new Promise((resolve, reject) => {
      let engine: FollowingEngine | undefined;
      options.source.follow({
        opened: (hello) => {
          if (engine !== undefined) engine.opened(hello);
          else
            try {
              engine = new FollowingEngine(options, hello);
              resolve(engine);
            } catch (error) {
              reject(error);
            }
        },
        message: (bytes) => engine?.message(bytes),
        beat: (beat) => engine?.beat(beat),
        lost: () => engine?.lost(),
        tooOld: (reason) => engine?.tooOld(reason),
      });
    });
  }

  /** Within the call that reported the connection: earlier commits are in the stores, later ones will be received. */
  private constructor(options: FollowingEngineOptions, hello: Hello) {
    this.#options = options;
    this.catalogue = loadCatalogue(options.catalogueDir, options.money);
    this.clock = options.clock;
    this.directory = options.directory;
    this.#source = options.source;
    this.control = new Control(options.directory.control, (body) =>
      this.#source.request('control', body, DEADLINE_MS.control),
    );
    const { envs, createdPosition } = options.directory;
    const books = booksOf(this.catalogue);
    // Every front has a table, and caches its answers: ready-made rows would be a second cache.
    this.table = new OddsTable({ ...books, rows: 'composed' });
    const { position, shards } = loadTable(this.table, envs);
    this.table.position = Math.max(position, createdPosition);
    this.table.tombstones.completeFrom = Math.max(this.table.tombstones.completeFrom, createdPosition);
    this.#wholeFrom = position;
    this.delayed = new DelayedTable({
      clock: options.clock,
      envs,
      store: options.delayedStore,
      readOnly: true,
      rows: 'composed',
      delaySeconds: options.delaySeconds,
      logSeconds: options.logSeconds,
      keepBook: (book) => this.catalogue.tierAllows('free', book),
      ...books,
      completeTo: () => this.reachedFor('enterprise'),
      createdPosition,
      fellBack: false,
      log: options.log,
    });
    this.#follower = new Follower(this.table, envs, shards, options.logSeconds, this);
    this.#permanent = new Set(startUniverses(this.catalogue).map(({ key }) => key));
    this.#epoch = hello.epoch;
    if (hello.epoch !== options.directory.epoch) throw new Error('the log is of another data directory');
    this.#connected(hello);
    this.#release();
  }

  start(): void {
    this.delayed.start();
    this.#renewal = setInterval(() => this.#renew(), RENEW_MS);
  }

  tick(): void {
    this.delayed.advance();
  }

  get oldestPosition(): number {
    return this.table.tombstones.completeFrom;
  }

  get cluster(): ClusterState {
    const lagMs = this.#headMs === 0 ? 0 : Math.max(0, Math.round(this.clock.now() - this.#headMs));
    return { role: 'front', writer: this.#writer, position: this.table.position, lagMs, fronts: this.#fronts };
  }

  /** Whether the table is consistent, and nothing is being caught up with. */
  get whole(): boolean {
    return !this.#pending.holding && this.#reached >= this.#wholeFrom;
  }

  /** Rejects as in EngineView; `unavailable` while there is no writer. */
  async ingest(raw: readonly unknown[], { strict = false }: IngestOptions = {}): Promise<IngestAnswer> {
    if (this.#writer === null) throw noWriter();
    const answer = await this.#source.request('ingest', { messages: raw, strict }, DEADLINE_MS.ingest);
    await this.#conditions.until(() => this.table.position >= answer.position && this.whole, DEADLINE_MS.ingest);
    return answer;
  }

  async ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void> {
    const asked = { spec, caller };
    this.#universes.ask(asked);
    const untilMs = this.#permanent.has(spec.key) ? Number.POSITIVE_INFINITY : monotonicMs() + DEADLINE_MS.universes;
    // If there is a new connection meanwhile, this universe is requested with all the others.
    while (!this.#universes.isKnown(spec.key)) {
      let connection = this.#connection;
      try {
        await this.#conditions.until(() => this.#writer !== null && !this.#pending.holding, DEADLINE_MS.universes);
        connection = this.#connection;
        const { position, shards } = await this.#ask([asked]);
        await this.#conditions.until(
          () => this.#reached >= position || connection !== this.#connection,
          DEADLINE_MS.universes,
        );
        if (connection === this.#connection && !this.#pending.holding) this.#deliverWhole(position, shards, [spec.key]);
      } catch (error) {
        if (connection !== this.#connection) continue;
        // A writer that has just started does not answer yet.
        const refused = error instanceof ApiError && error.code === 'rate_limited';
        if (error instanceof ApiError && !refused && !this.#closed && monotonicMs() < untilMs) await pause(RETRY_MS);
        else {
          this.#universes.drop(spec.key);
          throw error;
        }
      }
    }
  }

  dropUniverse(key: string): void {
    // The writer releases it if nobody renews it.
    if (!this.#permanent.has(key)) this.#universes.drop(key);
  }

  async evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    if (this.#writer === null) throw noWriter();
    return await this.#source.request('evaluate', { question, caller }, DEADLINE_MS.evaluate);
  }

  tableFor(tier: Tier): OddsTable {
    return isDelayed(tier) ? this.delayed.table : this.table;
  }

  positionFor(tier: Tier): number {
    return isDelayed(tier) ? this.delayed.position : this.table.position;
  }

  reachedFor(tier: Tier): number {
    const position = this.positionFor(tier);
    return isDelayed(tier) || !this.whole ? position : Math.max(position, this.#reached);
  }

  onDelta(listener: DeltaListener): void {
    this.#follower.listen(listener);
  }

  opened(hello: Hello): void {
    if (hello.epoch !== this.#epoch) {
      this.#options.onEnd('the log began anew: the data directory is of another epoch');
      return;
    }
    this.#connected(hello);
    if (hello.contiguous) this.#askAnew(this.#connection);
    else this.#unlessFailed(this.#join(this.#connection));
  }

  message(bytes: Uint8Array): void {
    if (!this.#pending.holding) {
      try {
        this.#take(bytes);
      } catch (error) {
        this.#failed(error);
      }
      return;
    }
    if (!this.#pending.push(bytes))
      this.#options.onEnd('too much was committed while this front waited for the active opportunities');
  }

  beat({ position, writerMs, fronts, feeds }: Beat): void {
    this.#fronts = fronts;
    this.feeds = feeds ?? [];
    if (!this.#pending.holding && this.#reached < position) this.#reached = position;
    if (!this.#pending.holding) this.#headMs = writerMs;
    this.#conditions.changed();
  }

  lost(): void {
    this.#writer = null;
    this.#connection++;
  }

  tooOld(reason: string): void {
    this.#options.onEnd(reason);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#renewal);
    await this.control.close();
    await this.#source.close();
    this.#conditions.close();
    await this.delayed.close();
    await this.directory.close();
  }

  #connected({ writer, head }: Hello): void {
    this.#connection++;
    this.#writer = writer;
    this.#reached = Math.max(this.#reached, head);
    this.#conditions.changed();
  }

  /** Applies the buffered messages after a position. */
  #release(after = 0): void {
    for (const bytes of this.#pending.release()) if (decodeLogMessage(bytes).position > after) this.#take(bytes);
    this.#conditions.changed();
  }

  #take(bytes: Uint8Array): void {
    const { position, shard, delta, news } = decodeLogMessage(bytes);
    const ownNews = this.#universes.newsFor(position, shard, news);
    // Rows may have been loaded that are ahead of the log received by then.
    if (position > this.#follower.appliedOf(shard)) this.#follower.deliver({ delta, news: ownNews });
    else if (ownNews.universes.length > 0) this.#follower.deliverNews(position, shard, ownNews);
    this.#reached = position;
    this.#conditions.changed();
  }

  /**
   * A new connection: messages may have been missed, and with them changes of opportunities, which no log contains. All
   * messages are buffered until the writer has sent the active opportunities; then rows are read from its log up to
   * there, and no reader sees anything in between.
   */
  async #join(connection: number): Promise<void> {
    this.#pending.hold();
    while (connection === this.#connection && !this.#closed) {
      try {
        const asked = this.#universes.asked;
        const { position, shards } = await this.#ask(asked);
        if (connection !== this.#connection || this.#closed) return;
        const missed = this.#follower.missedOfAll(position);
        if (missed === undefined) {
          this.#options.onEnd('the log no longer holds what this front has missed');
          return;
        }
        for (const batch of missed) this.#follower.deliver(batch);
        this.#reached = Math.max(this.#reached, position);
        this.#deliverWhole(
          position,
          shards,
          asked.map(({ spec }) => spec.key),
        );
        this.#release(position);
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await pause(RETRY_MS);
      }
    }
  }

  /** The log continues without a gap, but the writer may be another one, which does not know our universes. */
  #askAnew(connection: number): void {
    const asked = this.#universes.asked;
    const again = async (): Promise<void> => {
      while (connection === this.#connection && !this.#closed) {
        try {
          await this.#ask(asked);
          return;
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          await pause(RETRY_MS);
        }
      }
    };
    this.#unlessFailed(again());
    if (this.#pending.holding) this.#release();
  }

  #ask(asked: readonly AskedUniverse[]): Promise<Requests['universes']['answer']> {
    return this.#source.request('universes', { front: this.#name, asked }, DEADLINE_MS.universes);
  }

  #deliverWhole(position: number, shards: readonly ShardWhole[], keys: readonly string[]): void {
    for (const { shard, news } of shards) this.#follower.deliverNews(position, shard, news);
    for (const key of keys)
      for (const after of this.#universes.known(key, position))
        this.#follower.deliverNews(after.position, after.shard, after.news);
  }

  #renew(): void {
    const keys = this.#universes.keys;
    if (this.#writer === null || keys.length === 0) return;
    const connection = this.#connection;
    this.#unlessFailed(
      this.#source.request('lease', { front: this.#name, keys }, DEADLINE_MS.lease).then(
        ({ missing }) => {
          // The writer has released it: what it sends from now on is not a continuation.
          if (missing.some((key) => keys.includes(key)) && connection === this.#connection)
            this.#unlessFailed(this.#join(connection));
        },
        () => undefined,
      ),
    );
  }

  #unlessFailed(work: Promise<void>): void {
    work.catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'following the log failed');
    this.#options.onEnd('following the log failed');
  }
}
