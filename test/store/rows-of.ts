// Prints the rows of a directory's shard (argument 1) as JSON, in a process of its own, because a torn file may end it.
import { Rig, textsOf } from '../writer/shard/rig.js';

const rig = new Rig(0, {}, process.argv[2]!);
process.stdout.write(JSON.stringify([...textsOf(rig.freshTable())]));
await rig.close();
