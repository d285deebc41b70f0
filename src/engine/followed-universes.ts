// The universes a front holds, as it learns them from the writer: what is alive in one is asked for once, and the news of it
// that come before the answer are kept to be told after it.
import type { UniverseNews } from '../delta/opportunity.js';
import type { UniverseSpec } from '../model/opportunity.js';
import { retained } from '../pool/packed-opportunity.js';

export interface EarlyNews {
  position: number;
  shard: number;
  news: UniverseNews;
}

interface FollowedUniverse {
  spec: UniverseSpec;
  /** Until what is alive in it is known. */
  early: EarlyNews[] | null;
}

export class FollowedUniverses {
  readonly #followed = new Map<string, FollowedUniverse>();

  get specs(): UniverseSpec[] {
    return [...this.#followed.values()].map(({ spec }) => spec);
  }

  get keys(): string[] {
    return [...this.#followed.keys()];
  }

  /** From now on its news are kept. */
  ask(spec: UniverseSpec): void {
    this.#followed.set(spec.key, { spec, early: [] });
  }

  isKnown(key: string): boolean {
    return this.#followed.get(key)?.early === null;
  }

  drop(key: string): void {
    this.#followed.delete(key);
  }

  /** Those of the news that may be told now: the others are of universes nobody here holds, or are kept. */
  newsFor(position: number, shard: number, news: readonly UniverseNews[]): UniverseNews[] {
    return news.filter((one) => {
      const held = this.#followed.get(one.universe);
      if (held === undefined) return false;
      held.early?.push({ position, shard, news: inOwnMemory(one) });
      return held.early === null;
    });
  }

  /** What is alive in it is known as of a position: returns what came after that, in order. */
  known(key: string, position: number): EarlyNews[] {
    const held = this.#followed.get(key);
    if (held === undefined) return [];
    const after = (held.early ?? []).filter((one) => one.position > position);
    held.early = null;
    return after;
  }
}

/** The message it came in is somebody else's in a moment. */
function inOwnMemory(news: UniverseNews): UniverseNews {
  return { ...news, detected: news.detected.map(retained), moved: news.moved.map(retained) };
}
