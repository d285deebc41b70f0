// Kinds of opportunities, and the universes of books they are computed in. A shard computes inside a universe; thresholds
// and filters of a single caller are applied by the front.

/** What detection finds in prices as they stand. */
export const BET_KINDS = ['ev', 'arbitrage', 'middle', 'low_hold'] as const;
export type BetKind = (typeof BET_KINDS)[number];

/** With moves, which are found in how prices change, and told and kept like the others. The store knows them by their place. */
export const OPPORTUNITY_KINDS = [...BET_KINDS, 'move'] as const;
export type OpportunityKind = (typeof OPPORTUNITY_KINDS)[number];

/** What is worth keeping alive: an opportunity beyond its limit is as if it were not there. */
export interface DetectionLimits {
  /** Percent, as the next; both may be negative. */
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
  /** Null is every book, listed or not. */
  books: readonly string[] | null;
  /** Limits wider than the usual ones (KEPT), which hold where none is given. */
  kept?: Partial<DetectionLimits>;
  /** False where nobody may be told of moves in it, and none are looked for. */
  moves?: boolean;
  /** Position from which on somebody may be told of it; 0, from the beginning, where not given. */
  sinceUs?: number;
  /** Beyond the usual limits a shard keeps at most so many alive in it at once; no bound where not given. */
  beyondMax?: number;
}
