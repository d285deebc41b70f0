// The control store: what processes share besides odds, as entries of a kind and a key in one LMDB environment, and the
// stream of their changes by position. The writer of the log alone commits to it; other processes of the machine read
// it, and those of other machines commit what the log tells them to a store of their own.
import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'lmdb';
import { LIMITS } from '../base/model/limits.js';
import { isNoRoom, StorageFull } from '../base/model/storage-error.js';
import { decode, encode } from '../base/wire/codec.js';
import { type ControlChange, type ControlListener, type ControlStore, EVERY_ENTRY } from '../log/control/entries.js';
import { bootId } from './checkpoints.js';
import { bytesOf, couldBeKey, decoded, keysOf } from './lmdb-table.js';
import { commitTo, openStore, type Root, tableOf } from './open-store.js';
import { ReservedSpace } from './reserved-space.js';
import type { Durability } from './shard-env.js';

export type ControlAccess = 'write' | 'read';

const POSITION = 'position';
/** Changes that a reader has not seen by then it does not need one by one. */
const LOG_US = 600e6;
const CUT_AT_ONCE = 16;
/** In the log, in place of a long value: it is the entry's own. */
const OF_ENTRY = new Uint8Array(0);
/** A change's own, beside its entry's name (three bytes a letter at most) and its value. */
const CHANGE_BYTES = 16;

export function controlPath(dataDir: string): string {
  return join(dataDir, 'control');
}

export class LmdbControlStore implements ControlStore {
  readonly path: string;
  readonly root: Root;
  readonly #entries: Database<Buffer, string>;
  readonly #log: Database<Buffer, number>;
  readonly #meta: Database<Buffer, string>;
  readonly #listeners = new Set<ControlListener>();
  readonly #space: ReservedSpace | undefined;
  #position: number;
  isOpen = true;

  /** Throws StorageDamaged. Whoever writes with durability `commit` must take checkpoints (checkpoints.ts). */
  constructor(path: string, access: ControlAccess = 'write', durability: Durability = 'commit') {
    this.path = path;
    const readOnly = access === 'read';
    const checkpoints = !readOnly && durability === 'commit' && bootId() !== null;
    const options = { readOnly, ...(checkpoints ? { noSync: true, overlappingSync: false } : {}) };
    const opened = openStore(path, options, (root) => {
      const meta = tableOf<string>(root, 'meta');
      return {
        entries: tableOf<string>(root, 'entries'),
        log: tableOf<number>(root, 'log'),
        meta,
        position: positionIn(meta),
      };
    });
    this.root = opened.root;
    this.#entries = opened.entries;
    this.#log = opened.log;
    this.#meta = opened.meta;
    this.#position = opened.position;
    if (!readOnly) this.#space = new ReservedSpace(path);
  }

  get position(): number {
    return this.#position;
  }

