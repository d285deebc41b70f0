// Counts that several fronts share, so that an account's limits hold over all of them: tables in shared memory with one
// column per process, written by it alone. A killed process leaves nothing locked.

import { hash } from 'node:crypto';
import type { CountedKind, SharedCounts } from '../accounts/shared-counts.js';
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from '../model/limits.js';

/** Callers in a window; further ones share one count. */
const WINDOW_PLACES = 32_768;
/** Accounts with streams since the start. */
const HELD_PLACES = 8_192;
/** [window, window after which the next one is prepared] */
const WINDOW_HEAD = 2;
const NEXT_READY = 1;
/** Words of each entry, before the processes' columns. */
const KEY_WORDS = 2;
const PROBES_MAX = LIMITS.countProbes.max;
const REMEMBERED_MAX = LIMITS.countedCallers.max;

function windowWords(processes: number): number {
  return WINDOW_HEAD + WINDOW_PLACES * (KEY_WORDS + processes);
}

/** Bytes of memory for this many processes. */
export function sharedBytes(processes: number): number {
  return 4 * (2 * windowWords(processes) + HELD_PLACES * (KEY_WORDS + processes));
}

/** Two words that stand for a name, the first of them never 0. */
type Key = readonly [low: number, high: number];

class Keys {
  readonly #known = new BoundedMap<string, Key>(REMEMBERED_MAX);

  of(name: string): Key {
    let key = this.#known.get(name);
    if (key === undefined) {
      const digest = hash('sha1', name, 'buffer');
      key = [digest.readInt32LE(0) || 1, digest.readInt32LE(4) || 1];
      this.#known.set(name, key);
    }
    return key;
  }
}

export class MappedCounts implements SharedCounts {
  readonly #words: Int32Array;
  readonly #keys = new Keys();
  readonly #processes: number;
  readonly #column: number;
  readonly #windowWords: number;
  /** The window last used. */
  #window = -1;

  /**
   * @param memory sharedBytes(processes) bytes that every process maps
   * @param column this process's index among them, from 0
   */
  constructor(memory: ArrayBuffer, processes: number, column: number) {
    this.#words = new Int32Array(memory);
    this.#processes = processes;
    this.#column = column;
    this.#windowWords = windowWords(processes);
  }

  counted(kind: CountedKind, caller: string, window: number, total: number): void {
    Atomics.store(this.#words, this.#counted(kind, caller, window) + this.#column, total);
  }

  others(kind: CountedKind, caller: string, window: number): number {
    return this.#others(this.#counted(kind, caller, window));
  }

  holds(account: string, streams: number): void {
    Atomics.store(this.#words, this.#streamsAt(account) + this.#column, streams);
  }

  openAtOthers(account: string): number {
    return this.#others(this.#streamsAt(account));
  }

  /** Clears the counts of a process that has ended. */
  forget(column: number): void {
    const stride = KEY_WORDS + this.#processes;
    for (let at = 2 * this.#windowWords; at < this.#words.length; at += stride)
      Atomics.store(this.#words, at + KEY_WORDS + column, 0);
  }

  #others(columns: number): number {
    let sum = 0;
    for (let i = 0; i < this.#processes; i++) if (i !== this.#column) sum += Atomics.load(this.#words, columns + i);
    return sum;
  }

  /** Where the columns of a caller begin. */
  #counted(kind: CountedKind, caller: string, window: number): number {
    return this.#place(`${kind} ${caller}`, this.#begin(window) + WINDOW_HEAD, WINDOW_PLACES);
  }

  #streamsAt(account: string): number {
    return this.#place(account, 2 * this.#windowWords, HELD_PLACES);
  }

  /** Creates the entry if there is none. The last entry is shared by those that find no space. */
  #place(name: string, base: number, places: number): number {
    const words = this.#words;
    const stride = KEY_WORDS + this.#processes;
    const [low, high] = this.#keys.of(name);
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const at = base + (((low >>> 0) + probe) % (places - 1)) * stride;
      const found = Atomics.compareExchange(words, at, 0, low);
      if (found !== 0 && found !== low) continue;
      // Its creator may have been killed between the two words: the next process completes it.
      const second = Atomics.compareExchange(words, at + 1, 0, high);
      if (second === 0 || second === high) return at + KEY_WORDS;
    }
    return base + (places - 1) * stride + KEY_WORDS;
  }

  /**
   * The part of the memory for the window. Its first user prepares the part of the next one, which nobody reads yet.
   */
  #begin(window: number): number {
    const base = (window & 1) * this.#windowWords;
    if (window === this.#window) return base;
    this.#window = window;
    // After a window without any request: a few counts of this moment may be lost.
    this.#empty(base, base, window, window);
    this.#empty(base + NEXT_READY, this.#windowWords - base, window, window + 1);
    return base;
  }

  /** If the mark is of another window, clears a part and assigns it to the window; only one process succeeds. */
  #empty(mark: number, part: number, marked: number, window: number): void {
    const words = this.#words;
    const stands = Atomics.load(words, mark);
    if (stands === marked || Atomics.compareExchange(words, mark, stands, marked) !== stands) return;
    words.fill(0, part + WINDOW_HEAD, part + this.#windowWords);
    Atomics.store(words, part, window);
  }
}
