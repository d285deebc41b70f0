// The abortable timer of the feeds. It measures durations only; the current time comes from the injected clock.

/** Longest single timer Node takes (2^31 - 1 ms); recordings may have longer gaps. */
const LONGEST_TIMER_MS = 0x7fffffff;

/** Waits `ms` milliseconds. Resolves true when they have passed, false (at once) if the signal is aborted first. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<boolean>;

export const wait: Wait = async (ms, signal) => {
  let leftMs = ms;
  while (leftMs > 0 && !signal.aborted) {
    const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
    await timer(stepMs, signal);
    leftMs -= stepMs;
  }
  return !signal.aborted;
};

function timer(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(handle);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const handle = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}
