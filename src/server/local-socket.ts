// The local socket of a server that no fronts follow: commands on this machine send their requests there.

import type { EngineLog } from '../model/log.js';
import { LOG_SOCKET, LogServer } from '../replication/local/log-server.js';
import { RequestHandler } from '../replication/requests/request-handler.js';
import { localSocketPath } from '../store/directory-lock.js';
import type { Server } from './server.js';

export async function listenLocally(
  { engine, opportunities, history }: Server,
  dataDir: string,
  log: EngineLog,
): Promise<{ close(): Promise<void> }> {
  const handler = new RequestHandler({ engine, universes: opportunities.universes, history, log });
  const socket = new LogServer({ engine, handler, feeds: () => [], log });
  await socket.listen(localSocketPath(dataDir, LOG_SOCKET));
  return {
    close: () => {
      handler.close();
      return socket.close();
    },
  };
}
