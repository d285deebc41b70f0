// Commits that LMDB's own thread runs (write-behind), so that a question need not wait for them. What such a commit
// writes is read from memory until it has ended.

import { deflateRawSync } from 'node:zlib';
import type { Database } from 'lmdb';
import { written } from '../base/model/storage-error.js';
import { commitBehind, commitTo, type Root } from './open-store.js';
import type { ReservedSpace } from './reserved-space.js';

type Key = string | number | Buffer;

/** Of one value; undefined removes it. */
export type TableWrite = [table: BufferedTable<Key>, key: Key, value: Uint8Array | undefined];

export interface Commit {
  path: string;
  root: Root;
  writes: readonly TableWrite[];
  space: ReservedSpace;
  /** As many writes as space is taken for. */
  count: number;
}

/** As LMDB has it: from `start` on, up to `end`, which is left out; `reverse` begins with the last. */
interface Range<K> {
  start?: K;
  end?: K;
  reverse?: boolean;
  limit?: number;
}

interface Unwritten<K> {
  key: K;
  value: Buffer | undefined;
}

/** Of the stores of a thread: one commit after another, in the order in which they were given. */
export class WriteBehind {
  /** The first is being committed, or has failed. */
  readonly #commits: Commit[] = [];
  #running: Promise<void> | undefined;

  get isWriting(): boolean {
    return this.#commits.length > 0;
  }

  /** Settles when all have ended, rejects where one fails as commitTo() throws; the next call tries that again. */
  ended(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Without `behind` it has ended when this returns, or throws; else it begins with ended(). A store has one at a time. */
  commit(commit: Commit, behind: boolean): void {
    const { path, root, space, count, writes } = commit;
    if (this.#commits.some((of) => of.root === root || !behind)) throw new Error(`${path} is being written`);
    if (!behind) {
      space.reserve(count, bytesIn(writes));
      commitTo(path, root, () => run(commit));
      return;
    }
    for (const [table, key, value] of writes) table.hold(key, value as Buffer | undefined);
    this.#commits.push(commit);
  }

  async #run(): Promise<void> {
    for (let commit = this.#commits[0]; commit !== undefined; commit = this.#commits[0]) {
      const { path, root, space, count, writes } = commit;
      await space.reserveInPieces(count, bytesIn(writes));
      await commitBehind(path, root, () => run({ writes }));
      root.resetReadTxn();
      for (const table of new Set(writes.map(([of]) => of))) table.release();
      this.#commits.shift();
    }
  }
}

/** Without their keys. */
function bytesIn(writes: readonly TableWrite[]): number {
  return writes.reduce((sum, [, , value]) => sum + (value?.length ?? 0), 0);
}

/** Within a transaction. */
function run({ writes }: Pick<Commit, 'writes'>): void {
  for (const [table, key, value] of writes) table.write(key, value as Buffer | undefined);
}

/** A table as it is once what is being written has been. */
export class BufferedTable<K extends Key> {
  readonly #stored: Database<Buffer, K>;
  readonly #unwritten = new Map<string | number, Unwritten<K>>();
  #inOrder: Unwritten<K>[] | undefined;

  constructor(stored: Database<Buffer, K>) {
    this.#stored = stored;
  }

  get(key: K): Buffer | undefined {
    const unwritten = this.#unwritten.size === 0 ? undefined : this.#unwritten.get(nameOf(key));
    return unwritten === undefined ? this.#stored.getBinary(key) : unwritten.value;
  }

  *range(range: Range<K> = {}): Iterable<{ key: K; value: Buffer }> {
    const unwritten = this.#unwrittenIn(range);
    if (unwritten.length === 0) return yield* this.#stored.getRange(range);
    const { limit = Number.POSITIVE_INFINITY, ...bounds } = range;
    let left = limit;
    for (const { key, value } of merged(this.#stored.getRange(bounds), unwritten, range.reverse === true)) {
      if (value === undefined) continue;
      if (left-- <= 0) return;
      yield { key, value };
    }
  }

  *keys(range: Range<K> = {}): Iterable<K> {
    if (this.#unwritten.size === 0) yield* this.#stored.getKeys(range);
    else for (const { key } of this.range(range)) yield key;
  }

  /** Of what is committed. */
  getStats(): object {
    return this.#stored.getStats();
  }

  /** Within a transaction. */
  write(key: K, value: Buffer | undefined): void {
    written(value === undefined ? this.#stored.remove(key) : this.#stored.put(key, value));
  }

  /** Until release(). */
  hold(key: K, value: Buffer | undefined): void {
    this.#unwritten.set(nameOf(key), { key, value });
    this.#inOrder = undefined;
  }

  release(): void {
    this.#unwritten.clear();
    this.#inOrder = undefined;
  }

  #unwrittenIn({ start, end, reverse = false }: Range<K>): Unwritten<K>[] {
    if (this.#unwritten.size === 0) return [];
    this.#inOrder ??= [...this.#unwritten.values()].sort((a, b) => compare(a.key, b.key));
    const all = this.#inOrder;
    const [from, to] = reverse ? [end, start] : [start, end];
    const within = all.slice(
      from === undefined ? 0 : countBefore(all, from, reverse),
      to === undefined ? all.length : countBefore(all, to, reverse),
    );
    return reverse ? within.reverse() : within;
  }
}

/** Both in the same order; of a key that both have, what is unwritten. */
function* merged<K extends Key>(
  stored: Iterable<{ key: K; value: Buffer }>,
  unwritten: readonly Unwritten<K>[],
  reverse: boolean,
): Iterable<Unwritten<K>> {
  let at = 0;
  for (const entry of stored) {
    let order = -1;
    for (; at < unwritten.length; at++) {
      order = compare(unwritten[at]!.key, entry.key) * (reverse ? -1 : 1);
      if (order >= 0) break;
      yield unwritten[at]!;
    }
    if (at === unwritten.length || order > 0) yield entry;
  }
  yield* unwritten.slice(at);
}

/** Of entries in order: how many are before the key, or at it if that is `included`. */
function countBefore<K extends Key>(entries: readonly Unwritten<K>[], key: K, included: boolean): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = compare(entries[middle]!.key, key);
    if (order < 0 || (included && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As LMDB orders keys of one kind. */
function compare(a: Key, b: Key): number {
  if (typeof a === 'number') return a - (b as number);
  return Buffer.compare(bytesOf(a), bytesOf(b as string | Buffer));
}

function bytesOf(key: string | Buffer): Buffer {
  return typeof key === 'string' ? Buffer.from(key) : key;
}

function nameOf(key: Key): string | number {
  return typeof key === 'object' ? key.toString('latin1') : key;
}

// How what history writes is deflated.

const DEFLATE_LEVEL = 3;
/** Of what could not be deflated, beside its bytes. */
const DEFLATED_MORE = 64;

/** In memory of about its size: zlib would keep 16 KiB for each of the thousands that history writes at once. */
export function deflated(bytes: Uint8Array): Buffer {
  return deflateRawSync(bytes, { level: DEFLATE_LEVEL, chunkSize: bytes.length + DEFLATED_MORE });
}
