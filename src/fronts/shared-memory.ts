// Memory shared by several processes of this machine: a file mapped with koffi. Linux only.
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Library } from 'koffi';

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;

export class NoSharedMemory extends Error {}

/** Zeroed memory that exists as long as this process; returns the path by which others map it. */
export function makeShared(bytes: number): string {
  const path = join(mkdtempSync(join(tmpdir(), 'overround-')), 'shared');
  const fd = openSync(path, 'wx+', 0o600);
  ftruncateSync(fd, bytes);
  // Nothing of it is left behind, however this process ends.
  rmSync(dirname(path), { recursive: true });
  return `/proc/${process.pid}/fd/${fd}`;
}

/** Maps the file for the life of the process. Rejects with NoSharedMemory if that is not possible. */
export async function mapShared(path: string, bytes: number): Promise<ArrayBuffer> {
  if (process.platform !== 'linux') throw new NoSharedMemory('it needs Linux');
  const { default: koffi } = await import('koffi').catch(() => {
    throw new NoSharedMemory('the optional package koffi is not installed');
  });
  const libc = koffi.load(null) as Library;
  const mmap = libc.func('void *mmap(void *address, size_t length, int protection, int flags, int fd, long offset)');
  const fd = openSync(path, 'r+');
  try {
    const address: unknown = mmap(null, bytes, PROT_READ_WRITE, MAP_SHARED, fd, 0);
    if (koffi.address(address) === 0xffff_ffff_ffff_ffffn) throw new NoSharedMemory(`${path} cannot be mapped`);
    return koffi.view(address, bytes);
  } finally {
    closeSync(fd);
  }
}
