// Blocks a batch right before its transaction until another thread says whether it may be committed: the batch is
// applied and its opportunities are detected while it is written to the log that several machines share. One word of
// shared memory, one batch at a time.
import { SharedWord } from './shared-word.js';

const OPEN = 0;
const HELD = 1;
const REFUSED = 2;

/** The batch is not in the log: nothing of it may be committed. */
export class CommitRefused extends Error {
  constructor() {
    super('the log did not take the batch');
    this.name = 'CommitRefused';
  }
}

export class CommitGate extends SharedWord {
  /** To be called before the batch is sent to the writing thread. */
  hold(): void {
    Atomics.store(this.word, 0, HELD);
  }

  open(): void {
    this.#set(OPEN);
  }

  refuse(): void {
    this.#set(REFUSED);
  }

  /** Blocks the writing thread until the gate is open or refuses. Throws CommitRefused. Does not return if the thread is terminated. */
  pass(): void {
    while (Atomics.load(this.word, 0) === HELD) Atomics.wait(this.word, 0, HELD);
    if (Atomics.load(this.word, 0) === REFUSED) throw new CommitRefused();
  }

  #set(state: number): void {
    Atomics.store(this.word, 0, state);
    Atomics.notify(this.word, 0);
  }
}
