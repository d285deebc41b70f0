// The control store as a process uses it: it reads its own copy, and has commands run by the process that writes the
// log, which may be itself.
import { type Clock, monotonicMs } from '../../base/model/clock.js';
import { noWriter } from '../../base/model/errors.js';
import type { Command } from './command.js';
import { type ControlAnswer, ControlQueue, type ControlRequest, type Positions } from './control-queue.js';
import type { ControlStore } from './entries.js';

/** Maximum time (ms) until this process has what the writer has acknowledged. */
const SHOWN_MS = 2_000;
const POLL_MS = 2;
const AGAIN_MS = 500;

export class Control {
  readonly store: ControlStore;
  readonly #forward: (request: ControlRequest) => Promise<ControlAnswer>;
  #queue: ControlQueue | undefined;
  #closed = false;

  /** @param forward sends a command to the writer; by default there is no other process */
  constructor(
    store: ControlStore,
    forward = (_: ControlRequest): Promise<ControlAnswer> => Promise.reject(noWriter()),
  ) {
    this.store = store;
    this.#forward = forward;
  }

  /** From now on this process writes. */
  lead(queue: ControlQueue): void {
    this.#queue = queue;
  }

  /** The end of this process's use; the store is closed by its owner. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stepDown();
  }

  /** It no longer does; settles when nothing is under way. */
  async stepDown(): Promise<void> {
    const queue = this.#queue;
    this.#queue = undefined;
    await queue?.idle();
  }

  /**
   * Settles once the log has what the command changes and this process shows it. Rejects with the command's ApiError;
   * with `unavailable` if there is no writer, or it does not answer in time: the command may still be run then.
   */
  async run<Args, Reply>({ name }: Command<Args, Reply>, args: Args): Promise<Reply> {
    const { reply, position } = await this.answer({ name, args });
    const untilMs = monotonicMs() + SHOWN_MS;
    while (this.store.position < position && monotonicMs() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    return reply as Reply;
  }

  /** The same, only if this process writes; else it rejects with `unavailable`. */
  async runHere({ name, args }: ControlRequest): Promise<unknown> {
    if (this.#queue === undefined) throw noWriter();
    return (await this.#queue.run(name, args)).reply;
  }

  /** The same for a request of another process. */
  answer(request: ControlRequest): Promise<ControlAnswer> {
    return this.#queue === undefined ? this.#forward(request) : this.#queue.run(request.name, request.args);
  }

  /** The same at once where now() can do it, else in the background as soon as there is a writer. */
  soon<Args, Reply>(command: Command<Args, Reply>, args: Args): void {
    if (this.#queue?.alone) {
      this.now(command, args);
      return;
    }
    this.run(command, args).catch(() => {
      setTimeout(() => {
        if (!this.#closed) this.soon(command, args);
      }, AGAIN_MS).unref();
    });
  }

  /** At once, in a process that writes and shares the log with no other machine. Throws ApiError. */
  now<Args, Reply>({ name }: Command<Args, Reply>, args: Args): Reply {
    if (this.#queue?.alone !== true) throw noWriter();
    return this.#queue.now(name, args) as Reply;
  }
}

/** Over a store that no other process writes, without odds beside it. */
export function soleControl(store: ControlStore, clock: Clock): Control {
  const control = new Control(store);
  control.lead(soleQueue(store, clock));
  return control;
}

/**
 * Changes that take no positions among those of odds, but come after those shown: at a batch's own position a stream
 * that has the batch would not be sent them.
 */
export function soleQueue(store: ControlStore, clock: Clock, shown: () => number = () => 0): ControlQueue {
  const positions: Positions = {
    begin: () => Math.max(Math.floor(clock.now() * 1000), shown() + 1, store.position + 1),
    finish: (_, release) => release(),
  };
  return new ControlQueue({ store, clock, positions, reached: () => undefined });
}
