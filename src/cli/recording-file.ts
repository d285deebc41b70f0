// Files named on the command line: checked before anything is begun, and written so that they are whole or as before.
import { accessSync, constants, lstatSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

function sizeOf(path: string): number {
  const found = statSync(path);
  accessSync(path, constants.R_OK);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => (name.startsWith('.') ? sum : sum + sizeOf(join(path, name))), 0);
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
