// A file that is written under another name and takes its place when it is whole: after a failure an earlier one is as it was.
import { lstatSync, renameSync, rmSync } from 'node:fs';

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
