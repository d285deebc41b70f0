// A process with a shard in the directory of argument 1 and the fault library preloaded. The other arguments are
// checkpoints to take: `fails`, while the disk refuses to flush, and `recovers`, a later one that succeeds; `closes`, one that the end interrupts. Prints
// their results and its rows, and is killed.
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { bootId, Checkpoints } from '../../src/store/checkpoints.js';
import { SystemFaults } from '../../torture/shim.js';
import { Rig, textsOf } from '../writer/shard/rig.js';
import { play } from './play.js';

/** Enough to fill several pages, few of which the last batch writes. */
const GAMES = 40;
const [, , dir, ...steps] = process.argv;
const rig = new Rig(Date.now(), {}, dir!);
let failed = 0;
let recovered = 0;
const points = new Checkpoints(join(dir!, 'shard-0'), rig.env.root, {
  boot: bootId()!,
  onFailed: () => failed++,
  onRecovered: () => recovered++,
});
const seen: string[] = [];
async function take(): Promise<void> {
  await points.take();
  seen.push(`${failed} failed, ${recovered} recovered, ${points.failure === null ? 'safe' : 'unsafe'}`);
}
play(rig, 0, GAMES, GAMES);
await take();
if (steps.includes('fails')) {
  const faults = SystemFaults.ofThisProcess();
  faults.set('syncFails', 1);
  play(rig, GAMES, GAMES, GAMES);
  await take();
  await take();
  faults.set('syncFails', 0);
}
if (steps.includes('recovers')) {
  play(rig, 0, 1, GAMES);
  await take();
}
if (steps.includes('closes')) {
  void points.take();
  await points.close();
}
writeSync(1, JSON.stringify({ seen, rows: [...textsOf(rig.freshTable())] }));
process.kill(process.pid, 'SIGKILL');
