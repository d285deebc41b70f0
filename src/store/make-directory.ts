// Creates the store's directories with their parents. Node's own recursion never ends if the parent exists and the
// system says that it does not, as within /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DIRECTORY_MODE } from './private-files.js';

/** For its owner alone. Throws an Error with a one-line message if it cannot be created. */
export function makeDirectory(path: string): void {
  try {
    make(resolve(path));
  } catch (error) {
    throw new Error(`${path} is not a directory that can be made: ${(error as Error).message}`);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    make(above);
    make(path);
  }
}
