// A front's universes, learnt from the writer: the active opportunities of one are requested once, and changes to it
// that arrive before the answer are buffered until after it.
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
  /** Until its active opportunities are known. */
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

  /** From now on its changes are buffered. */
  ask(spec: UniverseSpec): void {
    this.#followed.set(spec.key, { spec, early: [] });
  }

  isKnown(key: string): boolean {
    return this.#followed.get(key)?.early === null;
  }

  drop(key: string): void {
    this.#followed.delete(key);
  }

  /** The changes that may be published now: the others are of universes that nobody here uses, or are buffered. */
  newsFor(position: number, shard: number, news: readonly UniverseNews[]): UniverseNews[] {
    return news.filter((one) => {
      const followed = this.#followed.get(one.universe);
      if (followed === undefined) return false;
      followed.early?.push({ position, shard, news: inOwnMemory(one) });
      return followed.early === null;
    });
  }

  /** Its active opportunities are known as of a position: returns the buffered changes after that, in order. */
  known(key: string, position: number): EarlyNews[] {
    const followed = this.#followed.get(key);
    if (followed === undefined) return [];
    const after = (followed.early ?? []).filter((one) => one.position > position);
    followed.early = null;
    return after;
  }
}

/** The message it came in will be overwritten. */
function inOwnMemory(news: UniverseNews): UniverseNews {
  return { ...news, detected: news.detected.map(retained), moved: news.moved.map(retained) };
}
