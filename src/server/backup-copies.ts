// Copies of the data directory for GET /backup. One is made by a process of its own, as `overround backup` makes it beside
// a server, in the data directory, and is gone once it is sent: the server's thread only passes it on. Fronts of one
// directory make theirs beside each other, each under a name of its own.

import { execFile } from 'node:child_process';
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Pack, pack } from 'tar-stream';
import { ApiError } from '../base/model/errors.js';
import type { BackupCopy } from '../front/api/deps.js';
import { copiedFiles } from '../store/backup.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** Copies, and what is not yet one: named as nobody names a copy of his own, which may lie here. */
const LEFT = /^\.{1,2}backup-sent-\d+(?:\.part)?$/;
const AGAIN_S = 10;
const FILE_MODE = 0o600;
const run = promisify(execFile);

export class BackupCopies {
  readonly #dataDir: string;
  readonly #stopping = new AbortController();
  #busy = false;

  /** @param owns this process has the directory for itself: what a killed one left is removed */
  constructor(dataDir: string, owns: boolean) {
    this.#dataDir = dataDir;
    if (owns)
      for (const name of readdirSync(dataDir))
        if (LEFT.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }

  /** Rejects with ApiError `unavailable` while another copy is made or sent, and if none can be made. */
  async open(): Promise<BackupCopy> {
    if (this.#busy)
      throw new ApiError('unavailable', 'another backup is under way: there is one at a time', { retryAfter: AGAIN_S });
    this.#busy = true;
    const copy = join(this.#dataDir, `.backup-sent-${process.pid}`);
    const close = async (): Promise<void> => {
      await rm(copy, { recursive: true, force: true });
      this.#busy = false;
    };
    try {
      await rm(copy, { recursive: true, force: true });
      const position = await this.#make(copy);
      const archive = pack();
      void fill(archive, copy).catch((error: Error) => archive.destroy(error));
      return {
        position,
        tar: archive as AsyncIterable<Uint8Array>,
        close: async () => {
          archive.destroy();
          await close();
        },
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Returns its position. */
  async #make(copy: string): Promise<number> {
    try {
      const { signal } = this.#stopping;
      const { stdout } = await run(process.execPath, [MAIN, 'backup', '--data', this.#dataDir, '--out', copy], {
        signal,
      });
      return (JSON.parse(stdout) as { position: number }).position;
    } catch (error) {
      const { stderr } = error as { stderr?: string };
      const why = (stderr ?? '').trim().split('\n').at(-1) || (error as Error).message;
      throw new ApiError('unavailable', `no backup was made: ${why}`, { retryAfter: AGAIN_S });
    }
  }
}

async function fill(archive: Pack, copy: string): Promise<void> {
  for (const name of copiedFiles(copy)) {
    const path = join(copy, name);
    const { size } = await stat(path);
    await pipeline(createReadStream(path), archive.entry({ name, size, mode: FILE_MODE }));
  }
  archive.finalize();
}
