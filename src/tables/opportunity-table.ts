// The opportunities of every universe that the shards know, watched or not, in the order of the change log: beside the
// rows, from which they are composed.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { OpenDelta } from '../log/delta/delta.js';
import { UniverseOpportunities } from './universe-opportunities.js';

export class OpportunityTable {
  /** Called before changes are applied. */
  onNews: () => void = () => undefined;
  readonly #universes = new Map<string, UniverseOpportunities>();

  /** A universe's; empty if nothing is known of it. */
  of(key: string): UniverseOpportunities {
    return getOrInsert(this.#universes, key, () => new UniverseOpportunities(key));
  }

  apply({ position, shard, opportunities }: Pick<OpenDelta, 'position' | 'shard' | 'opportunities'>): void {
    const universes = [...this.#universes.values()];
    if (opportunities.length === 0 && !universes.some((one) => one.isDue(position))) return;
    this.onNews();
    for (const universe of universes) universe.passTo(position);
    for (const news of opportunities) {
      const { universe, forgotten } = news;
      if (!forgotten) this.of(universe).apply(position, shard, news);
      else if (this.of(universe).forgetShard(shard)) this.#universes.delete(universe);
    }
  }

  /** Position at which it was first detected, in whichever universe; Infinity if none has it. */
  detectedUs(id: string): number {
    let first = Number.POSITIVE_INFINITY;
    for (const universe of this.#universes.values()) first = Math.min(first, universe.get(id)?.detectedUs ?? first);
    return first;
  }

  /** No reader needs anything from before a position any more. */
  forget(position: number): void {
    for (const universe of this.#universes.values()) universe.forget(position);
  }
}
