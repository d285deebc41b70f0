// The connection to NATS and a cluster's data there: the log's stream, the state's bucket, the store of snapshots. Only
// this folder imports the NATS packages.

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import {
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import { type ObjectStore, Objm } from '@nats-io/obj';
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  errors,
  type Msg,
  type NatsConnection,
  nanos,
  type Subscription,
} from '@nats-io/transport-node';
import { monotonicMs } from '../../base/model/clock.js';
import { Heartbeats, type NodeRole } from '../port/heartbeats.js';
import { inTime, NatsUnavailable, PATIENCE_MS, patiently, TRY_AGAIN_MS } from './retries.js';

export interface NatsOptions {
  /** `nats://host:port` or `tls://host:port`. */
  servers: readonly string[];
  /** Part of the names of stream, buckets and subjects: several clusters may share the servers. */
  clusterName: string;
  /** The connection's name in the servers' lists. */
  connectionName: string;
  /** A file with credentials (NATS's JWT and key). */
  credentials?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  /** How long the first connection is attempted, and how long the servers may take to be ready. */
  patienceMs?: number;
  /** No server answers yet; it is tried again for this long (ms). Called once. */
  onWaiting?(error: Error, forMs: number): void;
  /** The servers refused a request after connecting: the user lacks a permission. */
  onForbidden?(error: Error): void;
  /** A message could not be read; called once a minute at most. */
  onUnreadable?(error: unknown): void;
}

export interface LogBounds {
  /** The stream's own bounds, beyond which the servers drop what the writer did not. */
  ageMaxMs: number;
  bytesMax: number;
}

export interface ClusterNats {
  readonly connection: NatsConnection;
  readonly names: ClusterNames;
  readonly log: JetStreamClient;
  readonly streams: JetStreamManager;
  readonly state: KV;
  readonly snapshots: ObjectStore;
  /** Maximum bytes of a message without its headers. */
  readonly payloadMax: number;
  /** Replicas of everything: 3 if there are three servers, else 1. */
  readonly replicas: number;
  /** Reports a message that cannot be read, of another release or none of ours. */
  onUnreadable(error: unknown): void;
  /**
   * Connects anew, to the next server if there are several: after a restart of a server, a connection may stand and be
   * alive by its pings while none of its requests is answered.
   */
  reconnect(): void;
  close(): Promise<void>;
}

const REPLICAS = 3;
/** The servers add their own headers and the subject to a message's size (bytes). */
const ROOM_FOR_HEADERS = 1_024;
/** Until an engine sets the log's bounds. */
const FIRST_BOUNDS: LogBounds = { ageMaxMs: 3_600_000, bytesMax: 2 * 1024 ** 3 };
/** Delay before the log is read again after an error. */
export const LOG_RETRY_MS = 100;
/** A server that is silent for this long is replaced by another. */
const PING_MS = 1_000;
const PINGS_OUT = 2;
/** Timeout of a JetStream request; an election takes seconds, and the request is repeated afterwards. */
const ASK_MS = 2_000;
/** Maximum time for pending messages at the end. */
const DRAIN_MS = 1_000;
/** How long servers of a cluster may take to know each other before fewer replicas than three are kept. */
const MEETING_MS = 5_000;
const UNREADABLE_EVERY_MS = 60_000;

/** The names of a cluster's data on the servers. */
export function clusterNames(name: string) {
  return {
    stream: `${name}-log`,
    /** The log's frames; every subject of the log, and where the servers publish its frames once stored. */
    frames: `${name}.log.out`,
    logged: `${name}.log.>`,
    live: `${name}.live`,
    state: `${name}-state`,
    snapshots: `${name}-snapshots`,
    /** Where a node receives requests: its id follows. */
    node: `${name}.node`,
    /** Where nodes tell each other that they live, and what they count. */
    heartbeats: `${name}.heartbeats`,
    /** Every subject of the cluster's own, and one without subscribers. */
    all: `${name}.>`,
    check: `${name}.check`,
  };
}

type ClusterNames = ReturnType<typeof clusterNames>;

/**
 * Connects, and creates what does not exist yet; null leaves the log's bounds unchanged. Rejects with NatsUnavailable
 * if that is not possible in time.
 */
