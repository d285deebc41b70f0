// For promises such as "within ten seconds": the time that this process had. Of a moment in which the machine let it do nothing,
// and with it what it tests, almost nothing counts.
import type { Ending } from '../shared.js';

const TICK_MS = 20;

/** Returns the milliseconds since now. */
export function stopwatch(t: Ending): () => number {
  let [ms, lastMs] = [0, performance.now()];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    ms += Math.min(nowMs - lastMs, 2 * TICK_MS);
    lastMs = nowMs;
  }, TICK_MS);
  t.after(() => clearInterval(timer));
  return () => ms;
}
