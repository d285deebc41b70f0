// Runs several test files in one process, because most of the time of a short test is spent on loading modules. Each
// file is a suite with its name, so that a failure shows the file, and its hooks end with it.
import { appendFileSync } from 'node:fs';
import { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Limit of one file; the runner's own limit, for the whole process, is higher. */
const FILE_MS_MAX = 240_000;

/**
 * Names of the files that ran to their end, one per line: if a process dies, the files after the one it died in are
 * lost.
 */
export const ENDED = fileURLToPath(new URL('../test-groups/ended.txt', import.meta.url));

/** @param names paths of test files from this folder, without `.test.js`. */
export async function group(names: readonly string[]): Promise<void> {
  // One after another: among files loaded together, tests could be attributed to the wrong file.
  for (const name of names)
    await new Promise<void>((loaded) => {
      void describe(name, { timeout: FILE_MS_MAX }, async () => {
        after(() => appendFileSync(ENDED, `${name}\n`));
        try {
          await import(`./${name}.test.js`);
        } finally {
          loaded();
        }
      });
    });
}