export async function connectCluster(options: NatsOptions, bounds: LogBounds | null): Promise<ClusterNats> {
  const untilMs = monotonicMs() + (options.patienceMs ?? PATIENCE_MS);
  const authenticator = options.credentials === undefined ? undefined : authenticatorOf(options.credentials);
  const connection = await patiently(
    untilMs,
    () => connectOnce(options, authenticator),
    `no NATS server answers (${options.servers.join(', ')})`,
    undefined,
    options.onWaiting,
  );
  let onForbidden: ((error: Error) => void) | undefined;
  try {
    const names = clusterNames(options.clusterName);
    const forbidden = new Promise<never>((_, reject) => {
      onForbidden = reject;
    });
    forbidden.catch(() => undefined);
    watchRights(connection, (error) => onForbidden?.(error));
    const allowed =
      <Result>(work: () => Promise<Result>) =>
      () =>
        Promise.race([work(), forbidden]);
    await patiently(
      untilMs,
      allowed(() => tryPlainMessages(connection, names)),
      'the NATS servers do not answer',
    );
    const streams = await patiently(
      untilMs,
      allowed(() => jetstreamManager(connection, { timeout: ASK_MS })),
      'the NATS servers answer without JetStream (start them with -js)',
    );
    const stored = await patiently(
      untilMs,
      allowed(() => makeStores(connection, streams, names, bounds)),
      'JetStream cannot keep the log',
    );
    onForbidden = options.onForbidden;
    return {
      connection,
      names,
      log: jetstream(connection, { timeout: ASK_MS }),
      streams,
      ...stored,
      payloadMax: (connection.info?.max_payload ?? 1024 * 1024) - ROOM_FOR_HEADERS,
      onUnreadable: atMostEvery(UNREADABLE_EVERY_MS, (error) => options.onUnreadable?.(error)),
      // It rejects where the connection is closed.
      reconnect: () => void connection.reconnect().catch(() => undefined),
      close: () => closeInTime(connection),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Passes on a subject's messages. What the listener throws is reported, as are errors of the subscription: an exception
 * in a callback of the client ends its reader, and nothing is received any more until the connection is replaced.
 */
export function listen(
  connection: NatsConnection,
  subject: string,
  onMessage: (message: Msg) => void,
  onTrouble: (error: unknown) => void,
): Subscription {
  return connection.subscribe(subject, {
    callback: (error, message) => {
      if (error !== null) return onTrouble(error);
      try {
        onMessage(message);
      } catch (thrown) {
        onTrouble(thrown);
      }
    },
  });
}

function atMostEvery(ms: number, report: (error: unknown) => void): (error: unknown) => void {
  let nextMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    const nowMs = monotonicMs();
    if (nowMs < nextMs) return;
    nextMs = nowMs + ms;
    report(error);
  };
}

/** True once it is closed or about to be: nothing that waits for an answer can begin. */
export function isEnding(connection: NatsConnection): boolean {
  return connection.isClosed() || connection.isDraining();
}

/** Sends what is pending if the connection is alive: without one it would wait or fail. */
async function closeInTime(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  await inTime(connection.drain(), DRAIN_MS).catch(() => undefined);
  if (!connection.isClosed()) await connection.close();
}

/** Permission errors are reported beside the answers, and only this way if nobody waits for one. */
function watchRights(connection: NatsConnection, onForbidden: (error: Error) => void): void {
  const logged = async (): Promise<void> => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error instanceof errors.PermissionViolationError) onForbidden(status.error);
  };
  logged().catch(() => undefined);
}

/** Whether nodes may communicate: a refusal arrives before an answer. */
async function tryPlainMessages(connection: NatsConnection, names: ClusterNames): Promise<void> {
  // Refusals are reported to watchRights() too.
  const subscription = connection.subscribe(names.all, { callback: () => undefined });
  connection.publish(names.check);
  await connection.flush();
  subscription.unsubscribe();
}

/** Reads a file with credentials. Throws NatsUnavailable if it is not one. */
function authenticatorOf(path: string): Authenticator {
  try {
    const authenticator = credsAuthenticator(readFileSync(path));
    // Signs a challenge, so that a damaged file is found here and not at each attempt to connect.
    authenticator('');
    return authenticator;
  } catch (error) {
    throw new NatsUnavailable(`${path} is no file of NATS credentials: ${(error as Error).message}`, { cause: error });
  }
}

