// A pool of one thread that runs a file of workers/, one task after another.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';

/**
 * @param worker name of the compiled file in workers/; throws if it is missing
 * @param queueMax maximum number of waiting tasks, if bounded
 */
export function oneThread(worker: string, workerData: unknown, queueMax?: number): Piscina {
  const filename = fileURLToPath(new URL(`../../workers/${worker}.js`, import.meta.url));
  if (!existsSync(filename)) throw new Error(`the compiled worker is missing: ${filename}`);
  return new Piscina({
    filename,
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: 1,
    ...(queueMax === undefined ? {} : { maxQueue: queueMax }),
    // Waiting in Atomics.wait would stop the thread's timers and its flushes between tasks.
    atomics: 'disabled',
    workerData,
  });
}
