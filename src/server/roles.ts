// The composition root: what a server consists of in each of its roles, in the order in which it is opened; it is closed
// in the reverse order.
//
// alone    the only process of its data directory
// writer   writes the log, and others on its machine follow it over a local socket (`--fronts`)
// replica  follows a log that another process writes: over the local socket, or, with `--cluster`, over NATS, where an
//          engine also takes its turn at writing

import { OPEN_ID_SECRET } from '../base/model/identity.js';
import type { Config } from '../config/config.js';
import { moneyOf } from '../config/settings.js';
import { Engine } from '../engine/engine.js';
import { type EngineOptions, engineOptions, type NodeFacts, nodeName } from '../engine/engine-options.js';
import { openFrontEngine } from '../replication/follower/front-engine.js';
import { LOG_SOCKET, LogServer, type LogServerOptions } from '../replication/local/log-server.js';
import { SocketSource } from '../replication/local/socket-source.js';
import { GrantedCounts, Grants } from '../replication/port/grants.js';
import { Heartbeats } from '../replication/port/heartbeats.js';
import { ALWAYS, NEVER } from '../replication/port/source.js';
import { RequestHandler } from '../replication/requests/request-handler.js';
import { TIER_RULES } from '../rules/catalogue/tiers.js';
import { openDataDirectoryToRead } from '../store/data-directory.js';
import { DelayedStore } from '../store/delayed-store.js';
import { localSocketPath } from '../store/directory-lock.js';
import { takeDirectory } from '../store/held-odds.js';
import { forgetDeadReaders } from '../store/shard-env.js';
import { keepHistory, remoteHistory } from './history-keeper.js';
import { tuneThreads } from './process-limits.js';
import { Server } from './server.js';
import { type RoleParts, type ServerParts, Shutdown } from './server-parts.js';

export type Role = 'alone' | 'writer' | 'replica';

export interface Serving {
  readonly server: Server;
  readonly port: number;
  /** What close() waits for; null before and after. */
  readonly unfinished: string | null;
  /** Ends streams, finishes what was begun, closes the store. */
  close(): Promise<void>;
}

/** Long enough for a process that was killed to have ended. */
const DEAD_AFTER_MS = 1_000;

type Open = (parts: ServerParts, opened: Shutdown) => Promise<{ server: Server; port: number }>;

const ROLES: Record<Role, Open> = {
  alone,
  writer,
  replica: (parts, opened) => (parts.config.cluster.length > 0 ? node(parts, opened) : front(parts, opened)),
};

/**
 * Settles when it serves. Rejects if the data directory or the port is in use, or the directory has odds of the other
 * kind; nothing is left open then.
 */
export async function serve(role: Role, parts: ServerParts): Promise<Serving> {
  const opened = new Shutdown();
  tuneThreads();
  try {
    const { server, port } = await ROLES[role](parts, opened);
    return {
      server,
      port,
      get unfinished() {
        return server.unfinished ?? opened.at;
      },
      close: () => opened.run(),
    };
  } catch (error) {
    await opened
      .run()
      .catch((failure: unknown) => parts.log.error({ err: failure }, 'what had started could not be closed'));
    throw error;
  }
}

async function alone(parts: ServerParts, opened: Shutdown): ReturnType<Open> {
  const { config, log } = parts;
  opened.add('its lock', await takeDirectory(config.dataDir, kindOf(parts)));
  const engine = engineOf(parts);
  const server = await serverOf(parts, opened, {
    engine,
    writer: ALWAYS,
    history: keepHistory(engine, config, log),
  });
  const port = await server.listen();
  await listenLocally(server, handlerOf(server, parts, opened), parts, opened);
  return { server, port };
}

async function writer(parts: ServerParts, opened: Shutdown): ReturnType<Open> {
  // Clients come to the replicas; this port is for programs on this machine.
  const config: Config = { ...parts.config, host: '127.0.0.1', port: 0 };
  const { log } = parts;
  opened.add('its lock', await takeDirectory(config.dataDir, kindOf(parts)));
  let socket: LogServer | undefined;
  const name = nodeName();
  const heartbeats = new Heartbeats({ node: name, role: 'engine', send: (bytes) => socket?.tell(bytes) });
  opened.add('heartbeats', () => heartbeats.close());
  const facts: NodeFacts = {
    role: 'engine',
    leads: true,
    writer: name,
    lagMs: 0,
    get fronts() {
      return socket?.fronts ?? 0;
    },
  };
  const engine = engineOf({ ...parts, config }, { node: facts, onBatch: (batch) => socket?.batch(batch) });
  const history = keepHistory(engine, config, log);
  const grants = new Grants(heartbeats);
  const ask = (): never => {
    throw new Error('the writer grants itself');
  };
  const sharedCounts = new GrantedCounts({ heartbeats, grants: () => grants, ask });
  const role = { engine, writer: ALWAYS, history, sharedCounts };
  const server = await serverOf({ ...parts, config }, opened, role);
  const handler = handlerOf(server, parts, opened, grants);
  const port = await server.listen();
  socket = await listenLocally(server, handler, parts, opened, {
    heartbeats,
    feeds: () => server.feeds,
    onGone: () => setTimeout(() => engine.directory.envs.forEach(forgetDeadReaders), DEAD_AFTER_MS).unref(),
  });
  // Before the socket: it tells the others that this process ends.
  opened.add('heartbeats', () => heartbeats.close());
  return { server, port };
}

