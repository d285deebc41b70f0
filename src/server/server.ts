// The running server: engine, broadcaster and front put together from a configuration, and closed in order. What it has by
// its role among other processes is made in roles.ts.

import { createHash } from 'node:crypto';
import type { Registry } from 'prom-client';
import { Accounts } from '../accounts/accounts.js';
import { Bets, forget } from '../accounts/bets/bets.js';
import { type KeyWatch, StreamSlots, watchKeys } from '../accounts/stream-slots.js';
import { UsageCounters } from '../accounts/usage.js';
import { Alerts } from '../alerts/alerts.js';
import { AlertRules } from '../alerts/rules.js';
import { checkHealth } from '../answers/health.js';
import { Opportunities } from '../answers/opportunities/opportunities.js';
import { followResults } from '../answers/results.js';
import { monotonicMs } from '../base/model/clock.js';
import { noWriter } from '../base/model/errors.js';
import { Broadcaster } from '../broadcast/broadcaster.js';
import { Streams } from '../broadcast/streams.js';
import type { Config } from '../config/config.js';
import type { Engine } from '../engine/engine.js';
import type { RecordingPlayer } from '../engine/replay/player.js';
import { allRoutes } from '../front/api/routes.js';
import { probeRoutes } from '../front/api/service.js';
import type { Route } from '../front/http/context.js';
import { HttpServer } from '../front/http/server.js';
import { mcpRoutes } from '../front/mcp/endpoint.js';
import { Sessions, sharedSessions } from '../front/mcp/sessions.js';
import { alertLine } from '../front/mcp/tool-table.js';
import { WsEndpoint } from '../front/ws/endpoint.js';
import type { FeedMemory, IngestSink } from '../intake/feeds/feed.js';
import { type FeedInfo, FeedWatch } from '../intake/feeds/feed-watch.js';
import { command } from '../log/control/command.js';
import type { Control } from '../log/control/control.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { NearestNames } from '../rules/catalogue/nearest-names.js';
import type { AskHistory } from '../store/clv/queries.js';
import type { ResultsBoard } from '../tables/results.js';
import { BackupCopies } from './backup-copies.js';
import { metricsRoute, recentMetricsRoute } from './metrics-route.js';
import { observeEngine, watchEngine } from './observe/engine-metrics.js';
import type { Log } from './observe/log.js';
import { metersOf, processRegistry } from './observe/meters.js';
import { type MetricSamples, sampleMetrics } from './observe/recent-metrics.js';
import { observeHttp, watchFeeds, watchStores } from './observe/stage-metrics.js';
import { connectionsAllowed, tuneHeap } from './process-limits.js';
import { playerFor } from './served-recording.js';
import { type RoleParts, type ServerParts, type ServerTerms, Shutdown, serverTerms } from './server-parts.js';

const DRAIN_MS = 3_000;
/** Positions are times; the clocks of two machines may differ by this much. */
const CLOCKS_APART_MS = 1_000;
/** A reader further behind the writer is not ready. */
const READY_LAG_MS = 1_000;

export class Server {
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly broadcaster: Broadcaster;
  readonly opportunities: Opportunities;
  readonly #parts: ServerParts;
  readonly #role: RoleParts;
  readonly #http: HttpServer;
  readonly #registry: Registry;
  readonly webSockets: WsEndpoint;
  readonly usage: UsageCounters;
  readonly #keyWatch: KeyWatch;
  readonly #recorder: MetricSamples;
  /** Ends this server's subscriptions. */
  readonly #unsubscribe: readonly (() => void)[];
  readonly #terms: ServerTerms;
  readonly #feeds: readonly FeedWatch[];
  /** Undefined if the server serves the present. */
  readonly replay: RecordingPlayer | undefined;
  readonly bets: Bets;
  readonly #running: Promise<void>[] = [];
  readonly #backups: BackupCopies;
  /** The active opportunities of the tiers' books are known. */
  #detecting = false;
  readonly #detects: Promise<void>;
  #nowDetects = (): void => {};
  /** The table has once been less than a second behind the log. */
  #caughtUp = false;
  #closing: Promise<void> | undefined;
  readonly #end = new Shutdown();

