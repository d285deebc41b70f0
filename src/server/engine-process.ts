// The engine as a process that fronts follow: a server of its own on a port of this machine alone, and the log and the
// request handler on a local socket.
import type { Config } from '../config/config.js';
import type { NodeFacts } from '../engine/engine-options.js';
import { nodeName } from '../engine/node-name.js';
import { LOG_SOCKET, LogServer } from '../replication/local/log-server.js';
import { Heartbeats } from '../replication/port/heartbeats.js';
import { RequestHandler } from '../replication/requests/request-handler.js';
import { localSocketPath } from '../store/directory-lock.js';
import { takeDirectory } from '../store/held-odds.js';
import { forgetDeadReaders } from '../store/shard-env.js';
import { Server } from './server.js';
import type { ServerParts } from './server-parts.js';

/** Long enough for a process that was killed to have ended. */
const DEAD_AFTER_MS = 1_000;

export interface ProcessParts extends Omit<ServerParts, 'engine' | 'outside' | 'sharedPort'> {}

export interface RunningProcess {
  readonly server: Server;
  readonly port: number;
  close(): Promise<void>;
}

/** Settles when it accepts odds and can be followed. Rejects as startServer does. */
export async function startEngineProcess(parts: ProcessParts): Promise<RunningProcess> {
  const config: Config = { ...parts.config, host: '127.0.0.1', port: 0 };
  const simulated = parts.feeds.some((feed) => feed.simulated);
  const unlock = await takeDirectory(config.dataDir, simulated);
  let log: LogServer | undefined;
  const node: NodeFacts = {
    role: 'engine',
    writer: nodeName(),
    get fronts() {
      return log?.fronts ?? 0;
    },
  };
  const heartbeats = new Heartbeats({ node: node.writer!, role: 'engine', send: (bytes) => log?.tell(bytes) });
  let server: Server | undefined;
  try {
    const started = new Server({
      ...parts,
      config,
      sharedCounts: heartbeats,
      outside: { node, onBatch: (batch) => log?.batch(batch) },
    });
    server = started;
    const { engine, opportunities } = started;
    const handler = new RequestHandler({
      engine,
      universes: opportunities.universes,
      history: started.history,
      log: parts.log,
    });
    const onGone = (): void => {
      setTimeout(() => engine.directory.envs.forEach(forgetDeadReaders), DEAD_AFTER_MS).unref();
    };
    log = new LogServer({ engine, handler, feeds: () => started.feeds, log: parts.log, heartbeats, onGone });
    const port = await started.listen();
    await log.listen(localSocketPath(config.dataDir, LOG_SOCKET));
    const following = log;
    return {
      server: started,
      port,
      close: async () => {
        heartbeats.close();
        handler.close();
        await following.close();
        await started.close();
        await unlock();
      },
    };
  } catch (error) {
    heartbeats.close();
    await server
      ?.close()
      .catch((failure: unknown) => parts.log.error({ err: failure }, 'what had started could not be closed'));
    await unlock();
    throw error;
  }
}
