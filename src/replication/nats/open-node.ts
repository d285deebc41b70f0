// Makes this process a node of a cluster: connects, brings the data directory to a position in the log from which it
// can continue, and returns the engine that the server is built on.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/model/clock.js';
import type { EngineLog } from '../../base/model/log.js';
import { StorageDamaged } from '../../base/model/storage-error.js';
import type { Config } from '../../config/config.js';
import { moneyOf } from '../../config/settings.js';
import type { Engine } from '../../engine/engine.js';
import { nodeName } from '../../engine/engine-options.js';
import { engineOptions } from '../../engine/from-config.js';
import { writeIdentity } from '../../store/data-directory.js';
import { restoreDirectory } from '../../store/dump.js';
import { makeDirectory } from '../../store/private-files.js';
import { openFrontEngine } from '../follower/front-engine.js';
import type { Heartbeats } from '../port/heartbeats.js';
import type { LogSource } from '../port/source.js';
import { NEVER, type Writer } from '../port/terms.js';
import type { AnyRequest } from '../requests/requests.js';
import { ClusterSource } from './cluster-source.js';
import { EngineNode } from './engine-node.js';
import { FrontStore } from './front-store.js';
import {
  adoptSecret,
  clearDirectory,
  invalidatePlace,
  keepPlace,
  placeOf,
  readClusterIdentity,
  settleIdentity,
} from './identity.js';
import { type ClusterNats, connectCluster, type NatsOptions } from './nats.js';
import type { LogPlace } from './replica.js';
import { answered, pause } from './retries.js';
import { type SnapshotHead, Snapshots } from './snapshots.js';

export interface NodeOptions {
  config: Config;
  clock: Clock;
  log: EngineLog;
  delaySeconds: number;
  /** Whether this node's feeds are simulated. */
  simulated: boolean;
  /** This process cannot continue with its data: it must be restarted. */
  onEnd(reason: string): void;
}

/** What a server needs of its node. */
export interface ClusterNode extends Writer {
  readonly node: string;
  readonly leaseChanges: number;
  readonly nats: ClusterNats;
  readonly heartbeats: Heartbeats;
  /** The log as this node follows it, through which requests go to the writer; null if this node is an engine. */
  readonly source: LogSource | null;
  readonly engine: Engine;
  /** Answers other nodes' requests while this one writes the log. */
  answerWith(answer: (request: AnyRequest) => Promise<Uint8Array>): void;
  /** A request to the writer; rejects with ApiError `unavailable` if there is none, or it is this node. */
  readonly request: LogSource['request'];
  /** Settles when the engine shows what the log had when it was called. */
  start(): Promise<void>;
  /** To be called before the engine is closed. */
  close(): Promise<void>;
}

const WAIT_MS = 100;
const TRIES = 3;

/** The stream's own bounds, as multiples of those the writer applies: they hold while there is no writer. */
const BEYOND = 4;

/** Rejects with NatsUnavailable, ForeignDirectory, or if the store cannot be read. */
export async function openNode(options: NodeOptions): Promise<ClusterNode> {
  const { config, log } = options;
  const nats = await connectNode(config, config.role, {
    onWaiting: (error, forMs) =>
      log.warn(
        { servers: config.cluster, reason: error.message, for_s: Math.round(forMs / 1000) },
        'no NATS server answers: trying again',
      ),
    onForbidden: (error) => log.error({ err: error }, 'the NATS user lacks a right that a cluster needs'),
    onUnreadable: (error) => log.warn({ err: error }, 'a message of the cluster could not be read and is left out'),
  });
  try {
    return config.role === 'front' ? await openFront(nats, options) : await openEngine(nats, options);
  } catch (error) {
    await nats.close();
    throw error;
  }
}

/** Connects according to the settings. Rejects with NatsUnavailable. */
export function connectNode(
  config: Config,
  as: Config['role'] | 'keys',
  listeners: Pick<NatsOptions, 'onWaiting' | 'onForbidden' | 'onUnreadable'> = {},
): Promise<ClusterNats> {
  const { cluster, clusterName, natsCreds, natsUser, natsPassword, logRetentionS, logBytesMax } = config;
  return connectCluster(
    {
      servers: cluster,
      clusterName,
      connectionName: `overround ${as}`,
      credentials: natsCreds,
      user: natsUser,
      password: natsPassword,
      ...listeners,
    },
    as === 'front' || as === 'keys'
      ? null
      : { ageMaxMs: BEYOND * logRetentionS * 1000, bytesMax: BEYOND * logBytesMax },
  );
}

