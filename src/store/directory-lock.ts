// One server per data directory. The lock is a listening local socket: it ends with its process, however that ends, so
// a killed server leaves nothing behind that a person would have to delete.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_MODE, makeDirectory, makePrivate, ofAnother } from './private-files.js';

/** A local socket's path may have about a hundred bytes. */
const SOCKET_PATH_BYTES = 100;

export class DirectoryInUse extends Error {
  constructor(path: string) {
    super(`the data directory ${path} is in use by another overround server`);
    this.name = 'DirectoryInUse';
  }
}

/** Locks the directory (created if missing) and returns a function that unlocks it. Rejects with DirectoryInUse. */
export async function lockDirectory(path: string): Promise<() => Promise<void>> {
  makeDirectory(path);
  makePrivate(path);
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
  const folder = join(tmpdir(), `overround-${createHash('sha256').update(real).digest('hex').slice(0, 16)}`);
  return join(privateFolder(folder), `${name}.sock`);
}

/** Everybody may write among temporary files: a folder there that somebody else made is not used. */
function privateFolder(path: string): string {
  makeDirectory(path);
  const { uid, mode } = lstatSync(path);
  if ((uid !== process.getuid?.() && process.getuid !== undefined) || (mode & 0o077) !== 0)
    throw new Error(`${path} belongs to somebody else or is open to others: remove it, or use a shorter --data`);
  return path;
}

/** Listens on a local socket that only this user may connect to. Rejects with the system's error. */
export function listenPrivately(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, () => {
      server.off('error', reject);
      chmodSync(socketPath, FILE_MODE);
      resolve();
    });
  });
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

async function listening(server: Server, socketPath: string, path: string): Promise<void> {
  try {
    await listenPrivately(server, socketPath);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // If two servers start at once, the second one to listen fails.
    if (code === 'EADDRINUSE') throw new DirectoryInUse(path);
    if (code === 'EROFS') throw new Error(`${path} is on a file system that can only be read`);
    if (code === 'EACCES') throw ofAnother(path, path);
    throw new Error(`${path} cannot be written: ${message}`);
  }
}
