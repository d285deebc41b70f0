// How often rules are evaluated, and how long targets have.

export const ALERT_TIMES = {
  /** Rules are evaluated at this interval, and wait this long for more of a burst before they report its beginning. */
  lookMs: 250,
  groupMs: 500,
  /**
   * Ends are stored at this interval if nothing else is, and positions without any (ms): how far a rule was evaluated
   * without a match is of no consequence to the next writer, who finds none either.
   */
  noteEveryMs: 2_000,
  noteNothingEveryMs: 30_000,
  /** A rule that cannot be evaluated now is tried again after this time (ms). */
  retryMs: 5_000,
  /** What keys allow is looked at anew at this interval (ms). */
  readEveryMs: 1_000,
  /** Rules are begun for this long at a time (ms): requests are answered between. */
  sliceMs: 4,
  /** A target has this long to answer (ms). */
  answerMs: 10_000,
} as const;
