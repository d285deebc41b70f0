// Commands: what may change the control store. Each is a function of what is stored, run by the process that writes
// the log, whichever process asked for it; what it changes goes into the log as entries, so that no other process runs
// it again. A kind of entries is a file that defines its commands: nothing else lists it.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { ApiError } from '../../base/model/errors.js';
import { decode, encode } from '../../base/wire/codec.js';
import { type ControlChange, type ControlReader, type ControlStore, EVERY_ENTRY, LOG_ORIGIN } from './entries.js';

/** What is stored with the changes that commands of one position make to it. */
export class Draft implements ControlReader {
  /** Of the changes: after everything in the log before them. */
  readonly position: number;
  /** The writer's clock (Unix ms, whole). */
  readonly nowMs: number;
  readonly #stored: ControlStore;
  readonly #changes = new Map<string, Uint8Array | null>();
  /** What was there before each change of the current command, latest last. */
  #undo: [entry: string, before: Uint8Array | null | undefined][] = [];

  constructor(stored: ControlStore, position: number, nowMs: number) {
    this.#stored = stored;
    this.position = position;
    this.nowMs = Math.floor(nowMs);
  }

  value(entry: string): unknown {
    const changed = this.#changes.get(entry);
    if (changed === undefined) return this.#stored.value(entry);
    return changed === null ? undefined : decode(changed);
  }

  *entries(under: string, limit = Number.POSITIVE_INFINITY): Iterable<readonly [string, unknown]> {
    const found = new Map<string, unknown>(this.#stored.entries(under));
    for (const [entry, value] of this.#changes) {
      if (!entry.startsWith(`${under}|`)) continue;
      if (value === null) found.delete(entry);
      else found.set(entry, decode(value));
    }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    yield* limit < sorted.length ? sorted.slice(0, limit) : sorted;
  }

  put(entry: string, value: unknown): void {
    this.#change(entry, encode(value));
  }

  remove(entry: string): void {
    this.#change(entry, null);
  }

  /** Makes every entry part of the changes, and removes those that another store may have besides. */
  restate(): void {
    const changed = [...this.#changes];
    this.#changes.clear();
    this.#changes.set(EVERY_ENTRY, null);
    for (const [entry, value] of this.#stored.dump()) this.#changes.set(entry, value);
    for (const [entry, value] of changed) this.#changes.set(entry, value);
  }

  get changes(): ControlChange[] {
    return [...this.#changes];
  }

  /** Runs a command; what it throws is thrown, and nothing of it is changed then. */
  run(name: string, args: unknown): unknown {
    this.#undo = [];
    try {
      return commandOf(name)(this, args);
    } catch (error) {
      for (const [entry, before] of this.#undo.reverse())
        if (before === undefined) this.#changes.delete(entry);
        else this.#changes.set(entry, before);
      throw error;
    }
  }

  #change(entry: string, value: Uint8Array | null): void {
    this.#undo.push([entry, this.#changes.get(entry)]);
    // Changes are applied in the order in which they were made last.
    this.#changes.delete(entry);
    this.#changes.set(entry, value);
  }
}

type Work<Args, Reply> = (draft: Draft, args: Args) => Reply;

/** Arguments and reply are sent between processes: plain values. */
export interface Command<Args, Reply> {
  readonly name: string;
  readonly work: Work<Args, Reply>;
}

const COMMANDS = new Map<string, Work<never, unknown>>();

/**
 * Defines a command. It depends on the draft and its arguments alone, and throws ApiError if it refuses.
 * @param name unique among all
 */
export function command<Args, Reply>(name: string, work: Work<Args, Reply>): Command<Args, Reply> {
  if (getOrInsert(COMMANDS, name, () => work) !== work) throw new Error(`there are two commands ${name}`);
  return { name, work };
}

function commandOf(name: string): Work<unknown, unknown> {
  const work = COMMANDS.get(name);
  // Of a process of a later release.
  if (work === undefined) throw new ApiError('unavailable', `the engine does not know ${name}`, { retryAfter: 1 });
  return work as Work<unknown, unknown>;
}

// The first writer of a log that several machines share puts into it what its store had before: what earlier releases
// kept elsewhere, or a single process had.

export const restateOnce = command('control.restate', (draft, _: null) => {
  if (draft.value(LOG_ORIGIN) !== undefined) return;
  draft.restate();
  draft.put(LOG_ORIGIN, draft.position);
});
