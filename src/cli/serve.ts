// `overround serve`: starts the server, says where it is, and ends it on a signal.
import { loadCatalogue } from '../catalogue/load.js';
import type { Config } from '../config.js';
import type { Clock } from '../model/clock.js';
import { createLog } from '../observe/log.js';
import { Server } from '../server/server.js';
import { lockDirectory } from '../store/directory-lock.js';
import { startBanner } from './banner.js';
import { makeFeeds } from './feeds.js';

export interface ServeContext {
  clock: Clock;
  version: string;
  out(text: string): void;
  /** Calls back at the first signal that asks for the end. */
  onSignal(end: (signal: string) => void): void;
}

/** Resolves when the server has ended. Rejects where it could not start. */
export async function serve(config: Config, context: ServeContext): Promise<void> {
  const log = createLog(config.logLevel, { write: context.out });
  const feeds = makeFeeds(config, loadCatalogue(config.catalogueDir));
  const unlock = await lockDirectory(config.dataDir);
  const simulated = feeds.some((feed) => feed.simulated);
  const server = new Server({ config, feeds, clock: context.clock, log, version: context.version });
  let port: number;
  try {
    port = await server.listen();
  } catch (error) {
    await server.close();
    await unlock();
    throw error;
  }
  const testKeys = simulated ? server.accounts.testKeys() : [];
  context.out(`${startBanner({ host: config.host, port, simulated, testKeys })}\n`);
  context.out(`${JSON.stringify({ msg: 'listening', host: config.host, port, pid: process.pid })}\n`);
  await new Promise<void>((resolve, reject) => {
    context.onSignal((signal) => {
      log.info({ signal }, 'closing: finishing what was begun');
      server.close().then(unlock).then(resolve, reject);
    });
  });
}
