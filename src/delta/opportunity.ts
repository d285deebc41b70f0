// What detection in a shard sends to the front: the opportunities of each registered universe, as they appear, change
// and end. An opportunity is an OpportunityHead with its books and item; pool/packed-opportunity.ts carries it between
// threads.
import type { OpportunityKind } from '../model/opportunity.js';
import type { Move } from '../schema/moves.js';
import type {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
  MiddleSide,
} from '../schema/opportunities-items.js';

/** Fields that are only known when the item is served. */
type Aged = 'possibly_stale' | 'oldest_odds_age_seconds' | 'odds_age_seconds' | 'detected_at';

export type EvItem = Omit<EvOpportunity, Aged>;
export type ArbitrageItem = Omit<ArbitrageOpportunity, Aged>;
export type MiddleItemSide = Omit<MiddleSide, Aged>;
export type MiddleItem = Omit<MiddleOpportunity, Aged | 'side1' | 'side2'> & {
  side1: MiddleItemSide;
  side2: MiddleItemSide;
};
export type LowHoldItem = Omit<LowHoldOpportunity, Aged>;
export type MoveItem = Omit<Move, Aged>;

interface ItemOf {
  ev: EvItem;
  arbitrage: ArbitrageItem;
  middle: MiddleItem;
  low_hold: LowHoldItem;
  move: MoveItem;
}

/** The fields that thresholds, sort orders and filters use. */
export interface OpportunityHead {
  kind: OpportunityKind;
  /** 16 lowercase hex digits that depend on what it is and not on its prices. */
  id: string;
  eventId: string;
  sport: string;
  league: string;
  market: string;
  /** Unix ms. */
  startMs: number;
  live: boolean;
  /**
   * The value that thresholds compare, in percent: EV, profit, a middle's expected value, hold, or the EV of a move's
   * best laggard.
   */
  edge: number;
  /** Position at which it was first detected in this universe; as a time it is detected_at (Unix µs). */
  detectedUs: number;
  /** Position at which its numbers last changed; being seen again at the same prices does not count. */
  updatedPosition: number;
  /** last_seen_at of its stalest quote (Unix ms): ages are computed from it when it is served. */
  oldestSeenMs: number;
  /**
   * last_seen_at (Unix ms) of each of `books`: the ages of single legs or sides are computed from it. Replaced, never
   * changed in place, when the quotes are seen again.
   */
  seenMs: readonly number[];
  /** An arbitrage above the credible profit: not listed unless requested. */
  suspicious: boolean;
  /** The item's score (0-100) with quotes just seen; 0 if its kind has none. */
  score: number;
  /** Points between the lines of a middle; number of books of a move; 0 for other kinds. */
  size: number;
}

export interface OpportunityOf<Kind extends OpportunityKind> extends OpportunityHead {
  kind: Kind;
  /** Its books, in the order of the sides or legs. */
  books: readonly string[];
  /**
   * Every other field of the REST and stream item, in its order, without ages, detected_at and what depends on them.
   * Scores (`confidence_score`, `confidence`, `quality_score`) assume quotes just seen: multiplied by `freshness(age of
   * oldestSeenMs, live)` of maths/ev.ts they are the current ones. `last_seen_at` of legs is as of sending.
   */
  item: ItemOf[Kind];
}

export type Opportunity = { [Kind in OpportunityKind]: OpportunityOf<Kind> }[OpportunityKind];

/** Identifies an opportunity of a universe. */
export interface Named {
  kind: OpportunityKind;
  id: string;
}

/** An opportunity whose prices were seen again unchanged: only its ages differ. */
export interface Refreshed extends Named {
  oldestSeenMs: number;
  seenMs: readonly number[];
}

/** A universe's changes in one delta. */
export interface UniverseNews {
  universe: string;
  /** True if `detected` is the whole set of this shard: anything not in it has ended (registration, restart). */
  whole: boolean;
  /**
   * With `whole`: the position from which on every ended opportunity of the universe is known, from the log or from
   * `expired` here. It may lie in an earlier run of the program, and before the universe was last released.
   */
  sinceUs?: number;
  /** New ones and those whose numbers changed. */
  detected: Opportunity[];
  expired: Named[];
  /**
   * Active, with numbers that changed within a second of being published: lists show them at once, streams send them
   * when they are next published or released.
   */
  moved: Opportunity[];
  /** Active, a second after they were published: streams now send what changed since. */
  released: Named[];
  /** Active before and after, with newer last_seen_at and no other change. */
  refreshed: Refreshed[];
}
