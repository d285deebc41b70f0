// Makes this process a node of a cluster: connects, brings the data directory to a position in the log from which it
// can continue, and returns the engine that the server is built on.

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, monotonicMs } from '../../base/model/clock.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp, StorageDamaged } from '../../base/model/storage-error.js';
import type { Config } from '../../config/config.js';
import { moneyOf } from '../../config/settings.js';
import type { Engine } from '../../engine/engine.js';
import { engineOptions, nodeName } from '../../engine/engine-options.js';
import { CONTROL_SHARD } from '../../log/control/control-queue.js';
import { writeIdentity } from '../../store/data-directory.js';
import { restoreDirectory } from '../../store/dump.js';
import { makeDirectory } from '../../store/private-files.js';
import { openFrontEngine } from '../follower/front-engine.js';
import type { Heartbeats } from '../port/heartbeats.js';
import { type LogHandlers, type LogSource, NEVER, type Writer } from '../port/source.js';
import type { AnyRequest, RequestKind, Requests } from '../requests/requests.js';
import { EngineNode } from './engine-node.js';
import { FRAME_KIND, type Frame } from './frame.js';
import { FrontStore } from './front-store.js';
import {
  adopt,
  clearDirectory,
  invalidatePlace,
  keepPlace,
  placeOf,
  readClusterIdentity,
  settleIdentity,
} from './identity.js';
import { Lease } from './lease.js';
import { LogFollower } from './log-follower.js';
import { type ClusterNats, connectCluster, type NatsOptions, natsHeartbeats } from './nats.js';
import type { LogPlace } from './replica.js';
import { WriterRequests } from './requests.js';
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
  } else adopt(config.dataDir, identity);
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

// The cluster's log as a front follows it, and the front's requests to the writer.

interface ClusterSourceOptions {
  nats: ClusterNats;
  /** The snapshot that the store was loaded from. */
  snapshot: SnapshotHead;
  store: FrontStore;
  log: EngineLog;
}

const BEAT_MS = 250;

class ClusterSource implements LogSource {
  readonly node = nodeName();
  readonly heartbeats: Heartbeats;
  /** Changes of the writer that this node has seen. */
  leaseChanges = 0;
  readonly #options: ClusterSourceOptions;
  readonly #lease: Lease;
  readonly #follower: LogFollower;
  readonly #requests: WriterRequests;
  #handlers: LogHandlers | undefined;
  #beatMs = 0;
  #position = 0;
  #following: Promise<void> | undefined;

  constructor(options: ClusterSourceOptions) {
    this.#options = options;
    const { nats, snapshot, log } = options;
    this.#position = snapshot.position;
    this.#requests = new WriterRequests(nats);
    this.heartbeats = natsHeartbeats(nats, this.node, 'front');
    this.#follower = new LogFollower({
      nats,
      after: snapshot.sequence,
      mark: snapshot.mark,
      hasRoom: () => true,
      onMessage: (frame) => this.#take(frame),
      onTooOld: () => this.#handlers?.tooOld('the log no longer has what this front needs'),
      onTrouble: (error) => log.warn({ err: error }, 'the log cannot be read for now'),
    });
    this.#lease = new Lease({
      state: nats.state,
      node: this.node,
      mayHold: () => false,
      onHeld: () => undefined,
      onLost: () => undefined,
      onHolder: (holder) => this.#holder(holder),
      onTrouble: (error) => log.warn({ err: error }, 'the lease cannot be looked at for now'),
      onUnanswered: () => nats.reconnect(),
    });
  }

  follow(handlers: LogHandlers): void {
    this.#handlers = handlers;
    this.#lease.start();
  }

  /** Settles when everything in the log was delivered. */
  async caughtUp(): Promise<void> {
    await this.#following;
    await this.#follower.catchUp();
  }

  request<Kind extends RequestKind>(kind: Kind, body: Requests[Kind]['body']): Promise<Requests[Kind]['answer']> {
    return this.#requests.ask(kind, body);
  }

  async close(): Promise<void> {
    this.#follower.close();
    await this.#lease.close();
    this.heartbeats.close();
    await this.#options.nats.close();
  }

  #holder(holder: string | null): void {
    this.leaseChanges++;
    this.#requests.writer = holder;
    if (holder === null) {
      this.#handlers?.lost();
      return;
    }
    this.#handlers?.opened({
      epoch: this.#options.snapshot.epoch,
      writer: holder,
      head: this.#position,
      contiguous: true,
    });
    // The table is loaded during the first call; what comes after the snapshot may arrive now.
    this.#following ??= this.#follower.start();
  }

  #take({ kind, shard, position, body }: Frame): void {
    if (kind !== FRAME_KIND.entry) return;
    this.#position = position;
    try {
      if (body.length > 0) this.#store(shard, position, body);
    } catch (error) {
      this.#cannotStore(error);
      return;
    }
    if (body.length > 0 && shard !== CONTROL_SHARD) this.#handlers?.message(body);
    const nowMs = monotonicMs();
    if (nowMs - this.#beatMs < BEAT_MS) return;
    this.#beatMs = nowMs;
    this.#handlers?.beat({ position, writerMs: position / 1000, fronts: this.heartbeats.fronts });
  }

  #store(shard: number, position: number, body: Uint8Array): void {
    const { store } = this.#options;
    if (shard === CONTROL_SHARD) store.writeControl(position, body);
    else store.write(shard, position, body);
  }

  /** What comes after it would be shown without it: this front begins anew, from a snapshot. */
  #cannotStore(error: unknown): void {
    this.#follower.close();
    this.#options.log.error({ err: error }, 'what the log says cannot be stored');
    endWhereGivenUp(error);
    this.#handlers?.tooOld('what the log says cannot be stored');
  }
}
