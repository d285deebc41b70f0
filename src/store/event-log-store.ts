// The store of the change log cut by event: an LMDB file of its own in the data directory, written by the history thread.
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Database } from 'lmdb';
import { decode, encode } from '../base/wire/codec.js';
import type { EventLogChanges, EventLogStore, LoggedEvent, LoggedPart, PackedParts } from './history/event-log.js';
import { bytesOf, decoded, timedKey, timeOf } from './lmdb-table.js';
import { commitTo, openStore, type Root, tableOf } from './open-store.js';
import { bytesIn, ReservedSpace } from './reserved-space.js';

const VERSION = 1;
const DEFLATE_LEVEL = 3;
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
  readonly #events: Database<Buffer, number>;
  /** By the position of the chunk's last part. */
  readonly #parts: Database<Buffer, Buffer>;
  readonly #states: Database<Buffer, Buffer>;
  readonly #room: ReservedSpace;
  readonly #path: string;

  /** Throws StorageDamaged if its contents cannot be read. */
  constructor(dataDir: string) {
    const path = join(dataDir, 'event-log');
    const { root, events, parts, states } = openStore(path, {}, (opened) => ({
      events: tableOf<number>(opened, 'events'),
      parts: tableOf<Buffer>(opened, 'parts', { keyEncoding: 'binary' }),
      states: tableOf<Buffer>(opened, 'states', { keyEncoding: 'binary' }),
    }));
    this.#path = path;
    this.#root = root;
    this.#events = events;
    this.#parts = parts;
    this.#states = states;
    this.#room = new ReservedSpace(path);
  }

  state(): Meta | undefined {
    const meta = decoded<Meta>(this.#root.getBinary('meta'));
    return meta?.version === VERSION ? meta : undefined;
  }

  *events(): Iterable<{ key: number; event: LoggedEvent }> {
    for (const { key, value } of this.#events.getRange()) yield { key, event: decode(value) as LoggedEvent };
  }

  stateBefore(key: number, toUs: number): LoggedPart | undefined {
    const range = { start: timedKey(key, toUs), end: timedKey(key, 0), reverse: true, limit: 1 };
    for (const { key: found, value } of this.#states.getRange(range))
      if (found.readUInt32BE(0) === key) return { position: timeOf(found), bytes: inflateRawSync(value) };
    return undefined;
  }

  *parts(key: number, fromUs: number, toUs: number): Iterable<LoggedPart> {
    // A chunk is found by its last part: the first that ends after `fromUs`, up to the one that contains `toUs`.
    const chunks = this.#parts.getRange({
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
    return deflateRawSync(bytes, { level: DEFLATE_LEVEL });
  }

  write({ epoch, cursors, keptFromUs, events, chunks, states, cut, dropped }: EventLogChanges): void {
    const changed = events.map(({ key, event }) => ({ key, bytes: encode(event) }));
    const [parts, whole] = [chunks.map(placed), states.map(placed)];
    const puts = [changed, parts, whole];
    this.#room.reserve(
      // What is removed lies side by side.
      puts.reduce((sum, { length }) => sum + length, 1) + 2 * (cut.length + dropped.length),
      puts.reduce((sum, entries) => sum + bytesIn(entries), 0),
    );
    commitTo(this.#path, this.#root, () => {
      for (const { key, bytes } of changed) void this.#events.put(key, bytes);
      for (const { key, bytes } of parts) void this.#parts.put(key, bytes);
      for (const { key, bytes } of whole) void this.#states.put(key, bytes);
      for (const { key, toUs } of cut) this.#remove(key, toUs);
      for (const { key } of dropped) {
        void this.#events.remove(key);
        this.#remove(key, Number.MAX_SAFE_INTEGER);
      }
      void this.#root.put(
        'meta',
        encode({ version: VERSION, epoch, cursors: [...cursors], keptFromUs } satisfies Meta),
      );
    });
  }

  /** States before a position, and chunks up to it. */
  #remove(key: number, toUs: number): void {
    const range = { start: timedKey(key, 0), end: timedKey(key, toUs) };
    for (const table of [this.#parts, this.#states])
      for (const old of [...table.getKeys(range)]) void table.remove(old);
  }

  close(): Promise<void> {
    this.#room.close();
    return this.#root.close();
  }
}

function placed({ key, position, bytes }: PackedParts): { key: Buffer; bytes: Buffer } {
  return { key: timedKey(key, position), bytes: bytes as Buffer };
}