/** A replica on the writer's machine: it reads the writer's stores, and everyone's requests come to it. */
async function front(parts: ServerParts, opened: Shutdown): ReturnType<Open> {
  const { clock, config, log, onEnd = () => undefined } = parts;
  const directory = openDataDirectoryToRead(config.dataDir);
  const heartbeats: Heartbeats = new Heartbeats({
    node: nodeName(),
    role: 'front',
    send: (bytes) => source.tell(bytes),
  });
  opened.add('heartbeats', () => heartbeats.close());
  const source: SocketSource = new SocketSource({
    path: localSocketPath(config.dataDir, LOG_SOCKET),
    control: directory.control,
    onHeartbeat: (bytes) => heartbeats.received(bytes),
  });
  const engine = await openFrontEngine({
    directory,
    delayedStore: new DelayedStore(config.dataDir, true),
    source,
    clock,
    catalogueDir: config.catalogueDir,
    money: moneyOf(config),
    logSeconds: config.logRetentionS,
    delaySeconds: TIER_RULES.free.delaySeconds,
    log,
    onEnd,
  });
  const history = remoteHistory(source, config);
  const sharedCounts = new GrantedCounts({
    heartbeats,
    grants: () => null,
    ask: (question) => source.request('grants', question),
  });
  const role = { engine, writer: NEVER, history, sharedCounts, sharedPort: true };
  const server = await serverOf({ ...parts, feeds: [] }, opened, role);
  return { server, port: await server.listen() };
}

/** A replica on a machine of its own, with a copy of the writer's stores, or a snapshot of them. */
async function node(parts: ServerParts, opened: Shutdown): ReturnType<Open> {
  const { config, clock, log, onEnd = () => undefined } = parts;
  const simulated = isSimulated(parts);
  opened.add('its lock', await takeDirectory(config.dataDir, simulated));
  // Only a cluster needs NATS's packages.
  const { openNode } = await import('../replication/nats/open-node.js');
  const delaySeconds = TIER_RULES.free.delaySeconds;
  const node = await openNode({ config, clock, log, delaySeconds, simulated, onEnd });
  const { engine, source, heartbeats } = node;
  const grants = new Grants(heartbeats);
  const server = await serverOf(parts, opened, {
    engine,
    writer: node,
    history: source !== null ? remoteHistory(source, config) : keepHistory(engine, config, log),
    sharedCounts: new GrantedCounts({
      heartbeats,
      grants: () => (node.leads ? grants : null),
      ask: (question) => node.request('grants', question),
    }),
    leaseChanges: () => node.leaseChanges,
  }).catch(async (error: unknown) => {
    await node.close();
    throw error;
  });
  const handler = handlerOf(server, parts, opened, grants);
  opened.add('the cluster', () => node.close());
  // While there is a way to the writer.
  opened.add('usage', () =>
    server.usage.flush().catch((error: unknown) => log.warn({ err: error }, 'usage could not be stored')),
  );
  // Following the log needs them.
  await engine.shards?.begun();
  node.answerWith((request) => handler.answer(request));
  await node.start();
  const port = await server.listen();
  await listenLocally(server, handler, parts, opened);
  return { server, port };
}

function isSimulated({ replay, feeds }: ServerParts): boolean {
  return replay?.simulated ?? feeds.some((feed) => feed.simulated);
}

/** What the directory has to hold. Without feeds, whatever it does. */
function kindOf(parts: ServerParts): boolean | undefined {
  return parts.replay === undefined && parts.feeds.length === 0 ? undefined : isSimulated(parts);
}

function engineOf(parts: ServerParts, outside: Pick<EngineOptions, 'onBatch' | 'node'> = {}): Engine {
  const { config, clock, log, replay } = parts;
  const { workers } = config;
  const delaySeconds = TIER_RULES.free.delaySeconds;
  const options = engineOptions(config, { clock, log, workers, simulated: kindOf(parts), delaySeconds });
  const recorded =
    replay === undefined ? {} : { recorded: true, named: { epoch: replay.epoch, idSecret: OPEN_ID_SECRET } };
  return new Engine({ ...options, ...outside, ...recorded });
}

async function serverOf(parts: ServerParts, opened: Shutdown, role: RoleParts): Promise<Server> {
  try {
    const server = new Server(parts, role);
    opened.add('the server', () => server.close());
    return server;
  } catch (error) {
    await role.history?.close();
    await role.engine.close();
    throw error;
  }
}

/** Answers requests of other processes: of replicas, and of commands on this machine. */
function handlerOf(server: Server, { log }: ServerParts, opened: Shutdown, grants?: Grants): RequestHandler {
  const { engine, opportunities, history } = server;
  const handler = new RequestHandler({ engine, universes: opportunities.universes, history, log, grants });
  opened.add('requests of other processes', () => handler.close());
  return handler;
}

async function listenLocally(
  { engine }: Server,
  handler: RequestHandler,
  { config, log }: ServerParts,
  opened: Shutdown,
  followed: Partial<Pick<LogServerOptions, 'heartbeats' | 'feeds' | 'onGone'>> = {},
): Promise<LogServer> {
  const socket = new LogServer({ engine, handler, log, feeds: () => [], ...followed });
  await socket.listen(localSocketPath(config.dataDir, LOG_SOCKET));
  opened.add('the local socket', () => socket.close());
  return socket;
}
