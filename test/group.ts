// Several test files in one process: most of what a short test costs is loading the modules it is about. Each file is a suite
// of its name, so that a failure tells its file, and the hooks of a file end with it.
import { describe } from 'node:test';

/** Of one file; the runner's own limit, for the whole process, is above it. */
const FILE_MS_MAX = 120_000;

/** @param names paths of test files from this folder, without `.test.js`. */
export async function group(names: readonly string[]): Promise<void> {
  // One after another: of files loaded together, the tests of one could be taken for the other's.
  for (const name of names)
    await new Promise<void>((loaded) => {
      void describe(name, { timeout: FILE_MS_MAX }, async () => {
        try {
          await import(`./${name}.test.js`);
        } finally {
          loaded();
        }
      });
    });
}
