// How old a price may be and still count: the one cut-off of best odds, detection, ages that are shown and trust in them.

/** Before the start, and in play. */
export const FRESH_SECONDS = { prematch: 300, live: 60 } as const;

export function freshSeconds(live: boolean): number {
  return live ? FRESH_SECONDS.live : FRESH_SECONDS.prematch;
}

/** A price older than so many milliseconds takes no part. */
export function freshMs(live: boolean): number {
  return freshSeconds(live) * 1000;
}
