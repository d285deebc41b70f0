// Programs of this machine that the bench can use where they are, looked for as a shell would.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program; undefined where it is not installed. */
export function programPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return undefined;
}
