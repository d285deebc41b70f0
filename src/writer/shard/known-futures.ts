// The futures markets that a shard's books list, as far as their bound needs them: how many selections each has, and
// which were polled the longest ago. Nothing else ends them, so that last year's make room for this year's.
import { LIMITS } from '../../base/model/limits.js';
import type { FutureDelta } from '../../log/delta/delta.js';

interface KnownFuture {
  /** Without its selections. */
  readonly entry: FutureDelta;
  readonly selections: number;
}

export class KnownFutures {
  /** By league, market and book; the one that was listed the longest ago is the first. */
  readonly #known = new Map<string, KnownFuture>();
  /** In all; a market without any counts as one. */
  #selections = 0;

  load(entries: Iterable<FutureDelta>): void {
    for (const entry of [...entries].sort((a, b) => a.polledMs - b.polledMs)) this.take(entry);
  }

  /** What a book lists now, or that it is forgotten. */
  take(entry: FutureDelta): void {
    const { book, future } = entry;
    const key = `${future.league}|${future.market}|${book}`;
    const known = this.#known.get(key);
    if (known !== undefined) {
      if (known.entry.polledMs > entry.polledMs) return;
      this.#known.delete(key);
      this.#selections -= known.selections;
    }
    if (entry.forgotten === true) return;
    const selections = Math.max(1, future.quotes.length);
    this.#known.set(key, { entry: { ...entry, future: { ...future, quotes: [] } }, selections });
    this.#selections += selections;
  }

  /** Forgets those listed the longest ago while there are too many selections, never the last one: as deltas tell it. */
  *overflow(): Iterable<FutureDelta> {
    for (const { entry } of [...this.#oldest()]) {
      const forgotten: FutureDelta = { ...entry, forgotten: true };
      this.take(forgotten);
      yield forgotten;
    }
  }

  *#oldest(): Iterable<KnownFuture> {
    let over = this.#selections - LIMITS.futureSelections.max;
    let others = this.#known.size - 1;
    for (const known of this.#known.values()) {
      if (over <= 0 || others-- === 0) return;
      over -= known.selections;
      yield known;
    }
  }
}
