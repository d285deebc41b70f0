// What several processes count together, so that limits hold across all of them: requests, stream openings and messages
// in a one-minute window, open streams. Each counts its own and receives the others' counts; a single process receives
// none.

/** Kind of a window: `requests` of a caller, `openings` of an account's streams, other `messages` of MCP. */
export type CountedKind = 'requests' | 'openings' | 'messages';

export interface SharedCounts {
  /** To be called after each count with this process's count in the window. */
  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void;
  /** The others' count in the window, as far as known here. */
  others(kind: CountedKind, caller: string, window: number): number;
  /** To be called with the number of streams an account has open here, at each change. */
  holds(account: string, streams: number): void;
  openAtOthers(account: string): number;
  /** Absent where the others' counts, as far as known, are all there is. */
  readonly grants?: SharedGrants;
}

/** What one process grants to all others, so that a limit holds although requests come to all of them at once. */
export interface SharedGrants {
  /**
   * Null if this process knows what to answer one request more with `own` counted, if that is done at once; else settles
   * when it does. Never rejects.
   */
  prepare(kind: CountedKind, caller: string, window: number, own: number, limit: number): Promise<void> | null;
  /** How far this process may count in the window; undefined if nobody grants for now. */
  upTo(kind: CountedKind, caller: string, window: number): number | undefined;
}
