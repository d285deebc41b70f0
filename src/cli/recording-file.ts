// Checks a recording named on the command line before anything is begun.
import { accessSync, constants, statSync } from 'node:fs';
import { CommandError } from './keys.js';

/**
 * The file's size in bytes. Throws CommandError with a one-line message if it does not exist, is not a file, or may not
 * be read.
 */
export function recordingSize(path: string): number {
  try {
    const { size } = checked(path);
    accessSync(path, constants.R_OK);
    return size;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

function checked(path: string): { size: number } {
  const found = statSync(path);
  if (found.isDirectory()) throw new CommandError(`${path} cannot be read: it is a directory`);
  return found;
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  return message;
}
