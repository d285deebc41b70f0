// After a flush that failed, the kernel may treat pages it could not write as written: no later flush would write or
// report them. Writing every page again makes them all dirty, so that the next flush includes them. A file beside the
// store says that this is due, also to a process that is started later.
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ABORT, type RootDatabase } from 'lmdb';
import { FILE_MODE } from './private-files.js';

const DUE = 'flush-failed';
/** Written at once, with the store's write lock held. */
const PART_BYTES = 1 << 20;

/** Bytes of the store's file in `dir`. */
export function rewriteBytes(dir: string): number {
  return statSync(join(dir, 'data.mdb')).size;
}

/** Whether a flush of the store in `dir` failed, and it was not written again and flushed since. */
export function isRewriteDue(dir: string): boolean {
  return existsSync(join(dir, DUE));
}

/** To be called when a flush has failed. */
export function markRewriteDue(dir: string): void {
  try {
    writeFileSync(join(dir, DUE), '', { mode: FILE_MODE });
  } catch {
    // The disk is full or fails altogether: only this process knows.
  }
}

/** To be called when the store was written again and flushed. */
export function clearRewriteDue(dir: string): void {
  rmSync(join(dir, DUE), { force: true });
}

/**
 * Writes the whole file of the open store in `dir` again, as it stands, a part with each step, without flushing it. Other
 * threads may commit between the steps. Throws the disk's error, or LMDB's where it has given the store up.
 */
export function* rewrite(dir: string, root: RootDatabase<Buffer, string>): Generator<void> {
  const file = openSync(join(dir, 'data.mdb'), 'r+');
  try {
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let at = 0; at < fstatSync(file).size; at += PART_BYTES) {
      root.transactionSync(() => {
        const length = readSync(file, part, 0, PART_BYTES, at);
        for (let done = 0; done < length; ) done += writeSync(file, part, done, length - done, at + done);
        return ABORT;
      });
      yield;
    }
  } finally {
    closeSync(file);
  }
}
