// What this stage needs of detection: universes to be watched, and one-off questions with another way to the fair price.
import type { DevigMethod } from '../detect/maths/devig.js';
import type { Opportunity, UniverseSpec } from '../detect/opportunity.js';

export interface EvQuestion {
  kind: 'ev';
  /** Books whose prices are judged; null is every book. */
  books: readonly string[] | null;
  method: DevigMethod;
  /** The book whose devigged prices are the fair ones; null is the sharp book, else the consensus. */
  devigBook: string | null;
  /** Percent. */
  minEv: number;
}

export interface UniverseSource {
  /** Settles when every shard's news of what is alive in the universe has been delivered. */
  ensureUniverse(spec: UniverseSpec): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: EvQuestion): Promise<Opportunity[]>;
}
