// Keys and accounts of a cluster: each node has all of them in a store of its own, where requests look; changes go to
// the cluster's state, and from there to all others. Two changes of one key are merged so that an end always stays.

import { hash } from 'node:crypto';
import type { KV, KvEntry } from '@nats-io/kv';
import type { Subscription } from '@nats-io/transport-node';
import type { KeyRecord } from '../accounts/key-record.js';
import { ApiError } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import type { EngineLog } from '../model/log.js';
import { type AccountsChange, type AccountsStore, endKey } from '../store/accounts-store.js';
import { decode, encode } from '../wire/codec.js';
import { answered, pause } from './attempts.js';
import { type ClusterNats, listen } from './nats.js';

const SECRET = 'token-secret';
const ALL = 'accounts.>';
const KEY = 'accounts.key.';
/** Earlier releases stored the keys of the simulated market there as they are. */
const READABLE_KEY = 'accounts.test-key.';
const SAY_AGAIN_MS = 250;
const PUBLISH_MS = 5_000;
const READS_MAX = LIMITS.keyReads.max;
const READ_AGAIN_MS = 40;

export class SharedKeys {
  readonly #nats: ClusterNats;
  readonly #state: KV;
  readonly #store: AccountsStore;
  readonly #log: EngineLog;
  /** Changes still to be sent, by key in the cluster's state. */
  readonly #waiting = new Map<string, object | null>();
  #publishing: Promise<void> | undefined;
  #watch: { stop(): void } | undefined;
  #announcements: Subscription | undefined;
  #closed = false;

  constructor(nats: ClusterNats, store: AccountsStore, log: EngineLog) {
    this.#nats = nats;
    this.#state = nats.state;
    this.#store = store;
    this.#log = log;
  }

  /** Settles when this node has what all others have, and they have what this one had. */
  async start(): Promise<void> {
    await answered(() => this.#shareSecret());
    // Later changes are published by whoever makes them; the watch is for those published while nobody listened.
    const { connection, names, onUnreadable } = this.#nats;
    this.#announcements = listen(
      connection,
      names.accounts,
      ({ data }) => this.#received(...(decode(data) as [key: string, revision: number])),
      onUnreadable,
    );
    const watch = await answered(() => this.#state.watch({ key: ALL }));
    this.#watch = watch;
    const first = await answered(() => this.#all());
    const known = new Set(first.map(({ key }) => key));
    this.#take(first);
    this.#watchOn(watch);
    this.#store.onChange((changes) => this.#changed(changes));
    this.#changed(this.#own().filter(({ hash }) => !known.has(KEY + hash)));
    await this.#endReadableKeys(first);
    await this.published();
  }

  /** Settles when the cluster's state has the changes made here; rejects with ApiError `unavailable`. */
  async published(): Promise<void> {
    if (this.#waiting.size === 0) return;
    this.#publish();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new ApiError('unavailable', 'the cluster could not be informed: check whether the change took effect', {
              retryAfter: 1,
            }),
          ),
        PUBLISH_MS,
      );
    });
    await Promise.race([this.#publishing, late]).finally(() => clearTimeout(timer));
  }

  close(): void {
    this.#closed = true;
    this.#watch?.stop();
    this.#announcements?.unsubscribe();
  }

  async #all(): Promise<KvEntry[]> {
    const entries: KvEntry[] = [];
    for await (const key of await this.#state.keys(ALL)) {
      const entry = await this.#state.get(key);
      if (entry !== null) entries.push(entry);
    }
    return entries;
  }

  #watchOn(watch: AsyncIterable<KvEntry>): void {
    const watching = async (): Promise<void> => {
      for await (const entry of watch) this.#take([entry]);
    };
    watching().catch((error: unknown) =>
      this.#log.error({ err: error }, "the cluster's keys are not watched any more"),
    );
  }

  #received(key: string, revision: number): void {
    const read = async (): Promise<void> => {
      for (let tries = 0; tries < READS_MAX && !this.#closed; tries++) {
        const entry = await this.#state.get(key);
        if (entry !== null && entry.revision >= revision) {
          this.#take([entry]);
          return;
        }
        // A lagging replica answered.
        await pause(READ_AGAIN_MS);
      }
    };
    read().catch((error: unknown) =>
      this.#log.warn({ err: error, key }, 'a change of keys could not be read; the watch will tell it'),
    );
  }

  async #shareSecret(): Promise<void> {
    try {
      await this.#state.create(SECRET, this.#store.tokenSecret());
    } catch (error) {
      const entry = await this.#state.get(SECRET);
      if (entry === null) throw error;
      this.#store.setTokenSecret(Buffer.from(entry.value));
    }
  }

  #own(): AccountsChange[] {
    return (this.#store.keys() as KeyRecord[]).map((record) => ({ hash: record.hash, record }));
  }

  async #endReadableKeys(entries: readonly KvEntry[]): Promise<void> {
    for (const { key, value, operation } of entries) {
      if (!key.startsWith(READABLE_KEY) || operation !== 'PUT') continue;
      this.#store.change((writer) => endKey(writer, hash('sha256', decode(value) as string, 'hex')));
      await answered(() => this.#state.purge(key));
    }
  }

  #take(entries: readonly KvEntry[]): void {
    if (this.#closed || entries.length === 0) return;
    this.#store.takeOver((writer) => {
      const own = new Map((writer.keys() as KeyRecord[]).map((record) => [record.hash, record]));
      for (const { key, value, operation } of entries) {
        if (!key.startsWith(KEY)) continue;
        const hash = key.slice(KEY.length);
        if (operation !== 'PUT') writer.removeKey(hash);
        else writer.putKey(hash, together(decode(value) as KeyRecord, own.get(hash)));
      }
    });
  }

  #changed(changes: readonly AccountsChange[]): void {
    for (const { hash, record } of changes) this.#waiting.set(KEY + hash, record);
    if (changes.length > 0) this.#publish();
  }

  #publish(): void {
    this.#publishing ??= this.#publishAll().finally(() => {
      this.#publishing = undefined;
      if (this.#waiting.size > 0 && !this.#closed) this.#publish();
    });
  }

  async #publishAll(): Promise<void> {
    for (const [key, value] of this.#waiting) {
      if (this.#closed) return;
      try {
        const revision = await this.#publishOne(key, value);
        this.#nats.connection.publish(this.#nats.names.accounts, encode([key, revision]));
        if (this.#waiting.get(key) === value) this.#waiting.delete(key);
      } catch (error) {
        this.#log.warn({ err: error }, 'a change of keys could not be published; it is retried');
        await pause(SAY_AGAIN_MS);
      }
    }
  }

  /** Returns the revision under which it is stored. */
  async #publishOne(key: string, value: object | null): Promise<number> {
    if (value === null) {
      await this.#state.delete(key);
      return 0;
    }
    const entry = await this.#state.get(key);
    if (entry === null || entry.operation !== 'PUT') return this.#state.put(key, encode(value));
    const merged = together(value as KeyRecord, decode(entry.value) as KeyRecord);
    return this.#state.update(key, encode(merged), entry.revision);
  }
}

/** The newer of two records of one key; ended if either is, at the earlier end. */
export function together(one: KeyRecord, other: KeyRecord | undefined): KeyRecord {
  if (other === undefined) return one;
  const newer = one.updatedAt >= other.updatedAt ? one : other;
  const ends = [one.expiresAt, other.expiresAt].filter((end) => end !== undefined);
  return {
    ...newer,
    active: one.active && other.active,
    ...(ends.length === 0 ? {} : { expiresAt: Math.min(...ends) }),
  };
}
