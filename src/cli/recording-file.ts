// Files named on the command line: checked before anything is begun, and written so that they are whole or as before.
import {
  accessSync,
  constants,
  createWriteStream,
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  type WriteStream,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { SingleBar } from 'cli-progress';
import { LIMITS } from '../base/model/limits.js';
import { CommandError } from './keys.js';

/**
 * The bytes of a file, or of all files below a folder; 0 for `-`, standard input. Throws CommandError with a one-line
 * message if it does not exist or may not be read.
 */
export function inputSize(path: string): number {
  return path === '-' ? 0 : recordingSize(path);
}

/** As inputSize(), without standard input. */
export function recordingSize(path: string): number {
  try {
    return sizeOf(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

/** Throws CommandError where the file to be written is one that the command reads or writes beside it. */
export function refuseSameFile(out: string, others: Readonly<Record<string, string | undefined>>): void {
  for (const [what, other] of Object.entries(others))
    if (other !== undefined && isSameFile(out, other))
      throw new CommandError(`${out} is ${what}: write to another file`);
}

/** Pipes and devices may be named twice. */
function isSameFile(one: string, other: string): boolean {
  const stat = statSync(one, { throwIfNoEntry: false });
  return (stat === undefined || stat.isFile()) && placeOf(one) === placeOf(other);
}

/** Also of a file that does not exist yet. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

/** @param around the folders that it is in, as they are without links */
function sizeOf(path: string, around: readonly string[] = []): number {
  let found: Stats;
  try {
    found = statSync(path);
  } catch (error) {
    if (around.length === 0) throw error;
    // A link to nowhere or to itself: who reads the files tells of it.
    return 0;
  }
  accessSync(path, constants.R_OK);
  if (!found.isDirectory()) return found.size;
  const folder = realpathSync(path);
  // A link to a folder that it is in.
  if (around.includes(folder)) return 0;
  const names = readdirSync(path).filter((name) => !name.startsWith('.'));
  return names.reduce((sum, name) => sum + sizeOf(join(path, name), [...around, folder]), 0);
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  return message;
}

// A file that is written under another name and takes its place when it is whole: after a failure an earlier one is as it was.

export interface ReplacedFile {
  /** Where to write. */
  readonly path: string;
  /** Once everything is written. Throws what the system says. */
  keep(): void;
  /** Drops what was written; nothing once it is kept. */
  discard(): void;
}

/** Pipes, devices and symbolic links are written in place. */
export function replacedFile(path: string): ReplacedFile {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return { path, keep: () => {}, discard: () => {} };
  const part = `${path}.part`;
  return {
    path: part,
    keep: () => renameSync(part, path),
    discard: () => rmSync(part, { force: true }),
  };
}

/** Of a backtest's or an import's output, before the disk is waited for. */
const WAITING_MAX = LIMITS.unwrittenOutput.max;

/** A file that is written bit by bit, and takes its place when it is kept. */
export class OutputFile {
  readonly #file: ReplacedFile;
  readonly #name: string;
  readonly #packed: boolean;
  #target: Writable | undefined;
  #ended: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #waiting = '';

  /** @param packed with gzip */
  constructor(name: string, packed: boolean) {
    this.#name = name;
    this.#packed = packed;
    this.#file = replacedFile(name);
  }

  /** Rejects, before there is anything to write, if it cannot be. */
  async open(): Promise<void> {
    const file = this.#begin();
    await Promise.race([new Promise((resolve) => file.once('open', resolve)), this.#ended]);
    this.#check();
  }

  async write(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= WAITING_MAX) await this.#flush();
  }

  async keep(): Promise<void> {
    await this.#flush();
    this.#target!.end();
    await this.#ended;
    this.#check();
    this.#file.keep();
  }

  discard(): void {
    this.#target?.destroy();
    this.#file.discard();
  }

  async #flush(): Promise<void> {
    if (this.#target === undefined) this.#begin();
    const text = this.#waiting;
    this.#waiting = '';
    if (text !== '')
      await new Promise<void>((resolve) => {
        this.#target!.write(text, () => resolve());
      });
    this.#check();
  }

  #begin(): WriteStream {
    const file = createWriteStream(this.#file.path);
    const note = (error: Error): void => {
      this.#failure ??= error;
    };
    this.#ended = finished(file).catch(note);
    this.#target = file;
    if (!this.#packed) return file;
    const gzip = createGzip();
    file.on('error', (error) => gzip.destroy(error));
    gzip.on('error', note);
    gzip.pipe(file);
    this.#target = gzip;
    return file;
  }

  #check(): void {
    if (this.#failure !== undefined)
      throw new CommandError(`${this.#name} cannot be written: ${this.#failure.message}`);
  }
}

/** A bar on standard error, where that is a terminal. */
export function progressBar(
  terminal: NodeJS.WriteStream | undefined,
  total: number,
  format = '{bar} {percentage} % | {eta_formatted} left',
  payload = {},
): SingleBar | undefined {
  if (terminal === undefined || total === 0) return undefined;
  const bar = new SingleBar({ stream: terminal, format, hideCursor: true, clearOnComplete: true });
  bar.start(total, 0, payload);
  return bar;
}
