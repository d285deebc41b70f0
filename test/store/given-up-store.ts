// A process of its own: LMDB can no longer write the page that completes a commit, because the handle that it uses for
// that is closed. Prints what stores say then.
import { closeSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isGivenUp } from '../../src/base/model/storage-error.js';
import { LmdbControlStore } from '../../src/store/control-store.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import { EventLogFile } from '../../src/store/event-log-store.js';
import { WriteBehind } from '../../src/store/write-behind.js';

const O_DSYNC = 0o10000;
const path = process.argv[2]!;
const store = new LmdbControlStore(path, 'write', 'flush');
store.commit(1, [['a', new Uint8Array([1])]]);
const commits = new WriteBehind();
const events = new EventLogFile(`${path}/behind`, commits);
const delayed = new DelayedStore(`${path}/behind`);
// Of the last commit, as the checkpoints have one.
store.root.useReadTransaction();
for (const handle of readdirSync('/proc/self/fd').map(Number))
  if (linkOf(handle).endsWith('data.mdb') && flagsOf(handle) & O_DSYNC) closeSync(handle);
const failures = [2, 3].map((position) => {
  try {
    store.commit(position, [['b', new Uint8Array([2])]]);
    return 'committed';
  } catch (error) {
    return isGivenUp(error) ? 'given up' : String(error);
  }
});
const none = { epoch: 'e', cursors: [1], keptFromUs: 0, events: [], chunks: [], states: [], cut: [], dropped: [] };
events.write(none, true);
const noDelayed = { position: 1, events: [], droppedEvents: [], slabs: [] };
const behind = await Promise.all(
  [commits.ended(), delayed.write(noDelayed)].map((commit) =>
    commit.then(
      () => 'committed',
      (error: unknown) => (isGivenUp(error) ? 'given up' : String(error)),
    ),
  ),
);
process.stdout.write(JSON.stringify([...failures, ...behind]));

function linkOf(handle: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`);
  } catch {
    return '';
  }
}

function flagsOf(handle: number): number {
  const info = readFileSync(`/proc/self/fdinfo/${handle}`, 'latin1');
  return Number.parseInt(/flags:\s*(\d+)/.exec(info)?.[1] ?? '0', 8);
}
