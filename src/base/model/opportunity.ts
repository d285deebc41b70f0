// Kinds of opportunities, and the universes of books they are computed in. A shard computes within a universe;
// thresholds and filters of a single caller are applied by the front.

/** What detection finds in current prices. */
export const BET_KINDS = ['ev', 'arbitrage', 'middle', 'low_hold'] as const;
export type BetKind = (typeof BET_KINDS)[number];

/**
 * With moves, which are found in price changes and are published and retained like the others. The store refers to a
 * kind by its index here.
 */
export const OPPORTUNITY_KINDS = [...BET_KINDS, 'move'] as const;
export type OpportunityKind = (typeof OPPORTUNITY_KINDS)[number];

/** Detection limits: an opportunity beyond them is treated as if it did not exist. */
export interface DetectionLimits {
  /** Percent, as is the next; both may be negative. */
  minEv: number;
  minMiddleEv: number;
  /** Points. */
  minMiddleSize: number;
  /** Percent. */
  maxHold: number;
}

/** A set of books that opportunities are computed within. */
export interface UniverseSpec {
  /** Equal keys mean equal books and limits. */
  key: string;
  /** Null means every book, listed or not. */
  books: readonly string[] | null;
  /** The book whose prices are the fair ones; the sharp book, else the consensus, by default. */
  devigBook?: string;
  /** Limits wider than the default ones (KEPT). */
  kept?: Partial<DetectionLimits>;
  /** False if nobody receives moves of it, so that none are looked for. */
  moves?: boolean;
  /** Position from which on it is watched; the beginning (0) by default. */
  fromPosition?: number;
  /** Maximum number of active opportunities beyond the default limits per shard; unbounded by default. */
  beyondMax?: number;
}
