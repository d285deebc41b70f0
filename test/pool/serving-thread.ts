// The thread of the tests of TaskChannel.
import { type Serve, serveTasks } from '../../src/pool/task-channel.js';

export type Task = { kind: 'double'; no: number } | { kind: 'bytes' } | { kind: 'throw' } | { kind: 'die' };

let done = 0;

async function run(task: Task): Promise<unknown> {
  done++;
  if (task.kind === 'throw') throw new RangeError('not this one');
  if (task.kind === 'die') process.exit(3);
  if (task.kind === 'bytes') return new Uint8Array([1, 2, 3]);
  // Takes longer than the next task, which has to wait for its turn all the same.
  await new Promise((resolve) => setImmediate(resolve));
  return { doubled: 2 * task.no, done };
}

export default function serve(served: Serve): Promise<void> {
  return serveTasks(served, run);
}