  /** Nothing is served before listen(). */
  constructor(parts: ServerParts, role: RoleParts) {
    const { config, clock, log, feeds } = parts;
    tuneHeap();
    this.#parts = parts;
    this.#role = role;
    const registry = processRegistry();
    this.#registry = registry;
    if (parts.supervised !== undefined) registry.setDefaultLabels({ process: parts.supervised.label });
    this.engine = role.engine;
    warnOfUnknownBooks(config, this.engine.catalogue, log);
    this.opportunities = new Opportunities(this.engine, log, () => this.broadcaster.changed());
    const results = followResults(this.engine, config.resultSources);
    this.broadcaster = this.#newBroadcaster(results);
    this.engine.onDelta((applied, delta) => this.broadcaster.apply(applied, delta));
    this.#feeds = feeds.map((feed) => new FeedWatch(feed, clock));
    this.#watch();
    const { simulated, idSecret } = this.engine.directory;
    this.accounts = new Accounts(this.engine.control, clock, idSecret, simulated);
    const unwritten = (err: unknown): void => log.error({ err }, 'usage could not be written; it will be tried again');
    this.usage = new UsageCounters(this.engine.control, clock, unwritten, parts.replay?.lockstep);
    this.#detects = new Promise((resolve) => {
      this.#nowDetects = resolve;
    });
    this.#terms = serverTerms(() => this.#openAlerts(), log);
    const slots = new StreamSlots(clock, role.sharedCounts);
    this.#keyWatch = watchKeys(this.accounts, slots, clock);
    this.bets = openBets(parts, role, this.history, results);
    this.replay = this.#newPlayer();
    this.#backups = new BackupCopies(this.engine.directory.path, this.engine.shards !== undefined);
    let streamNo = 0;
    const deps = {
      engine: this.engine,
      ...(this.history === undefined ? {} : { history: this.history }),
      alerts: new AlertRules(this.engine, this.opportunities.universes, this.accounts, alertLine),
      universes: this.opportunities.universes,
      source: this.engine,
      links: this.opportunities.links,
      streams: new Streams({
        engine: this.engine,
        broadcaster: this.broadcaster,
        slots,
        compress: config.compress,
        nextId: () => `${this.engine.directory.epoch.slice(0, 6)}-${Math.floor(clock.now())}-${++streamNo}`,
      }),
      slots,
      feeds: () => this.feeds,
      bets: this.bets,
      ...(this.replay === undefined ? {} : { replay: this.replay }),
      backup: () => this.#backups.open(),
      version: parts.version,
      accounts: this.accounts,
      usage: this.usage,
      fallbackHosts: config.deeplinkFallbackHosts,
      results,
    };
    this.#recorder = sampleMetrics(registry, clock, (error) => log.error({ err: error }, 'metrics could not be read'));
    const routes = allRoutes(deps);
    const mcp = this.#mcpRoutes(routes);
    this.#http = this.#newHttpServer([...routes, ...mcp], slots);
    this.webSockets = new WsEndpoint({
      ...deps,
      app: this.#http.app,
      connections: this.#http.connections,
      turn: this.#http.turn,
      hasEnded: (key) => this.#keyWatch.hasEnded(key),
      admitUpgrade: (request, response) => this.#http.admitUpgrade(request, response),
      failed: (error) => log.error({ err: error }, 'a WebSocket message failed'),
    });
    // Last: if making the server fails, it leaves nothing behind.
    this.#unsubscribe = [observeEngine(registry, this.engine), observeHttp(registry, this.engine, this.#http)];
    role.writer.duringTerms(this.#terms);
  }

  #newBroadcaster(results: ResultsBoard): Broadcaster {
    const { clock, replay } = this.#parts;
    return new Broadcaster({
      ...(replay === undefined
        ? {}
        : { elapsedMs: monotonicMs, stepped: replay.lockstep, stepping: () => this.replay?.stepping ?? true }),
      table: this.engine.table,
      results,
      control: this.engine.control.store,
      catalogue: this.engine.catalogue,
      epoch: this.engine.directory.epoch,
      clock,
      opportunities: this.opportunities.streams,
      history: this.history,
      reached: () => this.engine.reachedFor('enterprise'),
      knows: (position) => this.engine.knows(position),
      mayCome: (position) => !this.engine.alone && position / 1000 < clock.now() + CLOCKS_APART_MS,
      moreComes: () => this.engine.queueDepths.some((quotes) => quotes > 0),
      source: this.engine,
    });
  }

  #newPlayer(): RecordingPlayer | undefined {
    const { replay, log } = this.#parts;
    if (replay === undefined) return undefined;
    return playerFor(replay, this.engine, this.broadcaster, this.bets, log);
  }

  #watch(): void {
    const { clock } = this.#parts;
    watchEngine(this.#registry, this.engine, this.broadcaster, this.#role.leaseChanges ?? (() => 0));
    watchFeeds(this.#registry, { clock, table: this.engine.table, feeds: () => this.feeds });
    watchStores(this.#registry, { dataDir: this.engine.directory.path, control: this.engine.control.store });
    metersOf(this.#registry).gauge(
      'overround_history_lag_seconds',
      'How far history is behind the committed changes, in seconds; it is written every 5 s.',
      () => this.#role.history?.lagSeconds?.() ?? 0,
    );
  }

  #mcpRoutes(routes: readonly Route[]): Route[] {
    const { config, clock, version } = this.#parts;
    const { sharedCounts } = this.#role;
    const sessions = this.engine.alone ? undefined : new Sessions(clock, {}, sharedSessions(this.accounts));
    const { host, trustProxy } = config;
    const deps = { clock, version, host, trustProxy, sharedCounts };
    return mcpRoutes(sessions === undefined ? deps : { ...deps, sessions }, routes);
  }

  #newHttpServer(routes: readonly Route[], slots: StreamSlots): HttpServer {
    const { config, clock, log, supervised, replay } = this.#parts;
    return new HttpServer({
      accounts: this.accounts,
      usage: this.usage,
      slots,
      trustProxy: config.trustProxy,
      routes: [
        ...routes,
        ...probeRoutes(() => this.#unready()),
        metricsRoute(this.#registry, clock, supervised?.collectMetrics),
        recentMetricsRoute(this.#recorder, clock),
      ],
      clock,
      log,
      source: this.engine,
      names: this.engine.catalogue,
      bodyBytesMax: config.bodyBytesMax,
      sharedCounts: this.#role.sharedCounts,
      ...(replay?.lockstep ? { requestIds: replay.epoch } : {}),
      positions: {
        positionFor: (tier) => this.engine.positionFor(tier),
        reachedFor: (tier) => this.engine.reachedFor(tier),
        onChange: (changed) => this.engine.onDelta(changed),
      },
    });
  }

  /** Evaluates and sends alerts, once the active opportunities are known. */
  #openAlerts(): Alerts {
    const { engine, accounts } = this;
    const { config, log } = this.#parts;
    const alerts = new Alerts({
      engine,
      source: this.opportunities.streams,
      accounts,
      hosts: config.alertHosts,
      telegram: { url: config.telegramApiUrl, token: config.telegramBotToken },
      lineOf: alertLine,
      log,
      ...this.#parts.alerts,
    });
    void this.#detects.then(() => alerts.start());
    return alerts;
  }

  /** Price history, whichever process stores it; undefined if it is disabled. */
  get history(): AskHistory | undefined {
    return this.#role.history?.ask;
  }

  /** The state of the feeds, whichever process they run in. */
  get feeds(): readonly FeedInfo[] {
    return this.engine.feeds ?? this.#feeds.map(({ info }) => info);
  }

  /** This process's metrics, for Prometheus. */
  metricsText(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Current and maximum number of connections. */
  get connections(): { readonly open: number; readonly max: number } {
    return this.#http.connections;
  }

  /** Starts to serve, then the feeds; resolves to the port. */
  async listen(): Promise<number> {
    const { config, log } = this.#parts;
    await this.#threadsBegun();
    this.engine.start();
    // By the files that are left once the stores are open.
    this.#http.connections.max = connectionsAllowed(config.maxConnections ?? null, log);
    const opportunities = this.opportunities.start();
    if (this.replay !== undefined) {
      await opportunities;
      await this.replay.start((error) => log.error({ err: error }, 'the recording cannot be played any further'));
    }
    const port = await this.#http.listen(config.host, config.port, this.#role.sharedPort);
    // Odds are served while the shards still read their stores: requests for opportunities wait for them individually.
    opportunities.then(
      () => {
        this.#detecting = true;
        this.#nowDetects();
      },
      (error: unknown) => log.error({ err: error }, 'opportunities are not ready yet'),
    );
    void this.#terms.begun.then(() => {
      if (this.#closing === undefined) this.#runFeeds();
    });
    return port;
  }

  async #threadsBegun(): Promise<void> {
    const { shards } = this.engine;
    if (shards === undefined) return;
    await Promise.all([shards.begun(), this.#role.history?.begun()]);
    shards.serving().catch((error: Error) => {
      if (this.#closing === undefined) this.#parts.onFailure?.(error);
    });
  }

  #runFeeds(): void {
    const { clock, log } = this.#parts;
    // A feed runs on the writing node only: two of the same would send everything twice, or contradict each other.
    const sinkOf =
      (sender: string): IngestSink =>
      (messages) =>
        this.#role.writer.leads ? this.engine.ingest(messages, { sender }) : Promise.reject(noWriter());
    const unlisted = (league: string, name: string, book: string): void =>
      this.engine.shards?.unmatchedNotes.named('unlisted', 'team', name, league, book);
    const memory = feedMemory(this.engine.control);
    const listers = new Map<string, string>();
    for (const feed of this.#feeds)
      this.#running.push(
        feed.run({ clock, sink: sinkOf(`feed ${feed.info.name}`), log, memory, listers, unlisted }).then(
          () => log.info({ feed: feed.info.name }, 'feed ended'),
          (error: unknown) =>
            log.error({ feed: feed.info.name, err: error }, 'feed failed; the server goes on without it'),
        ),
      );
  }

  /** Why reads are not served from a complete table; null if they are. */
  #unready(): string | null {
    if (this.#closing !== undefined) return 'the server is shutting down';
    if (!this.#detecting) return 'the shards are still reading their stores';
    const { lagMs, writer } = this.engine.cluster;
    this.#caughtUp ||= lagMs < READY_LAG_MS;
    // While nobody writes the log, the present data is still served.
    if (!this.#caughtUp || (lagMs >= READY_LAG_MS && writer !== null)) return 'the log is being caught up with';
    const { lmdb } = checkHealth(this.engine, []).checks;
    return lmdb.status === 'down' ? lmdb.message! : null;
  }

  /** Feeds first, then the open requests, then what is queued; at last the disk. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** What close() waits for; null before and after. */
  get unfinished(): string | null {
    return this.#end.at;
  }

  #close(): Promise<void> {
    this.#keyWatch.close();
    this.#recorder.close();
    this.#backups.stop();
    for (const feed of this.#parts.feeds) feed.stop();
    const steps = {
      'the feeds': () => Promise.all([...this.#running, this.replay?.stop()]),
      'the streams': () => {
        this.webSockets.close();
        this.broadcaster.close();
      },
      alerts: () => this.#terms.end(),
      opportunities: () => this.opportunities.close(),
      'open requests': () => this.#http.close(DRAIN_MS),
      bets: () => this.bets.close(),
      history: () => this.#role.history?.close(),
      'the shards, to store usage': () => this.usage.close(),
      accounts: () => this.accounts.close(),
      'the shards': () => this.engine.close(),
      metrics: () => {
        for (const end of this.#unsubscribe) end();
      },
    };
    return this.#end.run(Object.entries(steps));
  }
}

// Warnings about settings that can be right or misspelled: a book outside the catalogue may be the operator's own.

function warnOfUnknownBooks({ commissions }: Config, catalogue: Catalogue, log: Log): void {
  const near = new NearestNames(catalogue);
  for (const book of Object.keys(commissions))
    if (!catalogue.isKnownBook(catalogue.bookId(book)))
      log.warn(
        { book, nearest: near.books(book) },
        '--commission names a book that is not in the catalogue: it applies to odds pushed under that name',
      );
}

// The accounts' bets of a server, with its settings.

function openBets(
  { config, log, replay }: ServerParts,
  { engine }: RoleParts,
  history: AskHistory | undefined,
  results: ResultsBoard,
): Bets {
  if (replay?.again) engine.control.now(forget, null);
  return new Bets({
    engine,
    history,
    hasResult: (event) => results.of(event) !== undefined,
    judges: engine.shards !== undefined,
    recorded: replay !== undefined,
    betDelays: config.betDelays,
    paperMax: config.paperMax,
    onError: (error) => log.error({ err: error }, 'bets could not be judged or graded; it will be tried again'),
  });
}

// What feeds know over restarts, as entries of the control store.

const remember = command('feeds.remember', (draft, { entry, value }: { entry: string; value: unknown }) =>
  draft.put(entry, value),
);

/** Written by the process that writes the log, as odds are. */
function feedMemory(control: Control): FeedMemory {
  return {
    read: (name) => control.store.value(entryOf(name)),
    write: async (name, value) => {
      await control.runHere({ name: remember.name, args: { entry: entryOf(name), value } });
    },
  };
}

/** Names hold what an operator asks for, which may be longer than a key of the store. */
function entryOf(name: string): string {
  return `feed|${createHash('sha256').update(name).digest('base64url')}`;
}
