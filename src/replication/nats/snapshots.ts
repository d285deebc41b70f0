// Snapshots of the cluster in the servers' object store: a whole data directory as of a position in the log. A node
// that loads one reserves it first, so that neither it nor the log after it is dropped meanwhile.
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { KV } from '@nats-io/kv';
import type { ObjectStore } from '@nats-io/obj';
import { monotonicMs } from '../../base/model/clock.js';
import { decode, encode } from '../../base/wire/codec.js';
import type { StreamPosition } from '../../log/delta/delta.js';
import type { LogMark } from './frame.js';
import type { ClusterNats } from './nats.js';
import { inTime } from './retries.js';

/** Metadata of a snapshot, stored beside it; its position is that of the newest batch in it. */
export interface SnapshotHead extends StreamPosition {
  name: string;
  /** Everything up to this sequence of the log is in it, and what was read up to there. */
  sequence: number;
  mark: LogMark;
  shards: number;
  /** Of the log after it; earlier releases state none. */
  logVersion?: number;
}

/** A node that loads a snapshot renews its reservation within this time. */
export const RESERVATION_MS = 10_000;
const SNAPSHOTS_RETAINED = 2;
const HEAD_KEY = 'snapshot';
const RESERVED = 'reserved.';
/** After this long without a part its server is considered dead, and the read is started again. */
const SILENCE_MS = 10_000;
const LENGTH_BYTES = 4;
/** A store deflates to a seventh, and the client hashes what it stores and loads on its only thread. */
const DEFLATE = { level: 1 } as const;
const deflate = promisify(deflateRaw);

export class Snapshots {
  readonly #store: ObjectStore;
  readonly #state: KV;
  readonly #streams: ClusterNats['streams'];
  readonly #bucket: string;
  /** Reservations as last seen: by key, revision and when it was first seen (monotonicMs). */
  readonly #seen = new Map<string, { revision: number; sinceMs: number; sequence: number }>();

  constructor({ snapshots, state, streams, names }: Pick<ClusterNats, 'snapshots' | 'state' | 'streams' | 'names'>) {
    this.#store = snapshots;
    this.#state = state;
    this.#streams = streams;
    this.#bucket = names.state;
  }

  /** The newest one; null where there is none. */
  async newest(): Promise<SnapshotHead | null> {
    const entry = await this.#state.get(HEAD_KEY);
    return entry === null || entry.value.length === 0 ? null : (decode(entry.value) as SnapshotHead);
  }

  /** Stores the pieces, and marks them as the newest once complete; older ones that nobody loads are dropped. */
  async put(head: SnapshotHead, pieces: Iterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    await this.#store.put({ name: head.name }, streamOf(pieces));
    // It was abandoned: another has been begun, or this node no longer writes the log.
    signal.throwIfAborted();
    await this.#state.put(HEAD_KEY, encode(head));
    await this.#dropOld();
  }

