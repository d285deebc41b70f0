// A front as a process: a server on the port that all fronts share, over the engine it follows.
import { TIER_RULES } from '../catalogue/tiers.js';
import { moneyOf } from '../config/store.js';
import { nodeName } from '../engine/node-name.js';
import { FollowingEngine } from '../replication/follower/following-engine.js';
import { RemoteHistory } from '../replication/follower/remote-history.js';
import { LOG_SOCKET } from '../replication/local/log-server.js';
import { SocketSource } from '../replication/local/socket-source.js';
import { Heartbeats } from '../replication/port/heartbeats.js';
import { openDataDirectoryToRead } from '../store/data-directory.js';
import { DelayedStore } from '../store/delayed-store.js';
import { localSocketPath } from '../store/directory-lock.js';
import type { ProcessParts, RunningProcess } from './engine-process.js';
import { Server } from './server.js';

export interface FrontParts extends Omit<ProcessParts, 'feeds'> {
  /** The log can no longer be followed: the front must be replaced. */
  onEnd(reason: string): void;
}

/** Settles when it serves; the engine must have opened the data directory before. */
export async function startFrontProcess(parts: FrontParts): Promise<RunningProcess> {
  const { clock, config, log, onEnd } = parts;
  const { dataDir } = config;
  const directory = openDataDirectoryToRead(dataDir);
  const heartbeats: Heartbeats = new Heartbeats({
    node: nodeName(),
    role: 'front',
    send: (bytes) => source.tell(bytes),
  });
  const source: SocketSource = new SocketSource({
    path: localSocketPath(dataDir, LOG_SOCKET),
    control: directory.control,
    onHeartbeat: (bytes) => heartbeats.received(bytes),
  });
  const engine = await FollowingEngine.open({
    directory,
    delayedStore: new DelayedStore(dataDir, true),
    source,
    clock,
    catalogueDir: config.catalogueDir,
    money: moneyOf(config),
    logSeconds: config.logRetentionS,
    delaySeconds: TIER_RULES.free.delaySeconds,
    log,
    onEnd,
  });
  let server: Server | undefined;
  try {
    const started = new Server({
      ...parts,
      config,
      feeds: [],
      engine,
      sharedPort: true,
      sharedCounts: heartbeats,
      ...(config.historyDays === 0 ? {} : { history: new RemoteHistory(source) }),
    });
    server = started;
    const port = await started.listen();
    return { server: started, port, close: () => started.close().finally(() => heartbeats.close()) };
  } catch (error) {
    heartbeats.close();
    if (server === undefined) await engine.close();
    else await server.close();
    throw error;
  }
}
