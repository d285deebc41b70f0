// What the entry point passes to commands, which errors a server takes, how this program is called, how it
// prints, and what a supervisor and its children tell each other.

import { basename, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import { isGivenUp } from '../base/model/storage-error.js';
import type { Config } from '../config/config.js';
import { tookStrayError } from '../intake/feeds/own-feed.js';
import type { Tier } from '../rules/catalogue/types.js';

export interface CommandContext {
  clock: Clock;
  /** The environment: settings of feeds are read when those are made. */
  env: Readonly<Record<string, string | undefined>>;
  version: string;
  /** How this program is called (ownCommand). */
  command: string;
  /** Standard output and standard error. */
  out(text: string): void;
  err(text: string): void;
  /** Standard output; settles when there is room for more. */
  write(text: string): Promise<void>;
  /** Where a progress bar may be drawn; undefined if standard error is not a terminal. */
  terminal: NodeJS.WriteStream | undefined;
  /** Calls back at the first signal to end. */
  onSignal(end: (signal: string) => void): void;
  /** Calls back with an uncaught error; if the result is false it ends the process, as it would have. */
  onUncaught(take: (error: Error) => boolean): void;
}

// Errors that nothing caught and that do not end the process with a stack: a store that the disk has failed, and a fault
// of a feed of a user's own.

/**
 * A disk that refuses the page which completes a commit leaves LMDB's file unusable in this process: its threads share the
 * state of the file, and none can close it for the others. The process ends with one line, and a new one opens it anew.
 * @param fail ends the process with the error's message
 */
export function onUncaughtErrors(
  { onUncaught }: Pick<CommandContext, 'onUncaught'>,
  fail: (error: Error) => void,
): void {
  onUncaught((error) => {
    if (!isGivenUp(error)) return tookStrayError(error);
    fail(
      new Error(`the disk refused a commit, and the store cannot be used until it is opened anew: ${error.message}`),
    );
    return true;
  });
}

// The command line by which this program can be run again, wherever and however it was started: shown where the next
// step is another of its commands.

interface OwnStart {
  /** `process.argv[1]` */
  script: string;
  env: Readonly<Record<string, string | undefined>>;
  /** In a container its id. */
  hostname: string;
}

/** `overround`, `node /path/to/main.js` or `docker exec … node …`, for a shell in any directory. */
export function ownCommand({ script, env, hostname }: OwnStart): string {
  const path = resolve(script);
  // Set by our image.
  if (env['OVERROUND_IMAGE'] === '1') return `docker exec ${hostname} node ${quoted(path)}`;
  // npx runs it by that name too, but from a folder that is not on the caller's path.
  const installed = basename(path) === 'overround' && env['npm_command'] !== 'exec';
  return installed ? 'overround' : `node ${quoted(path)}`;
}

/** The command that makes a key for the server with this configuration: one that may stream. */
export function keyCommand(command: string, { cluster, clusterName, dataDir }: Config): string {
  const where =
    cluster.length > 0
      ? `--cluster ${quoted(cluster.join(','))} --cluster-name ${quoted(clusterName)}`
      : `--data ${quoted(resolve(dataDir))}`;
  return `${command} keys create --tier pro --streaming ${where}`;
}

/** As one word of a shell. */
function quoted(text: string): string {
  if (/^[\w./:,@+=\\-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command line's first word when a child is started. */
export const CHILD = 'process-of-supervisor';

export interface StartOrder {
  kind: 'start';
  role: 'engine' | 'front';
  /** `engine`, `front-1` … */
  label: string;
  config: Config;
}

export type Order =
  | StartOrder
  | { kind: 'stop' }
  /** A request for its own metrics. */
  | { kind: 'metrics'; no: number }
  /** The answer to its request. */
  | { kind: 'collected'; no: number; text: string };

export type Report =
  | { kind: 'ready'; port: number; simulated: boolean; testKeys: { tier: Tier; key: string }[] }
  /** It cannot start; a line for the operator. */
  | { kind: 'failed'; message: string }
  | { kind: 'metrics'; no: number; text: string }
  /** A request for the metrics of all others, to be merged with its own. */
  | { kind: 'collect'; no: number; own: string };

/** Bytes that may wait for a stopped reader once the system accepts no more; further text is dropped. */
const WAITING_BYTES_MAX = LIMITS.terminalUnsent.max;

// biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal takes for a command is exactly what is meant
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Control characters as JSON escapes them: others' names and words are in what is told, and must not command the terminal. */
function shown(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Standard output or standard error of a server: their reader may disappear (`overround serve | head`), stop reading or have
 * a full disk, and none of that may end or stop the server. Writes text while anyone reads it; never throws.
 */
export function robustOutput(stream: Writable): (text: string) => void {
  let gone = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Another error (a full disk) costs its line: the next one may find room.
    if (error.code === 'EPIPE' || stream.destroyed) gone = true;
  });
  return (text) => {
    if (gone || stream.writableLength > WAITING_BYTES_MAX) return;
    try {
      stream.write(shown(text));
    } catch {
      // A file accepts its text at once, and throws what a pipe would emit: there is nowhere left to report it.
    }
  };
}
