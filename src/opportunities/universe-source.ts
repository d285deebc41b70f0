// What this stage needs of detection: universes to be watched, and one-off questions with another way to the fair price.

import type { Opportunity } from '../delta/opportunity.js';
import type { DevigMethod } from '../model/devig-method.js';
import type { BetKind, UniverseSpec } from '../model/opportunity.js';

/** What a question looks at; all where not given. */
export interface Narrowing {
  sports?: readonly string[];
  leagues?: readonly string[];
  events?: readonly string[];
}

/** What no universe keeps the answer to. */
export interface Question extends Narrowing {
  kind: BetKind;
  /** Books whose prices are judged or combined; null is every book. */
  books: readonly string[] | null;
  /** EV: how the margin is taken out; default power. */
  method?: DevigMethod;
  /** EV: the book whose devigged prices are the fair ones; null is the sharp book, else the consensus. */
  devigBook?: string | null;
  /** EV: percent. */
  minEv?: number;
  /** Middles: percent. */
  minExpectedValue?: number;
  /** Middles: points. */
  minSize?: number;
  /** Low holds: percent. */
  maxHold?: number;
}

export interface UniverseSource {
  /** Settles when every shard's news of what is alive in the universe has been delivered. */
  ensureUniverse(spec: UniverseSpec): Promise<void>;
  dropUniverse(key: string): void;
  evaluate(question: Question): Promise<Opportunity[]>;
}
