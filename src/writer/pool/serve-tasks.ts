// A thread's side of its tasks: they come one after another on a port, and each is answered there.
import type { MessagePort } from 'node:worker_threads';

/** The one task that piscina knows of: it runs as long as its thread. */
export interface Serve {
  port: MessagePort;
}

/** The first is `serving`: the thread is ready for tasks. */
export type Answer = { kind: 'serving' } | { kind: 'done'; result: unknown } | { kind: 'failed'; error: unknown };

/**
 * A Uint8Array returned by `run` is transferred, with all of its memory. Settles when the other end closes.
 */
export function serveTasks<Task>({ port }: Serve, run: (task: Task) => Promise<unknown>): Promise<void> {
  const answer = async (task: Task): Promise<void> => {
    try {
      const result = await run(task);
      const transferList = result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [];
      port.postMessage({ kind: 'done', result } satisfies Answer, transferList);
    } catch (error) {
      port.postMessage({ kind: 'failed', error } satisfies Answer);
    }
  };
  port.on('message', (task: Task) => void answer(task));
  port.postMessage({ kind: 'serving' } satisfies Answer);
  return new Promise((resolve) => port.once('close', resolve));
}
