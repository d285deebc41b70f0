// What several processes count together, so that limits hold across all of them: requests and stream openings in a
// one-minute window, open streams. Each counts its own and receives the others' counts; a single process receives none.

/** Kind of a window: `requests` of a caller, `openings` of an account's streams. */
export type CountedKind = 'requests' | 'openings';

export interface SharedCounts {
  /** To be called after each count with this process's count in the window. */
  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void;
  /** The others' count in the window, as far as known here. */
  others(kind: CountedKind, caller: string, window: number): number;
  /** To be called with the number of streams an account has open here, at each change. */
  holds(account: string, streams: number): void;
  openAtOthers(account: string): number;
}
