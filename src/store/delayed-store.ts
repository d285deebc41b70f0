// The store of the delayed table: each book's rows of each event a minute ago, and the position in the change log that
// they are as of.
import { join } from 'node:path';
import type { Database } from 'lmdb';
import type { DepthText } from '../base/model/depth.js';
import type { FeedIds } from '../base/model/feed-ids.js';
import type { RowFields, RowRest } from '../base/model/row.js';
import { NO_DETAILS, type RowDetails } from '../base/model/row-details.js';
import { REPORT_FAILURES, written } from '../base/model/storage-error.js';
import { decode, encode } from '../base/wire/codec.js';
import { type EventDelta, restIn } from '../log/delta/delta.js';
import { decoded } from './lmdb-table.js';
import { commitBehind, openStore, type Root, tableOf } from './open-store.js';
import { bytesIn, ReservedSpace, valueBytes } from './reserved-space.js';

/** A row; two of its fields have other names in the store. */
export type DelayedRow = Omit<RowFields, 'createdPosition' | 'updatedPosition'> & {
  /** createdPosition. */
  bornUs: number;
  /** updatedPosition. */
  movedUs: number;
  link: string | null;
  /** Absent if it has none. */
  details?: RowDetails;
  /** Absent if the feed tells none. */
  ids?: FeedIds;
  /** Absent if it has none. */
  depth?: DepthText;
};

export function delayedRow(
  row: RowFields,
  { link, details, ids }: RowRest,
  depth: DepthText | null | undefined,
): DelayedRow {
  const { createdPosition: bornUs, updatedPosition: movedUs, ...fields } = row;
  return {
    bornUs,
    movedUs,
    link,
    ...(details === NO_DETAILS ? {} : { details }),
    ...(ids === null ? {} : { ids }),
    ...(depth == null ? {} : { depth }),
    ...fields,
  };
}

/** Of release 0.2.0: in place of link and details the parts of its JSON (head, price, rest). */
type DelayedRowOfBefore = Omit<DelayedRow, 'link' | 'details' | 'ids'> & {
  parts: Uint8Array;
  lengths: { head: number; price: number };
};

export function rowOfDelayed(stored: DelayedRow | DelayedRowOfBefore): RowFields & RowRest {
  const { bornUs, movedUs, ...fields } = stored;
  const positions = { createdPosition: bornUs, updatedPosition: movedUs };
  if (!('parts' in fields)) return { details: NO_DETAILS, ids: null, ...positions, ...fields };
  const { parts, lengths, ...others } = fields;
  return { ...positions, ...restIn(parts.subarray(lengths.head + lengths.price)), ...others };
}

export interface DelayedSlab {
  shard: number;
  event: number;
  book: string;
  polledMs: number;
  rows: DelayedRow[];
}

export type DelayedEvent = EventDelta & { shard: number };

/** `{shard}|{event}|{book}`, and a DelayedSlab as MessagePack; null if no row is left. */
export type EncodedSlab = [key: string, bytes: Uint8Array | null];

export interface DelayedChanges {
  position: number;
  events: DelayedEvent[];
  droppedEvents: { shard: number; event: number }[];
  slabs: readonly EncodedSlab[];
}

type DelayedPart = 'events' | 'slabs' | 'position';

export function delayedPath(dataDir: string): string {
  return join(dataDir, 'delayed');
}

export class DelayedStore {
  readonly #path: string;
  readonly #root: Root;
  readonly #events: Database<Buffer, string>;
  readonly #slabs: Database<Buffer, string>;
  readonly #space: ReservedSpace | undefined;

  /**
   * @param readOnly another process writes it, and has opened it before
   * @throws StorageDamaged
   */
  constructor(dataDir: string, readOnly = false) {
    const path = delayedPath(dataDir);
    const { root, events, slabs } = openStore(path, { readOnly, ...REPORT_FAILURES }, (opened) => ({
      events: tableOf<string>(opened, 'events'),
      slabs: tableOf<string>(opened, 'slabs'),
    }));
    this.#path = path;
    this.#root = root;
    this.#events = events;
    this.#slabs = slabs;
    if (!readOnly) this.#space = new ReservedSpace(path);
  }

  /** Position that everything stored is as of; undefined if nothing was ever stored. */
  get position(): number | undefined {
    return decoded<{ position: number }>(this.#root.getBinary('position'))?.position;
  }

  *events(): Iterable<DelayedEvent> {
    for (const { value } of this.#events.getRange()) yield decode(value) as DelayedEvent;
  }

  /** Of all slabs: a range read in pieces would hold its view of the store between them. */
  slabKeys(): string[] {
    return [...this.#slabs.getKeys()];
  }

  slab(key: string): DelayedSlab | undefined {
    return decoded<DelayedSlab>(this.#slabs.getBinaryFast(key));
  }

  /** Atomic; settles when it is committed, rejects with the disk's reason. */
  async write(changes: DelayedChanges): Promise<void> {
    const events = changes.events.map((event) => ({ key: `${event.shard}|${event.no}`, bytes: encode(event) }));
    this.#space?.reserve(
      changes.droppedEvents.length + events.length + changes.slabs.length + 1,
      changes.slabs.reduce((sum, [, bytes]) => sum + (bytes?.length ?? 0), bytesIn(events)),
    );
    await commitBehind(this.#path, this.#root, () => {
      for (const { shard, event } of changes.droppedEvents) written(this.#events.remove(`${shard}|${event}`));
      for (const { key, bytes } of events) written(this.#events.put(key, bytes));
      for (const [key, bytes] of changes.slabs)
        if (bytes === null) written(this.#slabs.remove(key));
        else written(this.#slabs.put(key, bytes as Buffer));
      written(this.#root.put('position', encode({ position: changes.position })));
    });
  }

  /** Everything, as of one moment, table by table: the input of restore(). */
  *dump(): Generator<[table: DelayedPart, entries: Iterable<{ key: string; value: Buffer }>]> {
    this.#root.resetReadTxn();
    const transaction = this.#root.useReadTransaction();
    try {
      for (const [name, table] of this.#tables()) yield [name, table.getRange({ transaction })];
      yield ['position', this.#root.getRange({ start: 'position', end: 'position ', transaction })];
    } finally {
      transaction.done();
    }
  }

  /** Entries of a dump, key and value alternately. */
  restore(name: string, entries: readonly (string | number | Uint8Array)[]): void {
    const table =
      name === 'position' ? this.#root : new Map<string, Database<Buffer, string>>(this.#tables()).get(name);
    if (table === undefined) throw new Error(`the delayed table's store has no part ${name}`);
    this.#space?.reserve(entries.length / 2, valueBytes(entries));
    this.#root.transactionSync(() => {
      for (let i = 0; i < entries.length; i += 2) void table.put(entries[i] as string, entries[i + 1] as Buffer);
    });
  }

  #tables(): [DelayedPart, Database<Buffer, string>][] {
    return [
      ['events', this.#events],
      ['slabs', this.#slabs],
    ];
  }

  /** Removes what is stored of these shards. */
  forgetShards(shards: ReadonlySet<number>): void {
    if (shards.size === 0) return;
    this.#root.transactionSync(() => {
      for (const table of [this.#events, this.#slabs])
        for (const key of [...table.getKeys()]) if (shards.has(Number.parseInt(key, 10))) void table.remove(key);
    });
  }

  /** Removes everything. */
  clear(): void {
    this.#root.transactionSync(() => {
      void this.#root.remove('position');
      this.#events.clearSync();
      this.#slabs.clearSync();
    });
  }

  close(): Promise<void> {
    this.#space?.close();
    return this.#root.close();
  }
}
