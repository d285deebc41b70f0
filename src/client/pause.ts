// A delay that can be cancelled.

/** With more a timer ends at once. */
const LONGEST_MS = 0x7fffffff;

/** Settles after this many ms, or as soon as the signal is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, LONGEST_MS));
    signal?.addEventListener('abort', done);
  });
}
