// A place in the change log, as it leaves the process.

/**
 * A position means nothing in another epoch. Within a process all positions are of one epoch, so groups, cohorts and
 * subscribers hold the number alone; so does what a client sends, which goes on from the epoch it was told.
 */
export interface StreamPosition {
  /** The life of a data directory. */
  readonly epoch: string;
  /** Unix µs of the batch, one at least above the batch before. */
  readonly position: number;
}
