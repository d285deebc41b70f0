// Starts a server in an embedding program, and for `overround serve`: settings, feeds and recording, then its role.

import { type Clock, systemClock } from '../base/model/clock.js';
import { type Config, ConfigError, parseConfig } from '../config/config.js';
import { withKindDefaults } from '../config/settings.js';
import type { Feed, IngestReceipt } from '../intake/feeds/feed.js';
import { OwnFeed, takeStrayErrors } from '../intake/feeds/own-feed.js';
import type { IngestMessage } from '../intake/ingest/message.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import type { Tier } from '../rules/catalogue/types.js';
import { createLog, type Log } from './observe/log.js';
import { serve } from './roles.js';
import { openServedRecording, type RecordingRun } from './served-recording.js';
import type { Server } from './server.js';
import type { ServerParts } from './server-parts.js';

export interface StartOptions {
  /** Settings by flag name without dashes (`port`, `data`, `log-retention` …), as texts; defaults for the rest. */
  settings?: Readonly<Record<string, string>>;
  /** In place of settings: a validated configuration. */
  config?: Config;
  /** Feeds, in addition to odds that are pushed. `feed` among the settings is for the command line and is ignored. */
  feeds?: readonly Feed[] | ((config: Config, catalogue: Catalogue) => readonly Feed[] | Promise<readonly Feed[]>);
  /** Of a recording that is served. */
  run?: RecordingRun;
  /** The system's clock by default; a recording that is served has its own. */
  clock?: Clock;
  /** By default a log on standard output, with the level in the settings. */
  log?: Log;
  /** Shown by /health. */
  version?: string;
  /**
   * A thread failed at its start when the server already listened. It is tried again, but ingest may be refused until
   * then: a program that has nothing else to do should end. By default only logged.
   */
  onFailure?(error: Error): void;
  /** This node of a cluster cannot continue with its data: it must be closed and started again. */
  onEnd?(reason: string): void;
}

export interface RunningServer {
  /** `http://host:port` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The data directory. */
  readonly dataDir: string;
  /** The parts, for direct access: engine, accounts, streams. */
  readonly server: Server;
  /**
   * Accepts ingest messages without HTTP; settles when they are committed and every read shows them. Rejects with
   * ApiError `ingest_queue_full`, `storage_full` or `unavailable`: nothing was accepted then.
   */
  ingest(messages: IngestMessage[]): Promise<IngestReceipt>;
  /** The data directory's own key of a tier, the same at each start; undefined if it was revoked. */
  ownKey(tier: Tier): string | undefined;
  /** What close() waits for; null before and after. */
  readonly unfinished: string | null;
  /** Ends streams, finishes what was begun, closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a server in a program of a user's own; settles when it serves. Throws ConfigError for a bad setting,
 * CatalogueError for a bad catalogue, and rejects if the data directory or the port is in use, or the directory has odds
 * of the other kind. What one of its feeds throws that nothing catches fails that feed alone.
 */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { feeds = [] } = options;
  const guarded = (own: readonly Feed[]): Feed[] => own.map((feed) => new OwnFeed(feed, undefined, Math.random));
  const release = takeStrayErrors();
  try {
    const running = await startServing({
      ...options,
      feeds: typeof feeds === 'function' ? async (...of) => guarded(await feeds(...of)) : guarded(feeds),
    });
    const { close } = running;
    return Object.assign(running, { close: () => close().finally(release) });
  } catch (error) {
    release();
    throw error;
  }
}

/** As startServer(), for feeds of ours and those that are guarded already. */
export async function startServing(options: StartOptions): Promise<RunningServer> {
  const given = options.config ?? parseConfig(options.settings ?? {}, {});
  if (given.fronts > 0) throw new ConfigError('--fronts is for overround serve: what embeds a server is one process');
  const { log = createLog(given.logLevel), version = 'embedded' } = options;
  const feeds =
    typeof options.feeds === 'function'
      ? await options.feeds(given, loadCatalogue(given.catalogueDir))
      : (options.feeds ?? []);
  const recording =
    given.replay === undefined
      ? undefined
      : await openServedRecording(given, loadCatalogue(given.catalogueDir), log, options.run ?? {});
  const clock = recording?.served.clock ?? options.clock ?? systemClock;
  const simulated = recording?.served.simulated ?? feeds.some((feed) => feed.simulated);
  const config =
    recording === undefined ? withKindDefaults(given, simulated) : { ...given, dataDir: recording.dataDir };
  const parts: ServerParts = {
    config,
    feeds,
    clock,
    log,
    version,
    ...(recording === undefined ? {} : { replay: recording.served }),
    onFailure: (error) => options.onFailure?.(error),
    onEnd: (reason) => options.onEnd?.(reason),
  };
  const serving = await serve(config.cluster.length === 0 ? 'alone' : 'replica', parts).catch((error: unknown) => {
    recording?.remove();
    throw error;
  });
  const { server, port } = serving;
  let ended: Promise<void> | undefined;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    host: config.host,
    port,
    dataDir: config.dataDir,
    server,
    ingest: (messages) => server.engine.ingest(messages),
    ownKey: (tier) => server.accounts.directoryKey(server.engine.directory.simulated ? 'test' : 'live', tier),
    get unfinished() {
      return serving.unfinished;
    },
    close: () => {
      ended ??= serving.close().then(() => recording?.remove());
      return ended;
    },
  };
}
