// The delay that a target requests when it accepts nothing now.

/**
 * In ms, 0 if it states nothing: `Retry-After` in seconds or as a date, else the `retry_after` (seconds) in the body of
 * a 429, as Discord and Telegram send it.
 */
export function retryAfterMs(status: number, retryAfter: string | undefined, body: string, nowMs: number): number {
  const inBody = status === 429 ? /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(body)?.[1] : undefined;
  const seconds = Number(retryAfter ?? inBody);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter ?? '') - nowMs : Math.ceil(seconds * 1000);
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
