// A front's universes, learnt from the writer: the active opportunities of one are requested once, and changes to it
// that arrive before the answer are buffered until after it.
import type { PackedNews } from '../delta/opportunity.js';
import type { AskedUniverse } from '../log/requests.js';

export interface EarlyNews {
  position: number;
  shard: number;
  news: PackedNews;
}

interface FollowedUniverse {
  asked: AskedUniverse;
  /** Until its active opportunities are known. */
  early: EarlyNews[] | null;
}

export class FollowedUniverses {
  readonly #followed = new Map<string, FollowedUniverse>();

  get asked(): AskedUniverse[] {
    return [...this.#followed.values()].map(({ asked }) => asked);
  }

  get keys(): string[] {
    return [...this.#followed.keys()];
  }

  /** From now on its changes are buffered. */
  ask(asked: AskedUniverse): void {
    this.#followed.set(asked.spec.key, { asked, early: [] });
  }

  isKnown(key: string): boolean {
    return this.#followed.get(key)?.early === null;
  }

  drop(key: string): void {
    this.#followed.delete(key);
  }

  /** The changes that may be published now: the others are of universes that nobody here uses, or are buffered. */
  newsFor(position: number, shard: number, { records, universes }: PackedNews): PackedNews {
    const known = universes.filter((one) => {
      const followed = this.#followed.get(one.universe);
      if (followed === undefined) return false;
      // The message it came in will be overwritten.
      followed.early?.push({ position, shard, news: { records: Uint8Array.from(records), universes: [one] } });
      return followed.early === null;
    });
    return { records, universes: known };
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