function connectOnce(
  { servers, connectionName, user, password }: NatsOptions,
  authenticator: Authenticator | undefined,
): Promise<NatsConnection> {
  return connect({
    servers: servers.map((server) => server.replace(/^(?:nats|tls):\/\//, '')),
    name: connectionName,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: delayBetweenDials(),
    pingInterval: PING_MS,
    maxPingOut: PINGS_OUT,
    timeout: ASK_MS,
    noAsyncTraces: true,
    ignoreAuthErrorAbort: true,
    ...(servers.some((server) => server.startsWith('tls://')) ? { tls: {} } : {}),
    ...(authenticator === undefined ? {} : { authenticator }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { pass: password }),
  });
}

/**
 * How long the client must not have dialled a server before it does again (ms). It measures that by the system's clock: set
 * back by an hour, it would not dial for an hour.
 */
function delayBetweenDials(): () => number {
  let dialledMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = monotonicMs();
    if (nowMs - dialledMs < TRY_AGAIN_MS) return TRY_AGAIN_MS;
    dialledMs = nowMs;
    return Number.NEGATIVE_INFINITY;
  };
}

/** Three servers keep three replicas; fewer refuse that, and one replica is kept. */
async function makeStores(
  connection: NatsConnection,
  streams: JetStreamManager,
  names: ClusterNames,
  bounds: LogBounds | null,
): Promise<Pick<ClusterNats, 'state' | 'snapshots' | 'replicas'>> {
  const replicas = await makeStream(streams, names, bounds, connection.info?.cluster !== undefined);
  // Requests during an election are lost, and must be repeated after it.
  const state = await new Kvm(jetstream(connection, { timeout: ASK_MS })).create(names.state, {
    replicas,
    history: 1,
    storage: 'file',
    timeout: ASK_MS,
    // Direct reads are answered by the nearest replica, even one that permanently lags behind.
    allow_direct: false,
  });
  const snapshots = await new Objm(connection).create(names.snapshots, { replicas, storage: 'file' });
  return { state, snapshots, replicas };
}

async function makeStream(
  streams: JetStreamManager,
  names: ClusterNames,
  bounds: LogBounds | null,
  isClustered: boolean,
): Promise<number> {
  const wanted: Partial<StreamConfig> & { name: string } = {
    name: names.stream,
    subjects: [names.frames],
    retention: 'limits',
    discard: 'old',
    storage: 'file',
    max_age: nanos((bounds ?? FIRST_BOUNDS).ageMaxMs),
    max_bytes: (bounds ?? FIRST_BOUNDS).bytesMax,
    // A message is identified by its sequence: detecting duplicates would cost memory for nothing.
    duplicate_window: nanos(100),
    allow_direct: true,
    republish: { src: names.logged, dest: `${names.live}.>` },
  };
  const known = await streams.streams.info(names.stream).catch(notFound);
  if (known === undefined) return addStream(streams, wanted, isClustered);
  const { config } = known;
  const { max_age, max_bytes } = bounds === null ? config : wanted;
  // A single server refuses three replicas of a new stream, but accepts an update to them, and has lost the stream when
  // it is restarted.
  const most = isClustered ? Math.max(REPLICAS, config.num_replicas) : 1;
  const least = Math.min(most, config.num_replicas);
  for (const num_replicas of new Set([most, least])) {
    const same = config.num_replicas === num_replicas && config.max_age === max_age && config.max_bytes === max_bytes;
    try {
      if (!same && bounds !== null) await streams.streams.update(names.stream, { ...wanted, num_replicas });
      return num_replicas;
    } catch (error) {
      if (num_replicas === least || !refusesReplicas(error)) throw error;
    }
  }
  throw new Error('not reached');
}

/** Servers that were started together do not all know each other at once: meanwhile they refuse three replicas. */
async function addStream(
  streams: JetStreamManager,
  wanted: Partial<StreamConfig> & { name: string },
  isClustered: boolean,
): Promise<number> {
  const untilMs = monotonicMs() + (isClustered ? MEETING_MS : 0);
  for (;;) {
    const replicas = isClustered && monotonicMs() < untilMs ? REPLICAS : 1;
    try {
      await streams.streams.add({ ...wanted, num_replicas: replicas });
      return replicas;
    } catch (error) {
      if (replicas === 1 || !refusesReplicas(error)) throw error;
      await wait(TRY_AGAIN_MS);
    }
  }
}

/** "Replicas > 1 not supported in non-clustered mode", "no suitable peers for placement", "insufficient resources". */
const REPLICAS_REFUSED = new Set([10_074, 10_005, 10_023]);

function refusesReplicas(error: unknown): boolean {
  return error instanceof JetStreamApiError && REPLICAS_REFUSED.has(error.code);
}

const STREAM_NOT_FOUND = 10_059;

function notFound(error: unknown): undefined {
  if (error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND) return undefined;
  throw error;
}

// Heartbeats of a cluster's nodes: plain messages to all of them.

/** Ends by close(), which tells the other nodes. */
export function natsHeartbeats(nats: ClusterNats, node: string, role: NodeRole): Heartbeats {
  const { connection, names, onUnreadable } = nats;
  const heartbeats = new Heartbeats({
    node,
    role,
    send: (heartbeat) => {
      if (!isEnding(connection)) connection.publish(names.heartbeats, heartbeat);
    },
  });
  listen(connection, names.heartbeats, ({ data }) => heartbeats.received(data), onUnreadable);
  return heartbeats;
}
