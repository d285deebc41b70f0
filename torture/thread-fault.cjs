// Loaded into every thread of a program under torture (node --require): it looks at a file of two numbers, and where the
// first has changed and the second is this thread's own modulo three it throws, from a timer, what nobody catches. A thread
// of a pool dies of it as it would of a mistake of the program.
const { openSync, readSync } = require('node:fs');
const { isMainThread, threadId } = require('node:worker_threads');

const LOOK_EVERY_MS = 50;
const BYTES = 8;

const path = process.env.OVERROUND_TORTURE_THREADS;
if (path !== undefined && !isMainThread) {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(BYTES);
  const look = () => {
    readSync(file, bytes, 0, BYTES, 0);
    return bytes.readUInt32LE(0);
  };
  let seen = look();
  setInterval(() => {
    const count = look();
    if (count === seen) return;
    seen = count;
    if (threadId % 3 === bytes.readUInt32LE(4)) throw new Error('a thread dies in the torture rig');
  }, LOOK_EVERY_MS).unref();
}
