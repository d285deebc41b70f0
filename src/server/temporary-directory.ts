// The data directory of a recording that is served without --data: removed at the end or, if its server was killed, when
// the next one starts.
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/model/clock.js';
import { lockDirectory } from '../store/directory-lock.js';

const PREFIX = 'overround-replay-';
/** A directory is made, or left for a new beginning, a little before it is locked. */
const UNLOCKED_MS = 60_000;

export async function temporaryDirectory(parent = tmpdir(), clock: Clock = systemClock): Promise<string> {
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX)) await removeIfAbandoned(join(parent, name), clock.now());
  return mkdtempSync(join(parent, PREFIX));
}

async function removeIfAbandoned(path: string, nowMs: number): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || nowMs - found.mtimeMs < UNLOCKED_MS) return;
  if (process.getuid !== undefined && found.uid !== process.getuid()) return;
  const unlock = await lockDirectory(path).catch(() => undefined);
  // Its server is running.
  if (unlock === undefined) return;
  rmSync(path, { recursive: true, force: true });
  await unlock();
}
