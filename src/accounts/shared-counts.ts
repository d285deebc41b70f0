// What several processes count together, so that limits hold over all of them: requests and openings in a minute's window,
// streams held open. Each counts its own and is told of the others'; where a process is alone nobody tells.

/** Of one kind of window: `requests` of a caller, `openings` of an account's streams. */
export type CountedKind = 'requests' | 'openings';

export interface SharedCounts {
  /** To be called after each count with what this process has counted in the window. */
  counted(kind: CountedKind, caller: string, window: number, total: number, limit: number): void;
  /** What the others have counted in the window, as far as is known here. */
  others(kind: CountedKind, caller: string, window: number): number;
  /** To be called with the streams an account holds open here, at each change. */
  holds(account: string, streams: number): void;
  heldByOthers(account: string): number;
}