async function openEngine(nats: ClusterNats, options: NodeOptions): Promise<ClusterNode> {
  const { config, clock, log, delaySeconds, simulated } = options;
  const role = config.role === 'engine' ? 'engine' : 'all';
  makeDirectory(config.dataDir);
  const identity = await settleIdentity(nats.state, config.dataDir, { shards: config.workers, simulated }, clock);
  const snapshots = new Snapshots(nats);
  let from = placeOf(config.dataDir, identity);
  const known = from;
  if (known !== null && (await answered(() => isGone(nats, known)))) from = null;
  if (from === null) {
    clearDirectory(config.dataDir, readdirSync(config.dataDir));
    writeIdentity(config.dataDir, identity);
    from = await fill(config.dataDir, snapshots, log);
    keepPlace(config.dataDir, identity.epoch, from);
  } else if (from.sequence === 0 && identity.empty) {
    writeIdentity(config.dataDir, identity);
    keepPlace(config.dataDir, identity.epoch, from);
  } else adoptSecret(config.dataDir, identity);
  try {
    return new EngineNode({
      nats,
      snapshots,
      identity,
      from,
      role,
      engine: engineOptions(config, { clock, log, workers: identity.shards, delaySeconds, simulated }),
      retentionMs: config.logRetentionS * 1000,
      logBytesMax: config.logBytesMax,
      log,
      onEnd: options.onEnd,
    });
  } catch (error) {
    if (!(error instanceof StorageDamaged) || error.ofTheSystem) throw error;
    // The log and its snapshots have everything that was in it.
    invalidatePlace(config.dataDir, identity.epoch);
    throw new Error(`${error.what}: the next start fills it from a snapshot`);
  }
}

async function openFront(nats: ClusterNats, options: NodeOptions): Promise<ClusterNode> {
  const { config, clock, log, delaySeconds, onEnd } = options;
  const identity = await waited(() => readClusterIdentity(nats.state));
  const snapshots = new Snapshots(nats);
  const path = join(config.dataDir, 'front');
  const { head, release } = await waited(() => snapshots.reserve(nodeName()));
  rmSync(path, { recursive: true, force: true });
  await tried(
    () => restoreDirectory(path, identity.shards, snapshots.pieces(head)),
    () => rmSync(path, { recursive: true, force: true }),
  );
  const store = new FrontStore(path, identity, config.logRetentionS);
  const source = new ClusterSource({ nats, snapshot: head, store, log });
  const engine = await openFrontEngine({
    directory: store.directory,
    delayedStore: store.delayed,
    source,
    clock,
    catalogueDir: config.catalogueDir,
    money: moneyOf(config),
    logSeconds: config.logRetentionS,
    delaySeconds,
    log,
    onEnd,
  });
  store.readTo = () => engine.positionFor('free');
  return {
    nats,
    source,
    heartbeats: source.heartbeats,
    node: source.node,
    ...NEVER,
    get leaseChanges() {
      return source.leaseChanges;
    },
    engine,
    answerWith: () => undefined,
    request: (kind, body) => source.request(kind, body),
    start: async () => {
      await answered(() => source.caughtUp());
      engine.table.sortChanges();
      await release();
    },
    close: async () => undefined,
  };
}

async function isGone(nats: ClusterNats, { sequence }: LogPlace): Promise<boolean> {
  const { state } = await nats.streams.streams.info(nats.names.stream);
  return sequence + 1 < state.first_seq || sequence > state.last_seq;
}

/** Fills an empty directory from the newest snapshot, as soon as there is one. */
async function fill(dataDir: string, snapshots: Snapshots, log: EngineLog): Promise<LogPlace> {
  const { head, release } = await waited(() => snapshots.reserve(nodeName()));
  try {
    log.info({ sequence: head.sequence }, 'filling the data directory from a snapshot');
    await tried(
      () => restoreDirectory(dataDir, head.shards, snapshots.pieces(head)),
      () =>
        clearDirectory(
          dataDir,
          readdirSync(dataDir).filter((entry) => entry !== 'overround.json'),
        ),
    );
    return placeIn(head);
  } finally {
    await release();
  }
}

function placeIn({ sequence, mark }: SnapshotHead): LogPlace {
  return { sequence, mark };
}

async function waited<Found>(look: () => Promise<Found | null>): Promise<Found> {
  for (;;) {
    const found = await answered(look);
    if (found !== null) return found;
    await pause(WAIT_MS);
  }
}

async function tried(work: () => Promise<void>, clear: () => void): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      clear();
      if (left === 1) throw error;
    }
  }
}
