// Tasks for the thread of a pool, one after another, over a channel of their own. Piscina starts the thread, replaces
// it and reports its death; sending each task through it takes several times as long as a message
// (docs/bench/profile.md).
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import type { Piscina } from 'piscina';

/** The one task that piscina knows of: it runs as long as its thread. */
export interface Serve {
  port: MessagePort;
}

type Answer = { failed: false; result: unknown } | { failed: true; error: unknown };

interface QueuedTask<Task> {
  task: Task;
  transferList: readonly Transferable[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

export class TaskChannel<Task> {
  readonly #pool: Piscina;
  /** The first of them has been sent to the thread. */
  readonly #queue: QueuedTask<Task>[] = [];
  #port: MessagePort | undefined;

  /** @param pool of one thread, whose file serves Serve tasks with serveTasks() */
  constructor(pool: Piscina) {
    this.#pool = pool;
  }

  /**
   * Rejects with what the task threw, and if the thread died during it; the tasks after it are then run by its
   * successor.
   */
  run(task: Task, transferList: readonly Transferable[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#queue.push({ task, transferList, resolve, reject }) === 1) this.#send();
    });
  }

  #send(): void {
    const next = this.#queue[0];
    if (next === undefined) return;
    this.#port ??= this.#open();
    this.#port.postMessage(next.task, next.transferList);
  }

  #open(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (answer: Answer) => {
      const first = this.#queue.shift();
      if (answer.failed) first?.reject(answer.error);
      else first?.resolve(answer.result);
      this.#send();
    });
    const task: Serve = { port: port2 };
    this.#pool.run(task, { transferList: [port2] }).catch((error: unknown) => {
      if (this.#port === port1) this.#port = undefined;
      port1.close();
      this.#queue.shift()?.reject(error);
      this.#send();
    });
    return port1;
  }
}

/**
 * On the thread. A Uint8Array returned by `run` is transferred, with all of its memory. Settles when the other end
 * closes.
 */
export function serveTasks<Task>({ port }: Serve, run: (task: Task) => Promise<unknown>): Promise<void> {
  const answer = async (task: Task): Promise<void> => {
    try {
      const result = await run(task);
      port.postMessage({ failed: false, result }, result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : []);
    } catch (error) {
      port.postMessage({ failed: true, error } satisfies Answer);
    }
  };
  port.on('message', (task: Task) => void answer(task));
  return new Promise((resolve) => port.once('close', resolve));
}
