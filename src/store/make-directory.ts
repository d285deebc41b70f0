// Directories the store lies in, made with those above them. Node's own recursion goes round for ever where the one above
// is there and the system says that it is not, as within /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Throws an Error of one line where it cannot be made.
 * @param mode of those that are made here
 */
export function makeDirectory(path: string, mode = 0o777): void {
  try {
    make(resolve(path), mode);
  } catch (error) {
    throw new Error(`${path} is not a directory that can be made: ${(error as Error).message}`);
  }
}

function make(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    make(above, mode);
    make(path, mode);
  }
}
