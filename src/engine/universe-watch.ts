// Universes on the main thread: which ones are watched, and which shards have sent their complete state of each.

import type { PackedUniverseNews } from '../delta/opportunity.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { ShardThread } from '../pool/shard-thread.js';

interface Watched {
  /** Shards that have sent its active opportunities. */
  readonly readyShards: Set<number>;
  readonly ready: Promise<void>;
  becomesReady(): void;
}

export class UniverseWatch {
  readonly #threads: readonly ShardThread[];
  /** Watched by every shard from its start, whether used or not. */
  readonly #permanent: ReadonlySet<string>;
  readonly #watched = new Map<string, Watched>();

  constructor(threads: readonly ShardThread[], permanent: readonly UniverseSpec[]) {
    this.#threads = threads;
    this.#permanent = new Set(permanent.map((spec) => spec.key));
    for (const { key } of permanent) this.#watch(key);
  }

  /** Watches it in every shard; settles when all have sent its active opportunities and these were delivered. */
  ensure(spec: UniverseSpec): Promise<void> {
    const known = this.#watched.get(spec.key);
    if (known !== undefined) return known.ready;
    const watched = this.#watch(spec.key);
    for (const thread of this.#threads) thread.registerUniverse(spec);
    return watched.ready;
  }

  /** Whether all shards have sent its active opportunities. */
  isReady(key: string): boolean {
    return this.#watched.get(key)?.readyShards.size === this.#threads.length;
  }

  isPermanent(key: string): boolean {
    return this.#permanent.has(key);
  }

  drop(key: string): void {
    if (this.#permanent.has(key) || !this.#watched.delete(key)) return;
    for (const thread of this.#threads) thread.dropUniverse(key);
  }

  /** To be called when a delta's listeners have been called. */
  delivered(shard: number, news: readonly PackedUniverseNews[]): void {
    for (const { universe, whole } of news) {
      const watched = whole ? this.#watched.get(universe) : undefined;
      if (watched === undefined) continue;
      watched.readyShards.add(shard);
      if (watched.readyShards.size === this.#threads.length) watched.becomesReady();
    }
  }

  #watch(key: string): Watched {
    let becomesReady = (): void => {};
    const ready = new Promise<void>((resolve) => {
      becomesReady = resolve;
    });
    const watched: Watched = { readyShards: new Set(), ready, becomesReady };
    this.#watched.set(key, watched);
    return watched;
  }
}
