// A position in the change log, as sent to clients.

/**
 * A position means nothing in another epoch. Within a process all positions are of one epoch, so groups, cohorts and
 * subscribers store the number alone; so does a client's request, which continues in the epoch it was sent.
 */
export interface StreamPosition {
  /** The life of a data directory. */
  readonly epoch: string;
  /** Unix µs of the batch, at least one above the batch before. */
  readonly position: number;
}
