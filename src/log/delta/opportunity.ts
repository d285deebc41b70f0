// The opportunities of each registered universe, as they appear, change and end: as detection in a shard sends them, and
// as their readers see them, an OpportunityHead with its books and item.

import type { OpportunityKind } from '../../base/model/opportunity.js';
import type { StakeTerms } from '../../base/model/stake-terms.js';
import type { Ruled } from '../../rules/grading/house-exceptions.js';
import type { Move } from '../../schema/moves.js';
import type {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
  MiddleSide,
} from '../../schema/opportunities-items.js';

/** Fields that are only known when the item is served. */
type Aged = 'possibly_stale' | 'oldest_odds_age_seconds' | 'odds_age_seconds' | 'detected_at';
/** Fields that follow from others, or from the event. */
type Derived = 'external_event_id' | 'player_id' | 'guaranteed_roi' | 'is_team_total';

export type EvItem = Omit<EvOpportunity, Aged | Derived>;
export type ArbitrageItem = Omit<ArbitrageOpportunity, Aged>;
export type MiddleItemSide = Omit<MiddleSide, Aged>;
export type MiddleItem = Omit<MiddleOpportunity, Aged | Derived | 'side1' | 'side2'> & {
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
  /**
   * Position at which streams are sent the last change of its numbers: the one of that change, or a later one. Being seen
   * again at the same prices is no change.
   */
  updatedPosition: number;
  /** last_seen_at of its stalest quote (Unix ms): ages are computed from it when it is served. */
  oldestSeenMs: number;
  /**
   * last_seen_at (Unix ms) of each of `books`: the ages of single legs or sides are computed from it.
   */
  seenMs: readonly number[];
  /** An arbitrage above the credible profit: not listed unless requested. */
  suspicious: boolean;
  /** The item's score (0-100) with quotes just seen; 0 if its kind has none. */
  score: number;
  /** Points between the lines of a middle; number of books of a move; 0 for other kinds. */
  size: number;
  /** Replaced, never changed in place. */
  terms: StakeTerms;
  /** What its exceptions follow from, beside prices and stakes; null or absent if house rules make none. */
  ruled?: Ruled | null;
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

/** A universe's changes in one delta. */
export interface UniverseNews {
  universe: string;
  /** With the first ones since it is watched: if nothing was known of it, all of its ends are from this position on. */
  from?: number;
  /** The shard knows nothing of it any more: nobody has watched it for as long as the log reaches back. */
  forgotten?: boolean;
  /** New ones and those whose numbers changed: lists show them at once, streams at their `updatedPosition`. */
  detected: Opportunity[];
  expired: readonly Named[];
}

export interface EndedRecord extends Named {
  eventNo: number;
}

/** The same with records (base/model/opportunity-record.ts) in place of opportunities. */
export interface PackedUniverseNews extends Omit<UniverseNews, 'detected'> {
  /** For each: the place of its record; detectedUs; updatedPosition. */
  put: number[];
  expired: EndedRecord[];
}

export const NO_NEWS: PackedNews = { records: new Uint8Array(0), universes: [] };

export interface PackedNews {
  /** One after the other: an opportunity that is the same in several universes has one record. */
  records: Uint8Array;
  universes: PackedUniverseNews[];
  /** Something was held until now: there must be a delta at this position, whatever else it has. */
  heldUntilNow?: true;
}
