// What detection in a shard tells the front: opportunities of each registered universe, as they appear, move and end.
// The record of one is OpportunityHead with its books and item; pool/packed-opportunity.ts takes it from thread to thread.
import type { OpportunityKind } from '../model/opportunity.js';
import type { Move } from '../schema/moves.js';
import type {
  ArbitrageOpportunity,
  EvOpportunity,
  LowHoldOpportunity,
  MiddleOpportunity,
  MiddleSide,
} from '../schema/opportunities-items.js';

/** What only the moment of serving knows. */
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

/** What thresholds, orders and filters look at. */
export interface OpportunityHead {
  kind: OpportunityKind;
  /** 16 lowercase hex, of what it is and not of its prices. */
  id: string;
  eventId: string;
  sport: string;
  league: string;
  market: string;
  /** Unix ms. */
  startMs: number;
  live: boolean;
  /** What thresholds look at, in percent: EV, profit, a middle's expected value, hold, or the EV of a move's best laggard. */
  edge: number;
  /** Position at which it was first detected in this universe; as a time it is detected_at (Unix µs). */
  detectedUs: number;
  /** Position at which its numbers last moved; being seen again at the same prices does not count. */
  updatedPosition: number;
  /** last_seen_at of the stalest quote it stands on (Unix ms): ages are computed from it when it is served. */
  oldestSeenMs: number;
  /**
   * last_seen_at (Unix ms) of each of `books`: what a leg's or side's own age is computed from. Set anew, never changed in
   * place, when they were seen again.
   */
  seenMs: readonly number[];
  /** An arbitrage above the profit that is credible: not listed unless asked for. */
  suspicious: boolean;
  /** The item's score (0-100) of quotes just seen; 0 where its kind has none. */
  score: number;
  /** Points between the lines of a middle; books of a move; 0 for other kinds. */
  size: number;
}

export interface OpportunityOf<Kind extends OpportunityKind> extends OpportunityHead {
  kind: Kind;
  /** Books that take part, in the order of the sides or legs. */
  books: readonly string[];
  /**
   * Every other field of the REST and stream item, in its order, without ages, detected_at and what follows from them.
   * Scores (`confidence_score`, `confidence`, `quality_score`) are those of quotes just seen: times `freshness(age of
   * oldestSeenMs, live)` of maths/ev.ts they are those of now. `last_seen_at` of legs is as it was when this was sent.
   */
  item: ItemOf[Kind];
}

export type Opportunity = { [Kind in OpportunityKind]: OpportunityOf<Kind> }[OpportunityKind];

/** Which one of a universe is meant. */
export interface Named {
  kind: OpportunityKind;
  id: string;
}

/** An opportunity whose prices were seen again unchanged: only its ages are different. */
export interface Refreshed extends Named {
  oldestSeenMs: number;
  seenMs: readonly number[];
}

/** A universe's news in one delta. */
export interface UniverseNews {
  universe: string;
  /** True where `detected` is the whole set of this shard: what is not in it is gone (registration, restart). */
  whole: boolean;
  /**
   * With `whole`: the position from which on all that ended in the universe is known, by the log or by `expired` here. It
   * may lie in an earlier run of the program, and before the universe was last let go.
   */
  sinceUs?: number;
  /** New ones and those whose numbers moved. */
  detected: Opportunity[];
  expired: Named[];
  /**
   * Alive, with numbers that moved within a second of being told: lists show them, streams pass them on once they are
   * told or released.
   */
  moved: Opportunity[];
  /** Alive, a second after they were told: what has moved since is for the streams, too. */
  released: Named[];
  /** Alive before and after, with newer last_seen_at and nothing else. */
  refreshed: Refreshed[];
}
