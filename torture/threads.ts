// Deaths of threads: a script loaded into the program's threads (thread-fault.cjs) watches a file with two numbers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOADED = fileURLToPath(new URL('../../torture/thread-fault.cjs', import.meta.url));

export class ThreadFaults {
  /** Environment with which the program must be started. */
  readonly env: Readonly<Record<string, string>>;
  readonly #path: string;
  #count = 0;

  constructor(folder: string) {
    this.#path = join(folder, 'threads');
    this.#write(0);
    this.env = { OVERROUND_TORTURE_THREADS: this.#path, NODE_OPTIONS: `--require=${LOADED}` };
  }

  /** In every process one in three of its threads dies now: those whose number is `which` modulo three. */
  fail(which: number): void {
    this.#count++;
    this.#write(which);
  }

  #write(which: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(this.#count, 0);
    bytes.writeUInt32LE(which, 4);
    writeFileSync(this.#path, bytes);
  }
}