  value(entry: string): unknown {
    return couldBeKey(entry) ? decoded(this.#entries.getBinary(entry)) : undefined;
  }

  *entries(under: string, limit?: number): Iterable<readonly [string, unknown]> {
    for (const { key, value } of this.#entries.getRange({
      ...keysOf(under),
      ...(limit === undefined ? {} : { limit }),
    }))
      yield [key, decode(value)];
  }

  count(under: string): number {
    return this.#entries.getKeysCount(keysOf(under));
  }

  onChange(listener: ControlListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  reserve(changes: readonly ControlChange[]): void {
    const bytes = changes.reduce(
      (sum, [entry, value]) => sum + entry.length * 3 + (value?.length ?? 0) + CHANGE_BYTES,
      0,
    );
    // Each is in the log too.
    this.#space?.reserve(changes.length + CUT_AT_ONCE, 2 * bytes);
  }

  commit(position: number, changes: readonly ControlChange[]): void {
    if (position <= this.#position) return;
    this.reserve(changes);
    const encoded = encode(changes.map(asLogged));
    try {
      commitTo(this.path, this.root, () => {
        for (const [entry, value] of changes)
          if (entry === EVERY_ENTRY) this.#clear();
          else if (value === null) void this.#entries.remove(entry);
          else void this.#entries.put(entry, asBuffer(value));
        void this.#log.put(position, encoded);
        this.#cut(position);
        void this.#meta.put(POSITION, positionBytes(position));
      });
    } catch (error) {
      throw isNoRoom(error) ? new StorageFull(error) : error;
    }
    this.root.resetReadTxn();
    this.#position = position;
    this.#tell(changes);
  }

  refresh(): void {
    this.root.resetReadTxn();
    const from = this.#position;
    const position = positionIn(this.#meta);
    if (position === from) return;
    this.#position = position;
    this.#tell(this.#changesAfter(from));
  }

  *dump(): Generator<readonly [entry: string, value: Uint8Array]> {
    this.root.resetReadTxn();
    const transaction = this.root.useReadTransaction();
    try {
      for (const { key, value } of this.#entries.getRange({ transaction })) yield [key, value];
    } finally {
      transaction.done();
    }
  }

  /** Adds entries to a new store, which is as of `position` from then on. */
  restore(position: number, entries: readonly (readonly [string, Uint8Array])[]): void {
    this.#space?.reserve(
      entries.length,
      entries.reduce((sum, [, value]) => sum + value.length, 0),
    );
    this.root.transactionSync(() => {
      for (const [entry, value] of entries) void this.#entries.put(entry, asBuffer(value));
      void this.#meta.put(POSITION, positionBytes(position));
    });
    this.root.resetReadTxn();
    this.#position = position;
  }

  /** Its entries stay, as of `position` from then on: the log that follows is another one. */
  beginAt(position: number): void {
    this.root.transactionSync(() => {
      for (const key of [...this.#log.getKeys()]) void this.#log.remove(key);
      void this.#meta.put(POSITION, positionBytes(position));
    });
    this.root.resetReadTxn();
    this.#position = position;
  }

  /** Settles on the disk what is committed; throws if the disk refuses. */
  flush(): void {
    const file = openSync(join(this.path, 'data.mdb'), 'r+');
    try {
      fdatasyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  async close(): Promise<void> {
    this.isOpen = false;
    this.#listeners.clear();
    this.#space?.close();
    await this.root.close();
  }

  get changesFrom(): number {
    // One at a time: what was cut before the oldest is older than it.
    for (const first of this.#log.getKeys({ limit: 1 })) return first - 1;
    return this.#position;
  }

  hasChange(position: number): boolean {
    return this.#log.doesExist(position);
  }

  *changesAfter(from: number): Generator<readonly [position: number, changes: readonly ControlChange[]]> {
    for (const { key, value } of this.#log.getRange({ start: from + 1 })) yield [key, this.#read(value)];
  }

  #read(logged: Buffer): ControlChange[] {
    const changes = decode(logged) as ControlChange[];
    return changes.map(([entry, value]) =>
      value?.length === 0 ? [entry, this.#entries.getBinary(entry) ?? null] : [entry, value],
    );
  }

  #changesAfter(from: number): ControlChange[] | null {
    // With its own last one the log still has all that follow.
    if (!this.#log.doesExist(from)) return null;
    const changes: ControlChange[] = [];
    for (const { value } of this.#log.getRange({ start: from + 1, limit: LIMITS.controlChanges.max + 1 })) {
      changes.push(...this.#read(value));
      if (changes.length > LIMITS.controlChanges.max) return null;
    }
    return changes;
  }

  #tell(changes: readonly ControlChange[] | null): void {
    for (const listener of this.#listeners) listener(changes, this.#position);
  }

  #clear(): void {
    for (const key of [...this.#entries.getKeys()]) void this.#entries.remove(key);
  }

  #cut(position: number): void {
    const isFull = bytesOf(this.#log) > LIMITS.controlLog.max;
    for (const key of [...this.#log.getKeys({ end: position, limit: CUT_AT_ONCE })])
      if (isFull || key < position - LOG_US) void this.#log.remove(key);
  }
}

function asLogged([entry, value]: ControlChange): ControlChange {
  return [entry, value !== null && value.length > LIMITS.controlLogged.max ? OF_ENTRY : value];
}

function positionIn(meta: Database<Buffer, string>): number {
  return meta.getBinary(POSITION)?.readDoubleBE(0) ?? 0;
}

function positionBytes(position: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(position);
  return bytes;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
