// The thread of the tests of TaskThread.
import { workerData } from 'node:worker_threads';
import { type Serve, serveTasks } from '../../../src/writer/pool/protocol.js';

/** When a life of the thread fails, by its place in the order of lives; the rest do not. */
export type Failing = readonly ('at once' | 'at once, silently' | 'while it opens' | null)[];

export interface ThreadData {
  failing: Failing;
  /** Its first element counts the lives. */
  lives: SharedArrayBuffer;
}

export type Task =
  | { kind: 'double'; no: number }
  | { kind: 'bytes' }
  | { kind: 'throw' }
  | { kind: 'die' }
  | { kind: 'hang'; until: SharedArrayBuffer };

// Piscina hands its own option through as the first element where it adds data of its own.
const { failing, lives } = (Array.isArray(workerData) ? workerData.at(-1) : workerData) as ThreadData;
const fails = failing[Atomics.add(new Int32Array(lives), 0, 1)];
if (fails === 'at once') throw new Error('no such module');
if (fails === 'at once, silently') process.exit(0);

let done = 0;

async function run(task: Task): Promise<unknown> {
  done++;
  if (task.kind === 'throw') throw new RangeError('not this one');
  if (task.kind === 'die') process.exit(3);
  if (task.kind === 'hang') Atomics.wait(new Int32Array(task.until), 0, 0);
  if (task.kind === 'hang' || task.kind === 'bytes') return new Uint8Array([1, 2, 3]);
  // Takes longer than the next task, which has to wait for its turn all the same.
  await new Promise((resolve) => setImmediate(resolve));
  return { doubled: 2 * task.no, done };
}

export default function serve(served: Serve): Promise<void> {
  if (fails === 'while it opens') throw new Error('the store is damaged');
  return serveTasks(served, run);
}
