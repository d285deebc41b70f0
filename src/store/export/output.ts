// Where an export is written, and in which format: a file, or standard output, which stays open.

import { closeSync, openSync, writeSync } from 'node:fs';

export const STDOUT = 1;
const FULL_PIPE_MS = 5;

/** Returns the file descriptor. Throws what the system says. */
export function openOutput(path: string | typeof STDOUT): number {
  return typeof path === 'number' ? path : openSync(path, 'w');
}

/** Waits where the reader of a pipe is slow. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
    }
  }
}

export function closeOutput(fd: number): void {
  if (fd !== STDOUT) closeSync(fd);
}

export const EXPORT_FORMATS = ['ndjson', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
