// `overround simulate FILE -- COMMAND`: runs a program against a recording served on its own clock, and says what its
// paper bets did. The program needs nothing but OVERROUND_URL and OVERROUND_KEY.

import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bet } from '../accounts/bets/bet.js';
import { centsOf } from '../accounts/bets/cents.js';
import { DEFAULT_CURRENCY } from '../base/model/money.js';
import { type FlagValues, parseConfig } from '../config/config.js';
import { createLog } from '../server/observe/log.js';
import { type RunningServer, startServing } from '../server/start.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './keys.js';
import { refuseSameFile, replacedFile } from './recording-file.js';
import { SIMULATE_SETTINGS } from './setting-options.js';
import { reportOf, reportPage, reportTable, type SimulationReport } from './simulation-report.js';

export interface SimulateFlags {
  results?: string;
  /** Deposits in US dollars. */
  bankroll: number;
  speed?: string;
  lockstep?: true;
  json?: true;
  /** A file for the page. */
  html?: string;
}

type SimulateContext = Pick<CommandContext, 'env' | 'version' | 'out' | 'err' | 'onSignal'>;

/** Time begins with the command's first stream; one that opens none has so long to begin. */
const BEGIN_MS = 5_000;
const POLL_MS = 20;
/** From the recording's end until the command is told to end, and then until it is killed. */
const LAST_WORDS_MS = 1_000;
const KILL_MS = 5_000;

/** Resolves to the command's exit code. Throws ConfigError, CommandError. */
export async function simulate(
  file: string,
  command: readonly string[],
  flags: SimulateFlags,
  given: FlagValues,
  context: SimulateContext,
): Promise<number> {
  const { results, bankroll, speed = 'max', lockstep = false, json, html } = flags;
  const deposits = centsOf(bankroll);
  if (deposits === undefined) throw new CommandError('--bankroll must be an amount above 0 with at most two decimals');
  const settings = {
    ...given,
    replay: file,
    port: '0',
    ...(results === undefined ? {} : { results }),
    ...(lockstep ? { lockstep: 'yes' } : { speed }),
  };
  const config = { ...parseConfig(settings, fromEnvironment(context.env)), replayPaused: !lockstep };
  const page = html === undefined ? undefined : pageFile(html, file, results);
  try {
    const log = createLog('warn', { write: context.err });
    const running = await startServing({ config, log, version: context.version });
    const { code, report } = await played(running, command, deposits, context).finally(() => running.close());
    context.out(json ? `${JSON.stringify(report, null, 2)}\n` : reportTable(report));
    page?.write(reportPage(report, basename(file), command.join(' ')));
    return code;
  } finally {
    page?.discard();
  }
}

async function played(
  running: RunningServer,
  command: readonly string[],
  deposits: number,
  context: SimulateContext,
): Promise<{ code: number; report: SimulationReport }> {
  const key = running.ownKey('enterprise')!;
  const { account } = running.server.accounts.authenticate(key)!;
  const { bets } = running.server;
  await bets.setBankroll(account, deposits, DEFAULT_CURRENCY);
  const code = await runCommand(command, running, key, context);
  const placed: Bet[] = [];
  for await (const piece of bets.all(account)) placed.push(...piece);
  return { code, report: reportOf(placed.reverse(), bets.bankroll(account)) };
}

/** Begun before the run, which may take hours: where it cannot be written, that is told at once. */
function pageFile(
  html: string,
  file: string,
  results: string | undefined,
): { write(text: string): void; discard(): void } {
  refuseSameFile(html, { 'the recording itself': file, 'the file with the results': results });
  const replaced = replacedFile(html);
  const write = (text: string): void => {
    try {
      writeFileSync(replaced.path, text);
    } catch (error) {
      throw new CommandError(`--html ${html} cannot be written: ${(error as Error).message}`);
    }
  };
  write('');
  return {
    write: (text) => {
      write(text);
      replaced.keep();
    },
    discard: replaced.discard,
  };
}

/** A server's PORT or FEED says nothing about a simulated one. */
function fromEnvironment(env: SimulateContext['env']): SimulateContext['env'] {
  return Object.fromEntries(SIMULATE_SETTINGS.map((setting) => [setting.env, env[setting.env]]));
}

async function runCommand(
  [program = '', ...args]: readonly string[],
  running: RunningServer,
  key: string,
  { env, err, onSignal }: SimulateContext,
): Promise<number> {
  const player = running.server.replay!;
  // What it prints must not be mixed with the report.
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, OVERROUND_URL: running.url, OVERROUND_KEY: key },
  });
  child.stdout.setEncoding('utf8').on('data', err);
  onSignal(() => child.kill('SIGTERM'));
  let told = false;
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${program} cannot be run: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? (told && signal !== null ? 0 : 1)));
  });
  // A process that the command leaves behind may hold what it prints into open for ever.
  const printed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  ended.catch(() => undefined);
  if (player.status.state === 'paused') {
    await begun(running, ended);
    player.resume();
    const over = await Promise.race([player.finished.then(() => true), ended.then(() => false)]);
    if (over) {
      await Promise.race([pause(LAST_WORDS_MS), ended]);
      told = true;
      await end(child, ended);
    }
  }
  const code = await ended;
  await Promise.race([printed, pause(LAST_WORDS_MS)]);
  child.stdout.destroy();
  // Bets are graded by what was said later.
  await player.playOut();
  const games = await running.server.bets.graded();
  if (games > 0) throw new CommandError(`the bets of ${games} games could not be graded`);
  return code;
}

async function begun({ server }: RunningServer, ended: Promise<unknown>): Promise<void> {
  let over = false;
  const end = (): void => {
    over = true;
  };
  ended.then(end, end);
  for (let waitedMs = 0; waitedMs < BEGIN_MS && !over; waitedMs += POLL_MS) {
    if (server.broadcaster.subscriberCount > 0) {
      // Its snapshot first.
      await server.broadcaster.written(BEGIN_MS);
      return;
    }
    await pause(POLL_MS);
  }
}

async function end(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await Promise.race([ended, pause(KILL_MS)]);
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
}
