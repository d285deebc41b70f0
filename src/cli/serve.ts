// `overround serve`: starts the server, prints where it is, and ends it on a signal.
import { rmSync } from 'node:fs';
import type { Config } from '../config/config.js';
import type { Restart } from '../engine/replay/player.js';
import { freePort } from '../front/http/port-free.js';
import { mcpSdk } from '../front/mcp/sdk.js';
import { createLog, type Log } from '../server/observe/log.js';
import { temporaryDirectory } from '../server/served-recording.js';
import { type RunningServer, type StartOptions, startServing } from '../server/start.js';
import { startBanner } from './banner.js';
import { type CommandContext, keyCommand, onUncaughtErrors } from './command-context.js';
import { makeFeeds } from './feeds.js';

/** Delay before a node of a cluster restarts: the cause may persist. */
const AGAIN_MS = 1_000;
/** Within the ten seconds that an end may take, with what the process needs to be gone. */
const END_MS = 8_500;

/**
 * Resolves when the server has ended. Rejects if it could not start, or a disk failed that it cannot continue without.
 */
export async function serve(config: Config, context: CommandContext): Promise<void> {
  if (config.fronts > 0) {
    const { supervise } = await import('./supervise.js');
    await supervise(config, context);
    return;
  }
  const log = createLog(config.logLevel, { write: context.out });
  let signalled = false;
  let end: (why: 'signal' | 'anew') => void = () => {};
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  onUncaughtErrors(context, fail);
  let running: RunningServer | undefined;
  context.onSignal((signal) => {
    log.info({ signal }, 'closing: finishing what was begun');
    signalled = true;
    end('signal');
    setTimeout(() => {
      const what = running === undefined ? 'the start' : (running.unfinished ?? 'the cluster');
      fail(new Error(`ended by force ${END_MS / 1000} s after ${signal}: still waiting for ${what}`));
    }, END_MS).unref();
  });
  let moved: Pick<Config, 'replayFrom' | 'replaySpeed' | 'replayPaused'> | undefined;
  // Connections of before a seek back would keep a port that the system chose.
  let port = config.replay === undefined ? config.port : await freePort(config.host, config.port);
  // A recording that is begun anew keeps its keys.
  const temporary = config.replay !== undefined && !config.dataDirGiven ? await temporaryDirectory() : undefined;
  const directory = temporary === undefined ? {} : { dataDir: temporary, dataDirGiven: true };
  for (;;) {
    const ended = new Promise<'signal' | 'anew'>((resolve) => {
      end = resolve;
    });
    const onEnd = (reason: string): void => {
      log.warn({ reason }, 'this node starts anew');
      end('anew');
    };
    const restart: Restart = (toMs, { speed, paused }) => {
      moved = { replayFrom: toMs, replaySpeed: speed, replayPaused: paused };
      end('anew');
    };
    const run = { restart, again: moved !== undefined };
    const settings = { ...config, ...directory, port, ...moved };
    running = await Promise.race([failed, start(settings, context, log, { onEnd, onFailure: fail, run })]);
    if (signalled) end('signal');
    const why = await Promise.race([ended, failed]);
    await Promise.race([running.close(), failed]);
    if (why === 'signal' || signalled) break;
    if (config.replay === undefined) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    // Clients reconnect to the same port.
    ({ port } = running);
    running = undefined;
  }
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
}

async function start(
  config: Config,
  { clock, env, version, command, out }: CommandContext,
  log: Log,
  events: Pick<StartOptions, 'onEnd' | 'onFailure' | 'run'>,
): Promise<RunningServer> {
  const starting = startServing({
    config,
    feeds: (given, catalogue) => makeFeeds(given, catalogue, env),
    clock,
    log,
    version,
    ...events,
  });
  // Its modules are one turn of 0.2 s: here it passes while the threads begin, at the first MCP request everybody waits.
  mcpSdk();
  const running = await starting;
  const { host, port, dataDir, server } = running;
  const { simulated } = server.engine.directory;
  // A directory of the simulated market may be opened without it.
  const tries = simulated && (config.replay !== undefined || server.feeds.some((feed) => feed.simulated));
  const testKeys = tries ? server.accounts.testKeys() : [];
  const makeKey = keyCommand(command, { ...config, dataDir });
  const recording =
    config.replay === undefined ? undefined : { file: config.replay, key: running.ownKey('enterprise') };
  out(`${startBanner({ host, port, simulated, testKeys, makeKey, recording })}\n`);
  out(`${JSON.stringify({ msg: 'listening', host, port, pid: process.pid })}\n`);
  return running;
}
