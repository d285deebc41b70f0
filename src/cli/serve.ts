// `overround serve`: starts the server, says where it is, and ends it on a signal.
import type { Config } from '../config/config.js';
import type { Clock } from '../model/clock.js';
import { createLog } from '../observe/log.js';
import { startServer } from '../server/start.js';
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
export async function serve(config: Config, { clock, version, out, onSignal }: ServeContext): Promise<void> {
  const log = createLog(config.logLevel, { write: out });
  let simulated = false;
  const running = await startServer({
    config,
    feeds: (_, catalogue) => {
      const feeds = makeFeeds(config, catalogue);
      simulated = feeds.some((feed) => feed.simulated);
      return feeds;
    },
    clock,
    log,
    version,
  });
  const { host, port, server } = running;
  const testKeys = simulated ? server.accounts.testKeys() : [];
  out(`${startBanner({ host, port, simulated, testKeys })}\n`);
  out(`${JSON.stringify({ msg: 'listening', host, port, pid: process.pid })}\n`);
  await new Promise<void>((resolve, reject) => {
    onSignal((signal) => {
      log.info({ signal }, 'closing: finishing what was begun');
      running.close().then(resolve, reject);
    });
  });
}
