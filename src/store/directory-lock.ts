// One server per data directory. The lock is a listening local socket: it ends with its process, however that ends, so
// a killed server leaves nothing behind that a person would have to delete.
import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDirectory } from './make-directory.js';

/** A local socket's path may have about a hundred bytes. */
const SOCKET_PATH_BYTES = 100;

class DirectoryInUse extends Error {
  constructor(path: string) {
    super(`the data directory ${path} is in use by another overround server`);
    this.name = 'DirectoryInUse';
  }
}

/** Locks the directory (created if missing) and returns a function that unlocks it. Rejects with DirectoryInUse. */
export async function lockDirectory(path: string): Promise<() => Promise<void>> {
  makeDirectory(path);
  const socketPath = localSocketPath(path);
  if (await answers(socketPath)) throw new DirectoryInUse(path);
  rmSync(socketPath, { force: true });
  const server = createServer((socket) => socket.destroy());
  await listening(server, socketPath, path);
  server.unref();
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
    });
}

/** Path of a local socket of the data directory: inside it, or among temporary files if that path would be too long. */
export function localSocketPath(path: string, name = 'overround'): string {
  const real = realpathSync(path);
  const inside = join(real, `${name}.sock`);
  if (Buffer.byteLength(inside) <= SOCKET_PATH_BYTES) return inside;
  return join(tmpdir(), `${name}-${createHash('sha256').update(real).digest('hex').slice(0, 16)}.sock`);
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function listening(server: Server, socketPath: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // If two servers start at once, the second one to listen fails.
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new DirectoryInUse(path) : error),
    );
    server.listen(socketPath, resolve);
  });
}
