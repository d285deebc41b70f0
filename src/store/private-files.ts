// What a data directory has is its owner's alone: secrets, hashes of keys, accounts' alerts.

import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const DIRECTORY_MODE = 0o700;
export const FILE_MODE = 0o600;
/** For LMDB's open(), which makes its files with it. */
export const PRIVATE_STORE = { permissionsMode: FILE_MODE } as const;

/** All that the program makes in a data directory; it may have been told to use one with other things in it. */
const OWN =
  /^(?:shard-\d+|accounts|alerts|control|delayed|event-log|front|history|opened|(?:overround|cluster)\.json(?:\.new)?|.*\.sock)$/;

/**
 * Takes away others' rights in a directory that an earlier release, or somebody else's mkdir, left open. Throws an Error
 * with a one-line message if it is another user's: root may have made it, or keys in it, for the service.
 */
export function makePrivate(dataDir: string): void {
  try {
    closeOwn(dataDir);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' || path === undefined) throw error;
    throw ofAnother(path, dataDir);
  }
}

/** A part of the directory that this user may not use. */
export function ofAnother(path: string, dataDir: string): Error {
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid ?? 'another';
  return new Error(
    `${path} belongs to user ${owner}, and this process is user ${process.geteuid?.()}: start it as that one, or give it the directory (chown -R USER ${dataDir})`,
  );
}

function closeOwn(dataDir: string): void {
  if (existsSync(join(dataDir, 'overround.json'))) close(dataDir);
  for (const name of readdirSync(dataDir)) if (OWN.test(name)) closeAll(join(dataDir, name));
}

function closeAll(path: string): void {
  close(path);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) closeAll(join(path, name));
}

/** What root has made in a directory of somebody else is that one's: the service could not open it. */
export function giveToOwner(dataDir: string): void {
  const { uid, gid } = lstatSync(dataDir);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const name of readdirSync(dataDir)) if (OWN.test(name)) giveAll(join(dataDir, name), uid, gid);
}

function giveAll(path: string, uid: number, gid: number): void {
  const found = lstatSync(path);
  if (found.uid === 0) lchownSync(path, uid, gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveAll(join(path, name), uid, gid);
}

/** What belongs to another user, as a mounted volume may, can only be closed by that user. */
function close(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o077) !== 0) chmodSync(path, found.isDirectory() ? DIRECTORY_MODE : FILE_MODE);
}

// Creates the store's directories with their parents. Node's own recursion never ends if the parent exists and the
// system says that it does not, as within /proc.

/** For its owner alone. Throws an Error with a one-line message if it cannot be created. */
export function makeDirectory(path: string): void {
  try {
    make(resolve(path));
  } catch (error) {
    throw new Error(`${path} is not a directory that can be made: ${(error as Error).message}`);
  }
}

function make(path: string): void {
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    make(above);
    make(path);
  }
}
