// A process with the fault library preloaded: the disk refuses to flush a commit that is written behind, and then takes
// it. Prints what was read and what became of it.
import { EventLogFile } from '../../src/store/event-log-store.js';
import { WriteBehind } from '../../src/store/write-behind.js';
import { SystemFaults } from '../../torture/shim.js';

const commits = new WriteBehind();
const store = new EventLogFile(process.argv[2]!, commits);
const faults = SystemFaults.ofThisProcess();
const seen: string[] = [];

async function write(position: number): Promise<void> {
  const states = [{ key: 1, position, bytes: store.packedState(Buffer.alloc(100, position)) }];
  const none = { epoch: 'e', keptFromUs: 0, events: [], chunks: [], cut: [], dropped: [] };
  if (!commits.isWriting) store.write({ ...none, cursors: [position], states }, true);
  const outcome = await commits.ended().then(
    () => 'ended',
    () => 'failed',
  );
  const { bytes } = store.stateBefore(1, 1_000)!;
  seen.push(`${outcome}, ${bytes[0]} of ${store.state()!.cursors[0]}${commits.isWriting ? ', to be tried again' : ''}`);
}

await write(1);
faults.set('syncFails', 1);
for (let i = 0; i < 3; i++) await write(2);
faults.set('syncFails', 0);
await write(3);
await write(4);
await store.close();
process.stdout.write(JSON.stringify(seen));
