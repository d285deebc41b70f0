// Several test files in one process: most of what a short test costs is loading the modules it is about. Each file is a suite
// of its name, so that a failure tells its file, and the hooks of a file end with it.
import { appendFileSync } from 'node:fs';
import { after, describe } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Of one file; the runner's own limit, for the whole process, is above it. */
const FILE_MS_MAX = 120_000;

/** Names of the files that came to their end, one a line: a process that dies takes along those after the one it dies in. */
export const ENDED = fileURLToPath(new URL('../test-groups/ended.txt', import.meta.url));

/** @param names paths of test files from this folder, without `.test.js`. */
export async function group(names: readonly string[]): Promise<void> {
  // One after another: of files loaded together, the tests of one could be taken for the other's.
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
