// `overround serve`: starts the server, prints where it is, and ends it on a signal.
import type { Config } from '../config/config.js';
import { createLog, type Log } from '../observe/log.js';
import { type RunningServer, startServer } from '../server/start.js';
import { isGivenUp } from '../store/storage-error.js';
import { startBanner } from './banner.js';
import { makeFeeds } from './feeds.js';
import type { ServeContext } from './serve-context.js';

/** Delay before a node of a cluster restarts: the cause may persist. */
const AGAIN_MS = 1_000;

/**
 * Resolves when the server has ended. Rejects if it could not start, or a disk failed that it cannot continue without.
 */
export async function serve(config: Config, context: ServeContext): Promise<void> {
  if (config.fronts > 0) {
    const { supervise } = await import('./supervise.js');
    await supervise(config, context);
    return;
  }
  const log = createLog(config.logLevel, { write: context.out });
  let signalled = false;
  let end: (why: 'signal' | 'anew') => void = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    context.onUncaught((error) => {
      if (!isGivenUp(error)) return false;
      // Threads share LMDB's state of a file, and none can close it for the others.
      reject(
        new Error(`the disk refused a commit, and the store cannot be used until it is opened anew: ${error.message}`),
      );
      return true;
    });
  });
  givenUp.catch(() => undefined);
  context.onSignal((signal) => {
    log.info({ signal }, 'closing: finishing what was begun');
    signalled = true;
    end('signal');
  });
  let port = config.port;
  for (;;) {
    const ended = new Promise<'signal' | 'anew'>((resolve) => {
      end = resolve;
    });
    const running = await start({ ...config, port }, context, log, (reason) => {
      log.warn({ reason }, 'this node starts anew');
      end('anew');
    });
    if (signalled) end('signal');
    const why = await Promise.race([ended, givenUp]);
    await running.close();
    if (why === 'signal' || signalled) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    // Clients reconnect to the same port.
    port = running.port;
  }
}

async function start(
  config: Config,
  { clock, version, out }: ServeContext,
  log: Log,
  onEnd: (reason: string) => void,
): Promise<RunningServer> {
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
    onEnd,
  });
  const { host, port, server } = running;
  const testKeys = simulated ? server.accounts.testKeys() : [];
  out(`${startBanner({ host, port, simulated, testKeys })}\n`);
  out(`${JSON.stringify({ msg: 'listening', host, port, pid: process.pid })}\n`);
  return running;
}
