// What counts as a move, and how long one is told of: every number of it.

export const MOVE_LIMITS = {
  /** Books that move an outcome the same way for a steam; two where the sharp book is a third. */
  steamBooks: 3,
  steamBooksBesideSharp: 2,
  /** By so much implied probability (0.01 is one percentage point) each, within the window. */
  steamProbability: 0.01,
  steamWindowMs: 60_000,
  /** A book's decimal price longer or shorter by more than this share, within the window. */
  dropShare: 0.1,
  dropWindowMs: 600_000,
  /** Books that must agree on a main line for it to be the consensus. */
  lineBooks: 2,
  /** Books that came to the new line this long before the consensus did are named with it. */
  lineWindowMs: 600_000,
  /** Share of the bets (0-1) above which a side has most of them. */
  betsMajority: 0.5,
  /** A move is told of until so long after its last book moved. */
  retainedMs: 900_000,
  /** Who lags is looked up anew where a price of the market changed, but so often at most, and for so long after the last book. */
  laggardsEveryMs: 2_000,
  laggardsRetainedMs: 300_000,
  /** A laggard's edge is told anew once it has changed by so much (percentage points). */
  edgeStep: 0.1,
} as const;

/** Below this, differences are of floating point. */
export const NOISE = 1e-9;
