// The engine in a front: tables of rows and opportunities updated by the log that another process writes; everything
// that only that process can do is requested from it. The tables are loaded from its stores, opened read-only; then the
// log is followed.
import type { Caller } from '../../accounts/caller.js';
import type { Clock } from '../../base/model/clock.js';
import { noWriter } from '../../base/model/errors.js';
import type { EngineLog } from '../../base/model/log.js';
import type { OperatorSettings } from '../../base/model/money.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import type { EvaluationQuestion } from '../../detection/question.js';
import { startUniverses } from '../../detection/start-universes.js';
import type { ClusterState, EngineView, IngestAnswer, IngestOptions, StoreView } from '../../engine/engine-view.js';
import type { Evaluated } from '../../engine/evaluations.js';
import type { Follower } from '../../engine/follower.js';
import { openTables } from '../../engine/open-tables.js';
import type { FeedInfo } from '../../intake/feeds/feed-watch.js';
import { Control } from '../../log/control/control.js';
import { decodeDelta } from '../../log/delta/codec.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../../rules/catalogue/load.js';
import { isDelayed } from '../../rules/catalogue/tiers.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { DelayedStore } from '../../store/delayed-store.js';
import type { DelayedTable } from '../../tables/delayed/delayed-table.js';
import type { DeltaListener } from '../../tables/delta-listener.js';
import type { OpportunityTable } from '../../tables/opportunity-table.js';
import type { OddsTable } from '../../tables/table.js';
import type { Beat, Hello, LogHandlers, LogSource } from '../port/source.js';
import { DEADLINE_MS } from '../requests/requests.js';
import { RequestedUniverses } from './requested-universes.js';
import { Waiter } from './waiter.js';

export interface FollowingEngineOptions {
  /** The writer's stores, opened read-only. */
  directory: StoreView & { close(): Promise<void> };
  delayedStore: DelayedStore;
  source: LogSource;
  clock: Clock;
  /** Undefined means the built-in catalogue. */
  catalogueDir: string | undefined;
  money?: OperatorSettings;
  logSeconds: number;
  delaySeconds: number;
  log: EngineLog;
  /** The log can no longer be followed: this front must be replaced. */
  onEnd(reason: string): void;
}

export class FollowingEngine implements EngineView, LogHandlers {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly table: OddsTable;
  readonly opportunities: OpportunityTable;
  readonly directory: FollowingEngineOptions['directory'];
  readonly control: Control;
  readonly alone = false;
  readonly queueDepths: readonly number[] = [];
  feeds: readonly FeedInfo[] = [];
  readonly unmatched = () => this.#source.request('unmatched', null);
  readonly #options: FollowingEngineOptions;
  readonly #source: LogSource;
  readonly delayed: DelayedTable;
  readonly #follower: Follower;
  readonly #universes: RequestedUniverses;
  readonly #conditions = new Waiter();
  #epoch: string;
  #writer: string | null = null;
  #fronts = 0;
  /** Position of the last message. */
  #reached = 0;
  /** The table was ahead of the first messages when it was loaded: it is consistent from this position on. */
  readonly #wholeFrom: number;
  /** The writer's clock when everything it had committed was known here. */
  #headMs = 0;

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
    this.control = new Control(options.directory.control, (body) => this.#source.request('control', body));
    const { directory, delayedStore, clock, delaySeconds, logSeconds, log } = options;
    const { table, opportunities, delayed, follower, position } = openTables({
      ...{ catalogue: this.catalogue, directory, delayedStore, clock, delaySeconds, logSeconds, log },
      readOnly: true,
      reached: () => this.#reached,
      source: this,
    });
    this.table = table;
    this.opportunities = opportunities;
    this.delayed = delayed;
    this.#follower = follower;
    this.#wholeFrom = position;
    this.#universes = new RequestedUniverses({
      request: (kind, body) => this.#source.request(kind, body),
      permanent: new Set(startUniverses(this.catalogue).map(({ key }) => key)),
      conditions: this.#conditions,
      hasReached: (position) => this.#reached >= position,
      asks: () => true,
    });
    this.#epoch = hello.epoch;
    if (hello.epoch !== options.directory.epoch) throw new Error('the log is of another data directory');
    this.#connected(hello);
  }

  start(): void {
    this.delayed.start();
    this.#universes.start();
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

  /** Whether the table is consistent. */
  get whole(): boolean {
    return this.#reached >= this.#wholeFrom;
  }

  /** Rejects as in EngineView; `unavailable` while there is no writer. */
  async ingest(
    raw: readonly unknown[],
    { strict = false, sender = '', account }: IngestOptions = {},
  ): Promise<IngestAnswer> {
    if (this.#writer === null) throw noWriter();
    const answer = await this.#source.request('ingest', { messages: raw, strict, sender, account });
    await this.#conditions.until(() => this.table.position >= answer.position && this.whole, DEADLINE_MS.ingest);
    return answer;
  }

  ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void> {
    return this.#universes.ensure(spec, caller);
  }

  isWatched(key: string): boolean {
    return this.#universes.isWatched(key);
  }

  dropUniverse(key: string): void {
    this.#universes.drop(key);
  }

  async evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    if (this.#writer === null) throw noWriter();
    return await this.#source.request('evaluate', { question, caller });
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
    try {
      if (!hello.contiguous && !this.#catchUp(hello.head)) {
        this.#options.onEnd('the log no longer holds what this front has missed');
        return;
      }
    } catch (error) {
      this.#failed(error);
      return;
    }
    this.#connected(hello);
  }

  message(bytes: Uint8Array): void {
    try {
      this.#take(bytes);
    } catch (error) {
      this.#failed(error);
    }
  }

  beat({ position, writerMs, fronts, feeds }: Beat): void {
    this.#fronts = fronts;
    this.feeds = feeds ?? [];
    if (this.#reached < position) this.#reached = position;
    this.#headMs = writerMs;
    this.#conditions.changed();
  }

  /** Nothing changes until there is a writer again. */
  lost(): void {
    this.#writer = null;
  }

  tooOld(reason: string): void {
    this.#options.onEnd(reason);
  }

  async close(): Promise<void> {
    this.#universes.close();
    await this.control.close();
    await this.#source.close();
    this.#conditions.close();
    await this.delayed.close();
    await this.directory.close();
  }

  #connected({ writer, head }: Hello): void {
    this.#writer = writer;
    this.#reached = Math.max(this.#reached, head);
    this.#universes.connected();
  }

  #take(bytes: Uint8Array): void {
    const delta = decodeDelta(bytes);
    // What was loaded may be ahead of the log received by then.
    if (delta.position > this.#follower.appliedOf(delta.shard)) this.#follower.show(delta, bytes.length);
    this.#reached = delta.position;
    this.#conditions.changed();
  }

  /** Messages up to a position may have been missed, and are read from the log; false if they are gone. */
  #catchUp(head: number): boolean {
    const missed = this.#follower.missedOfAll(head);
    for (const { delta } of missed ?? []) this.#follower.deliver(delta);
    return missed !== undefined;
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error }, 'following the log failed');
    this.#options.onEnd('following the log failed');
  }
}
