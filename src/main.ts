#!/usr/bin/env node
// The entry point: the only place that reads the environment, handles signals and ends the process.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { CommandContext, Order } from './cli/command-context.js';

// Before any module of ours is loaded, which an older Node cannot even read.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `overround: needs Node 20.19 or newer, and this is ${process.versions.node} (npx -p node@22 npm start)\n`,
  );
  process.exit(1);
}
// Nor may it open the files of our modules: what Node says then names one of them, and not why.
const { tooFewFiles } = await import('./server/process-limits.js');
const few = tooFewFiles();
if (few !== null) {
  process.stderr.write(`overround: ${few}\n`);
  process.exit(1);
}
const { CHILD, ownCommand, robustOutput } = await import('./cli/command-context.js');
const { runProgram } = await import('./cli/program.js');
const { parseConfig } = await import('./config/config.js');
const { systemClock } = await import('./base/model/clock.js');

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The first signal requests the end; a second one ends at once. */
function onSignal(end: (signal: string) => void): void {
  let signalled = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (signalled) process.exit(1);
      signalled = true;
      end(signal);
    });
}

function onUncaught(take: (error: Error) => boolean): void {
  process.on('uncaughtException', (error) => {
    if (take(error)) return;
    err(`${error.stack ?? String(error)}\n`);
    process.exit(1);
  });
}

/** How long the threads of a process that ends with an error may hold it up (ms). */
const STUCK_AFTER_MS = 1_000;

/**
 * Kills this process if it does not end within a few seconds of an exit with an error. Node waits for its threads, and one
 * whose LMDB store was given up may wait for its own lock forever: what restarts the process would never see it end.
 */
function killIfStuckAtExit(): void {
  process.once('exit', (code) => {
    if (code === 0) return;
    // Its input ends when this process does.
    const watch = `process.stdin.on('end', () => process.exit()).resume();
      setTimeout(() => process.kill(${process.pid}, 'SIGKILL'), ${STUCK_AFTER_MS});`;
    spawn(process.execPath, ['-e', watch], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  });
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => {
      // Its reader has what it wanted (`overround backtest FILE | head`).
      if ((error as NodeJS.ErrnoException | null | undefined)?.code === 'EPIPE') process.exit(0);
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Goes on, at the same place, under a Node.js on which uWebSockets.js has a binary; returns where this one has one. */
async function underServingNode(): Promise<void> {
  try {
    await import('./front/http/uws.js');
    return;
  } catch (error) {
    const { environmentFor, FOUND, runBeside, servingNode } = await import('./cli/serving-node.js');
    if (process.env[FOUND] === '1') throw error;
    const node = await servingNode(process.env, (error as Error).message, err);
    const args = [...process.execArgv, ...process.argv.slice(1)];
    const env = environmentFor(node, process.env);
    // Node 22.15 and 23.11 and later, not on Windows: the process itself stays, with its id, streams and signals.
    const { execve } = process as { execve?: (file: string, args: string[], env: Record<string, string>) => never };
    if (execve !== undefined && process.platform !== 'win32') execve.call(process, node, [node, ...args], env);
    process.exit(await runBeside(node, args, env, (signal, take) => process.on(signal, take)));
  }
}

const out = robustOutput(process.stdout);
const err = robustOutput(process.stderr);
const { env } = process;
const context: CommandContext = {
  clock: systemClock,
  env,
  version,
  command: ownCommand({ script: process.argv[1]!, env, hostname: hostname() }),
  out,
  err,
  write,
  terminal: process.stderr.isTTY ? process.stderr : undefined,
  onSignal,
  onUncaught,
};

/** Aborted by the first signal. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  onSignal(() => stop.abort());
  return stop.signal;
}

/** One of several processes, controlled over the channel to its parent. */
async function beChild(): Promise<number> {
  const { runChild } = await import('./cli/child.js');
  killIfStuckAtExit();
  await runChild({
    ...context,
    onOrder: (order) => process.on('message', (message) => order(message as Order)),
    onOrphaned: (gone) => process.once('disconnect', gone),
    report: (report) => {
      if (process.connected) process.send?.(report, undefined, {}, () => undefined);
    },
  });
  return 0;
}

try {
  if (process.argv[2] === CHILD && process.send !== undefined) process.exit(await beChild());
  const code = await runProgram(process.argv.slice(2), {
    ...context,
    handlers: {
      // Each command loads what it needs: a backtest is over before a server's modules would be read.
      serve: async (settings) => {
        const config = parseConfig(settings, env);
        if (config.nativeCode === 'pinned') {
          const { checkNativeCode } = await import('./server/native-code.js');
          checkNativeCode();
        }
        await underServingNode();
        const { serve } = await import('./cli/serve.js');
        killIfStuckAtExit();
        await serve(config, context);
      },
      record: async (flags, settings) => {
        const { record } = await import('./cli/record.js');
        await record(flags.out, parseConfig(settings, env), context);
      },
      replay: async (file, flags) => {
        const { replayToServer } = await import('./cli/replay.js');
        const { loadCatalogue } = await import('./rules/catalogue/load.js');
        const { createLog } = await import('./server/observe/log.js');
        const log = createLog('info', { write: err });
        const how = { ...flags, file, leagues: loadCatalogue(), log, signal: untilSignal() };
        await replayToServer({ ...context, ...how });
      },
      results: async (file, flags) => {
        const { resultsToServer } = await import('./cli/replay.js');
        const { createLog } = await import('./server/observe/log.js');
        const log = createLog('info', { write: err });
        await resultsToServer({ ...flags, file, clock: systemClock, log, signal: untilSignal() });
      },
      import: async (paths, flags) => {
        // Nearly all of it is garbage at once. Node 24 lets the young generation of a thread grow to 96 MiB, for nothing.
        setFlagsFromString('--semi-space-growth-factor=1');
        const { importFiles } = await import('./cli/import.js');
        await importFiles(paths, flags, context);
      },
      sink: async (target, flags) => {
        const { sink } = await import('./cli/sink.js');
        await sink(target, flags, { ...context, signal: untilSignal() });
      },
      export: async (flags) => {
        const { exportCommand } = await import('./cli/export.js');
        await exportCommand(flags, context);
      },
      backup: async (flags) => {
        const { backupCommand } = await import('./cli/backup.js');
        await backupCommand(flags, context);
      },
      simulate: async (file, command, flags, settings) => {
        await underServingNode();
        const { simulate } = await import('./cli/simulate.js');
        return simulate(file, command, flags, settings, context);
      },
      backtest: async (file, flags) => {
        // Over in seconds, most of which pass before anything is hot: machine code from the first call is a tenth
        // faster.
        setFlagsFromString('--always-sparkplug');
        const { backtest } = await import('./cli/backtest.js');
        await backtest(file, flags, context);
      },
    },
  });
  process.exit(code);
} catch (error) {
  err(`overround: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
