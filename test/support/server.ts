// The one way in which a test starts a whole server in its own process: the program's own, with threads, store and sockets.

import { type Clock, systemClock } from '../../src/base/model/clock.js';
import { parseConfig } from '../../src/config/config.js';
import type { Feed } from '../../src/intake/feeds/feed.js';
import { createLog, type Log } from '../../src/server/observe/log.js';
import { type Serving, serve } from '../../src/server/roles.js';
import type { ServerParts } from '../../src/server/server-parts.js';
import type { Ending } from '../shared.js';
import { newFolder } from '../temp-folders.js';

export interface Boot<C extends Clock> extends Partial<Pick<ServerParts, 'alerts'>> {
  /** Kept after the test; one of its own by default. */
  data?: string | undefined;
  /** By flag name, as on the command line. */
  settings?: Readonly<Record<string, string | string[]>>;
  /** In place of what the settings say. */
  config?: Partial<ServerParts['config']>;
  clock?: C;
  feeds?: readonly Feed[];
  log?: Log;
}

export interface Booted<C extends Clock = Clock> extends Serving {
  /** `http://127.0.0.1:port` */
  url: string;
  clock: C;
}

/** Serves; closed after the test at the latest. */
export async function boot<C extends Clock = Clock>(t: Ending, options: Boot<C> = {}): Promise<Booted<C>> {
  const { data = newFolder('overround-'), settings, feeds = [], log = createLog('silent'), alerts } = options;
  const clock = options.clock ?? (systemClock as Clock as C);
  const flags = { port: '0', data, workers: '1', history: '0', 'native-code': 'any', ...settings };
  const config = { ...parseConfig(flags, {}), ...options.config };
  const parts = { config, feeds, clock, log, version: '0.0.1', ...(alerts === undefined ? {} : { alerts }) };
  const serving = await serve('alone', parts);
  t.after(() => serving.close());
  const { server, port, close } = serving;
  return {
    server,
    port,
    close,
    clock,
    url: `http://127.0.0.1:${port}`,
    get unfinished() {
      return serving.unfinished;
    },
  };
}
