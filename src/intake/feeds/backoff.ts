// How long to wait after a server failed: doubling, capped, with jitter so that clients do not return all at once.

export interface BackoffLimits {
  /** Wait after the first failure, ms. */
  firstMs: number;
  /** Longest wait, ms. */
  capMs: number;
}

/** Milliseconds to wait after `failures` (>= 1) failures in a row: between half and all of firstMs * 2^(failures - 1), capped. */
export function backoffMs(failures: number, limits: BackoffLimits, random: () => number): number {
  const fullMs = Math.min(limits.capMs, limits.firstMs * 2 ** Math.min(failures - 1, 40));
  return fullMs * (0.5 + random() / 2);
}
