// The store of the change log cut by event: an LMDB file of its own in the data directory, written by the history thread.
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { REPORT_FAILURES } from '../base/model/storage-error.js';
import { decode, encode } from '../base/wire/codec.js';
import type { EventLogChanges, EventLogStore, LoggedEvent, LoggedPart } from './history/event-log.js';
import { bytesOf, decoded, timedKey, timeOf } from './lmdb-table.js';
import { openStore, type Root, tableOf } from './open-store.js';
import { ReservedSpace } from './reserved-space.js';
import { BufferedTable, deflated, type TableWrite, WriteBehind } from './write-behind.js';

const VERSION = 1;
/** Before each part of a chunk: its length and its position. */
const PART_HEADER = 4 + 8;

interface Meta {
  version: number;
  epoch: string;
  cursors: number[];
  keptFromUs: number;
}

export class EventLogFile implements EventLogStore {
  readonly #root: Root;
  readonly #meta: BufferedTable<string>;
  readonly #events: BufferedTable<number>;
  /** By the position of the chunk's last part. */
  readonly #parts: BufferedTable<Buffer>;
  readonly #states: BufferedTable<Buffer>;
  readonly #space: ReservedSpace;
  readonly #path: string;
  readonly #commits: WriteBehind;

  /**
   * @param commits of this thread, if other stores' have to be in order with its own
   * @throws StorageDamaged if its contents cannot be read
   */
  constructor(dataDir: string, commits = new WriteBehind()) {
    const path = join(dataDir, 'event-log');
    const { root, meta, events, parts, states } = openStore(path, REPORT_FAILURES, (opened) => ({
      meta: new BufferedTable(opened),
      events: new BufferedTable(tableOf<number>(opened, 'events')),
      parts: new BufferedTable(tableOf<Buffer>(opened, 'parts', { keyEncoding: 'binary' })),
      states: new BufferedTable(tableOf<Buffer>(opened, 'states', { keyEncoding: 'binary' })),
    }));
    this.#path = path;
    this.#root = root;
    this.#meta = meta;
    this.#events = events;
    this.#parts = parts;
    this.#states = states;
    this.#commits = commits;
    this.#space = new ReservedSpace(path);
  }

  state(): Meta | undefined {
    const meta = decoded<Meta>(this.#meta.get('meta'));
    return meta?.version === VERSION ? meta : undefined;
  }

  *events(): Iterable<{ key: number; event: LoggedEvent }> {
    for (const { key, value } of this.#events.range()) yield { key, event: decode(value) as LoggedEvent };
  }

  stateBefore(key: number, toUs: number): LoggedPart | undefined {
    const range = { start: timedKey(key, toUs), end: timedKey(key, 0), reverse: true, limit: 1 };
    for (const { key: found, value } of this.#states.range(range))
      if (found.readUInt32BE(0) === key) return { position: timeOf(found), bytes: inflateRawSync(value) };
    return undefined;
  }

  *parts(key: number, fromUs: number, toUs: number): Iterable<LoggedPart> {
    // A chunk is found by its last part: the first that ends after `fromUs`, up to the one that contains `toUs`.
    const chunks = this.#parts.range({
      start: timedKey(key, fromUs + 1),
      end: timedKey(key, Number.MAX_SAFE_INTEGER),
    });
    for (const { value } of chunks) {
      const bytes = inflateRawSync(value);
      for (let at = 0; at < bytes.length; ) {
        const length = bytes.readUInt32BE(at);
        const position = bytes.readDoubleBE(at + 4);
        at += PART_HEADER;
        if (position > toUs) return;
        if (position > fromUs) yield { position, bytes: bytes.subarray(at, at + length) };
        at += length;
      }
    }
  }

  usedBytes(): number {
    return bytesOf(this.#events) + bytesOf(this.#parts) + bytesOf(this.#states);
  }

  packed(parts: readonly LoggedPart[]): Uint8Array {
    const pieces = parts.flatMap(({ position, bytes }) => {
      const header = Buffer.allocUnsafe(PART_HEADER);
      header.writeUInt32BE(bytes.length, 0);
      header.writeDoubleBE(position, 4);
      return [header, bytes];
    });
    return this.packedState(Buffer.concat(pieces));
  }

  packedState(bytes: Uint8Array): Uint8Array {
    return deflated(bytes);
  }

  packedEvent(event: LoggedEvent): Uint8Array {
    return encode(event);
  }

  write({ epoch, cursors, keptFromUs, events, chunks, states, cut, dropped }: EventLogChanges, behind = false): void {
    const meta = encode({ version: VERSION, epoch, cursors: [...cursors], keptFromUs } satisfies Meta);
    const puts: TableWrite[] = [
      ...events.map(({ key, bytes }): TableWrite => [this.#events, key, bytes]),
      ...chunks.map(({ key, position, bytes }): TableWrite => [this.#parts, timedKey(key, position), bytes]),
      ...states.map(({ key, position, bytes }): TableWrite => [this.#states, timedKey(key, position), bytes]),
      [this.#meta, 'meta', meta],
    ];
    const removals = [
      ...cut.flatMap(({ key, toUs }) => this.#removals(key, toUs)),
      ...dropped.flatMap(({ key }): TableWrite[] => [
        [this.#events, key, undefined],
        ...this.#removals(key, Number.MAX_SAFE_INTEGER),
      ]),
    ];
    // What is removed lies side by side.
    const count = puts.length + 2 * (cut.length + dropped.length);
    const [path, root, space] = [this.#path, this.#root, this.#space];
    this.#commits.commit({ path, root, space, count, writes: [...puts, ...removals] }, behind);
  }

  /** Of states before a position, and chunks up to it. */
  #removals(key: number, toUs: number): TableWrite[] {
    const range = { start: timedKey(key, 0), end: timedKey(key, toUs) };
    return [this.#parts, this.#states].flatMap((table) =>
      [...table.keys(range)].map((of): TableWrite => [table, of, undefined]),
    );
  }

  async close(): Promise<void> {
    try {
      await this.#commits.ended();
    } finally {
      this.#space.close();
      await this.#root.close();
    }
  }
}
