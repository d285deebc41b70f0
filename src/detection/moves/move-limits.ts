// All thresholds of moves: what counts as one, and how long it stays active.

export const MOVE_LIMITS = {
  /** Owners whose books must move an outcome the same way for a steam. */
  steamOwners: 3,
  /** Minimum change of implied probability (0.01 is one percentage point) of each, within the window. */
  steamProbability: 0.01,
  steamWindowMs: 60_000,
  /** Minimum relative change of a book's decimal price, within the window. */
  dropShare: 0.1,
  dropWindowMs: 600_000,
  /** Owners that must agree on a main line for it to be the consensus. */
  lineOwners: 2,
  /** Books that came to the new line up to this long before the consensus did are listed with it; one did at least. */
  lineWindowMs: 600_000,
  /** Share of the bets (0-1) above which a side has most of them. */
  betsMajority: 0.5,
  /** A move is over this long after its last book moved. */
  retainedMs: 900_000,
  /**
   * Laggards are searched again if a price of the market changed, but at most this often, and for this long after the
   * last book.
   */
  laggardsEveryMs: 2_000,
  laggardsRetainedMs: 300_000,
  /** A laggard's edge is published again once it has changed by this much (percentage points). */
  edgeStep: 0.1,
} as const;

/** Smaller differences are float noise. */
export const NOISE = 1e-9;
