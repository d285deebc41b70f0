// Which prices are the fair ones, and how the margin is taken out of them.
import type { DevigMethod } from '../base/model/devig-method.js';

export const DEFAULT_DEVIG: DevigMethod = 'power';

/** The consensus in place of a book. */
export const CONSENSUS = -1;
/** The sharp book, else the consensus. */
export const ENGINES_OWN = -2;
/** A book without prices: there is no reference. */
export const NO_BOOK = -3;

export interface ReferencePolicy {
  method: DevigMethod;
  /** Number of the book whose prices are the fair ones, CONSENSUS or ENGINES_OWN. */
  book: number;
}

export const DEFAULT_POLICY: ReferencePolicy = { method: DEFAULT_DEVIG, book: ENGINES_OWN };
