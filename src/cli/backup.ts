// `overround backup`: a copy of a data directory that `serve --data` opens, beside a running server or without one.

import { existsSync } from 'node:fs';
import { askServer } from '../replication/local/server-request.js';
import { type Backup, backupDirectory, NotWhole } from '../store/backup.js';
import { DirectoryInUse, lockDirectory } from '../store/directory-lock.js';
import { CommandError } from './keys.js';
import type { BackupFlags } from './program.js';

/** Prints `{out, position, bytes}`: everything that was acknowledged up to the position is in the copy. Throws CommandError. */
export async function backupCommand({ out, data }: BackupFlags, print: (line: string) => void): Promise<void> {
  if (!existsSync(data)) throw new CommandError(`${data} is not there`);
  // Asked before anything is read: all of it is in the copy, whatever comes meanwhile.
  const acknowledged = await askServer(data, 'position', null);
  try {
    const { position, bytes } = acknowledged === null ? await alone(data, out) : await backupDirectory(data, out);
    print(JSON.stringify({ out, position: acknowledged ?? position, bytes }));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfSystem = typeof code === 'string';
    if (error instanceof NotWhole || error instanceof DirectoryInUse || isOfSystem)
      throw new CommandError(`nothing was kept at ${out}: ${message}`);
    throw error;
  }
}

async function alone(data: string, out: string): Promise<Backup> {
  const unlock = await lockDirectory(data);
  try {
    return await backupDirectory(data, out);
  } finally {
    await unlock();
  }
}
