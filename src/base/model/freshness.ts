// How old a price may be and still count: one cut-off for best odds, detection, displayed ages and confidence.

/** Before the start, and in play. */
const FRESH_SECONDS = { prematch: 300, live: 60 } as const;

export function freshSeconds(live: boolean): number {
  return live ? FRESH_SECONDS.live : FRESH_SECONDS.prematch;
}

/** A price older than this many milliseconds is excluded. */
export function freshMs(live: boolean): number {
  return freshSeconds(live) * 1000;
}
