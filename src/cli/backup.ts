// `overround backup`: a copy of a data directory that `serve --data` opens, beside a running server, from a running server of
// another machine, or without one.

import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import { extract } from 'tar-stream';
import { isRedirect, NO_REDIRECTS } from '../intake/feeds/bounded-fetch.js';
import { askServer } from '../replication/local/socket-source.js';
import { type Backup, backupDirectory, type CopiedFile, NotWhole, receiveBackup } from '../store/backup.js';
import { DirectoryInUse, lockDirectory } from '../store/directory-lock.js';
import type { CommandContext } from './command-context.js';
import { CommandError } from './keys.js';
import type { BackupFlags } from './program.js';

type BackupContext = Pick<CommandContext, 'out' | 'terminal'>;

const MIB = 1024 * 1024;
const WITHOUT = 'stop it, then copy its directory with cp -a';

/** Prints `{out, position, bytes}`: everything that was acknowledged up to the position is in the copy. Throws CommandError. */
export async function backupCommand(flags: BackupFlags, { out: tell, terminal }: BackupContext): Promise<void> {
  const { out } = flags;
  try {
    const { position, bytes } = await backup(flags, terminal);
    tell(`${JSON.stringify({ out, position, bytes })}\n`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const isOfSystem = typeof code === 'string';
    if (error instanceof NotWhole || error instanceof DirectoryInUse || isOfSystem)
      throw new CommandError(`nothing was kept at ${out}: ${message}`);
    throw error;
  }
}

async function backup({ out, data, url, key }: BackupFlags, terminal: BackupContext['terminal']): Promise<Backup> {
  if ((data === undefined) === (url === undefined)) throw new CommandError('name one of --data and --url');
  if (url !== undefined) return fromServer(url, key ?? '', out, terminal);
  if (!existsSync(data!)) throw new CommandError(`${data} is not there`);
  // Asked before anything is read: all of it is in the copy, whatever comes meanwhile.
  const acknowledged = await positionOf(data!);
  if (acknowledged === null) return alone(data!, out);
  return { ...(await backupDirectory(data!, out)), position: acknowledged };
}

/** Null without a server. */
async function positionOf(data: string): Promise<number | null> {
  try {
    return await askServer(data, 'position', null);
  } catch (error) {
    // Release 0.2.0 answers this, and closes the connection at what it does not know.
    const isOlder = await askServer(data, 'unmatched', null).then(
      (answer) => answer !== null,
      () => false,
    );
    if (!isOlder) throw error;
    throw new NotWhole(`the server of ${data} is of an older release, which has no backup: ${WITHOUT}`);
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

async function fromServer(url: string, key: string, out: string, terminal: BackupContext['terminal']): Promise<Backup> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`--url ${url}: not an http or https address`);
  const address = `${url.replace(/\/+$/, '')}/api/v1/backup`;
  const response = await fetch(address, { headers: { 'x-api-key': key }, ...NO_REDIRECTS }).catch((error: Error) => {
    throw new NotWhole(`${url}: ${String((error.cause as Error | undefined)?.message ?? error.message)}`);
  });
  if (response.status === 404) throw new NotWhole(`${url} answers 404, as a release without backup does: ${WITHOUT}`);
  if (isRedirect(response)) throw new NotWhole(`${url} answers with a redirect, which is not followed`);
  if (!response.ok) throw new NotWhole(`${url} answers ${response.status}: ${messageIn(await response.text())}`);
  const received = await receiveBackup(filesOf(response, terminal), out);
  return { ...received, position: Number(response.headers.get('x-backup-position')) };
}

/** The files of the archive. Throws NotWhole where it breaks off. */
async function* filesOf(response: Response, terminal: BackupContext['terminal']): AsyncGenerator<CopiedFile> {
  let bar: SingleBar | undefined;
  let bytes = 0;
  const archive = extract();
  const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  body.on('data', (piece: Uint8Array) => {
    bytes += piece.length;
    bar?.update(Math.floor(bytes / MIB));
  });
  body.on('error', (error) => archive.destroy(error)).pipe(archive);
  if (terminal !== undefined) {
    bar = new SingleBar({ format: 'backup {value} MiB', stream: terminal, clearOnComplete: true });
    bar.start(0, 0);
  }
  try {
    for await (const entry of archive) yield { name: entry.header.name, bytes: entry as AsyncIterable<Uint8Array> };
  } catch (error) {
    throw new NotWhole(`the answer broke off after ${bytes} bytes: ${(error as Error).message}`);
  } finally {
    bar?.stop();
    body.destroy();
  }
}

function messageIn(body: string): string {
  try {
    return (JSON.parse(body) as { error: { message: string } }).error.message;
  } catch {
    return body.slice(0, 200);
  }
}
