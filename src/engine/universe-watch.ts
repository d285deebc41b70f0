// Universes as the main thread knows them: which are asked for, and which shards have told all they hold of each.

import type { UniverseNews } from '../delta/opportunity.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { ShardThread } from '../pool/shard-thread.js';

interface Watched {
  /** Shards that have told what is alive in it. */
  readonly readyShards: Set<number>;
  readonly ready: Promise<void>;
  becomesReady(): void;
}

export class UniverseWatch {
  readonly #threads: readonly ShardThread[];
  /** Watched by every shard from its start, whoever asks. */
  readonly #permanent: ReadonlySet<string>;
  readonly #watched = new Map<string, Watched>();

  constructor(threads: readonly ShardThread[], permanent: readonly UniverseSpec[]) {
    this.#threads = threads;
    this.#permanent = new Set(permanent.map((spec) => spec.key));
    for (const { key } of permanent) this.#watch(key);
  }

  /** Has every shard watch it; settles when all have told what is alive in it and it was delivered. */
  ensure(spec: UniverseSpec): Promise<void> {
    const known = this.#watched.get(spec.key);
    if (known !== undefined) return known.ready;
    const watched = this.#watch(spec.key);
    for (const thread of this.#threads) thread.registerUniverse(spec);
    return watched.ready;
  }

  drop(key: string): void {
    if (this.#permanent.has(key) || !this.#watched.delete(key)) return;
    for (const thread of this.#threads) thread.dropUniverse(key);
  }

  /** To be called when a delta's listeners have seen it. */
  delivered(shard: number, news: readonly UniverseNews[]): void {
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