  /** The pieces of a reserved snapshot. Throws if they stop arriving. */
  async *pieces({ name }: SnapshotHead): AsyncGenerator<Uint8Array> {
    const found = await this.#store.get(name);
    if (found === null) throw new Error(`the snapshot ${name} is gone`);
    const reader = found.data.getReader();
    let rest: Uint8Array = new Uint8Array(0);
    try {
      for (;;) {
        const { done, value } = await inTime(reader.read(), SILENCE_MS);
        if (done) break;
        rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
        let at = 0;
        while (rest.length - at >= LENGTH_BYTES) {
          const length = new DataView(rest.buffer, rest.byteOffset + at).getUint32(0);
          if (rest.length - at - LENGTH_BYTES < length) break;
          yield inflateRawSync(rest.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length));
          at += LENGTH_BYTES + length;
        }
        rest = rest.subarray(at);
      }
      if (rest.length > 0) throw new Error(`the snapshot ${name} is cut off`);
      const error = await inTime(found.error, SILENCE_MS);
      // Null or, after some pieces, nothing at all.
      if (error instanceof Error) throw error;
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Retains the newest snapshot and the log after it for this node, until it is released or the node is gone. */
  async reserve(node: string): Promise<{ head: SnapshotHead; release(): Promise<void> } | null> {
    const key = `${RESERVED}${node}`;
    let head = await this.newest();
    if (head === null) return null;
    // Reserved by its sequence, and checked again: it may have been dropped just before.
    for (;;) {
      await this.#state.put(key, encode({ sequence: head.sequence }));
      const newest: SnapshotHead | null = await this.newest();
      if (newest === null) return null;
      if (newest.name === head.name) break;
      head = newest;
    }
    const reserved = head;
    const timer = setInterval(() => {
      void this.#state.put(key, encode({ sequence: reserved.sequence })).catch(() => undefined);
    }, RESERVATION_MS / 4);
    return {
      head: reserved,
      release: async () => {
        clearInterval(timer);
        await this.#erase(key);
      },
    };
  }

  /** The lowest reserved sequence, by reservations that are being renewed; null if there is none. */
  async reserved(): Promise<number | null> {
    const present = new Set<string>();
    let least: number | null = null;
    for (const key of await this.#reservations()) {
      const entry = await this.#state.get(key);
      if (entry === null) continue;
      if (entry.value.length === 0) {
        await this.#erase(key, entry.revision);
        continue;
      }
      const known = this.#seen.get(key);
      const nowMs = monotonicMs();
      const sinceMs = known?.revision === entry.revision ? known.sinceMs : nowMs;
      if (nowMs - sinceMs > RESERVATION_MS) {
        await this.#erase(key, entry.revision);
        continue;
      }
      const { sequence } = decode(entry.value) as { sequence: number };
      this.#seen.set(key, { revision: entry.revision, sinceMs, sequence });
      present.add(key);
      least = Math.min(least ?? sequence, sequence);
    }
    for (const key of this.#seen.keys()) if (!present.has(key)) this.#seen.delete(key);
    return least;
  }

  /** Their keys. Listed by the stream itself: the client's own listing would leave a consumer at the servers each time. */
  async #reservations(): Promise<string[]> {
    const prefix = this.#subjectOf('');
    const query = { subjects_filter: this.#subjectOf(`${RESERVED}>`) };
    const { state } = await this.#streams.streams.info(`KV_${this.#bucket}`, query);
    return Object.keys(state.subjects ?? {}).map((subject) => subject.slice(prefix.length));
  }

  /** Up to a revision, by default all. A deleted key would leave a marker for ever. */
  async #erase(key: string, revision?: number): Promise<void> {
    const upTo = revision === undefined ? {} : { seq: revision + 1 };
    await this.#streams.streams.purge(`KV_${this.#bucket}`, { filter: this.#subjectOf(key), ...upTo });
  }

  #subjectOf(key: string): string {
    return `$KV.${this.#bucket}.${key}`;
  }

  async #dropOld(): Promise<void> {
    const least = await this.reserved();
    const heads = (await this.#store.list())
      .map(({ name }) => ({ name, sequence: Number(name.split('-').at(-1)) }))
      .sort((a, b) => b.sequence - a.sequence);
    for (const { name, sequence } of heads.slice(SNAPSHOTS_RETAINED))
      if (least === null || sequence < least) await this.#store.delete(name);
  }
}

/** `sequence` last, so that they sort by age. */
export function snapshotName(node: string, sequence: number): string {
  return `${node}-${sequence}`;
}

function streamOf(pieces: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = iterator.next();
      if (done) return controller.close();
      // Each piece is made in milliseconds: other work gets its turn while this one is deflated.
      const deflated = await deflate(value, DEFLATE);
      const framed = Buffer.allocUnsafe(LENGTH_BYTES + deflated.length);
      framed.writeUInt32BE(deflated.length);
      framed.set(deflated, LENGTH_BYTES);
      controller.enqueue(framed);
    },
    cancel: () => {
      iterator.return?.();
    },
  });
}
