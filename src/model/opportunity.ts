// What detection in a shard tells the front: opportunities of each registered universe, as they appear, move and end.
// The shard computes inside a universe; thresholds and filters of a single caller are applied by the front.

export const OPPORTUNITY_KINDS = ['ev', 'arbitrage', 'middle', 'low_hold'] as const;
export type OpportunityKind = (typeof OPPORTUNITY_KINDS)[number];

/** The item's field that is a score and falls with the age of its prices. */
export const SCORE_FIELD: Record<OpportunityKind, string | null> = {
  ev: 'confidence_score',
  arbitrage: null,
  middle: 'quality_score',
  low_hold: 'confidence',
};

/** What is worth keeping alive: an opportunity beyond its limit is as if it were not there. */
export interface KeptLimits {
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
  kept?: Partial<KeptLimits>;
  /** Position from which on somebody may be told of it; 0, from the beginning, where not given. */
  sinceUs?: number;
  /** Beyond the usual limits a shard keeps at most so many alive in it at once; no bound where not given. */
  beyondMax?: number;
}

export interface Opportunity {
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
  /** What thresholds look at, in percent: EV, profit, a middle's expected value, or hold. */
  edge: number;
  /** Books that take part, in the order of the sides or legs. */
  books: readonly string[];
  /** Position at which it was first detected in this universe; as a time it is detected_at (Unix µs). */
  detectedUs: number;
  /** Position at which its numbers last moved; being seen again at the same prices does not count. */
  movedUs: number;
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
  /** Points between the lines of a middle; 0 for other kinds. */
  size: number;
  /**
   * Every other field of the REST and stream item, in its order, without ages, detected_at and what follows from them.
   * Scores (`confidence_score`, `confidence`, `quality_score`) are those of quotes just seen: times `freshness(age of
   * oldestSeenMs, live)` of maths/ev.ts they are those of now. `last_seen_at` of legs is as it was when this was sent.
   */
  item: Record<string, unknown>;
}

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
