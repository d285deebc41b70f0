// The disk as a control: a commit ends with an fdatasync, and some disks stall. Measuring with a data folder in memory
// as well separates the program from the disk.
import { closeSync, existsSync, fdatasyncSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { quantile } from './statistics.js';

const SHARED_MEMORY = '/dev/shm';
const TMPFS = 0x01021994;
const LEAST_FREE_BYTES = 2 ** 30;
/** Approximate size of a commit of fifty changes. */
const BYTES = 64 * 1024;
const FILE_BYTES = 4 * 1024 * 1024;

export interface SyncTimes {
  p50: number;
  p99: number;
}

/** Times (ms) of an fdatasync after each write of 64 KiB into a file of this folder, for so long. */
export function syncTimes(folder: string, forMs: number): SyncTimes {
  const file = join(folder, 'fdatasync');
  const fd = openSync(file, 'w');
  const bytes = Buffer.alloc(BYTES, 1);
  const times: number[] = [];
  try {
    const until = performance.now() + forMs;
    for (let at = 0; performance.now() < until; at = (at + BYTES) % FILE_BYTES) {
      writeSync(fd, bytes, 0, BYTES, at);
      const begun = performance.now();
      fdatasyncSync(fd);
      times.push(performance.now() - begun);
    }
  } finally {
    closeSync(fd);
    unlinkSync(file);
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

/** A folder of this machine that lies in memory; undefined where there is none, or no room in it. */
export function memoryFolder(): string | undefined {
  if (!existsSync(SHARED_MEMORY)) return undefined;
  const { type, bavail, bsize } = statfsSync(SHARED_MEMORY);
  return type === TMPFS && bavail * bsize >= LEAST_FREE_BYTES ? SHARED_MEMORY : undefined;
}
