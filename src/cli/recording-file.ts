// Checks recordings and other files named on the command line before anything is begun.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
