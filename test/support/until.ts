// The one way in which a test waits: a condition is looked at again until it holds.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 10;
/** A busy machine needs long; what never comes is told after this. */
const MS_MAX = 180_000;

/** What `holds` returns once that is neither undefined nor false. */
export async function until<T>(
  what: string | (() => string),
  holds: () => T | Promise<T>,
  msMax = MS_MAX,
): Promise<Exclude<T, undefined | false>> {
  for (const endMs = performance.now() + msMax; ; await pause(LOOK_MS)) {
    const found = await holds();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > endMs)
      throw new Error(`not within ${msMax} ms: ${typeof what === 'string' ? what : what()}`);
  }
}

/** Waits until `holds` neither throws nor returns false; in the end its last error is thrown. */
export async function eventually(holds: () => unknown, msMax = MS_MAX): Promise<void> {
  for (const endMs = performance.now() + msMax; ; await pause(LOOK_MS))
    try {
      if ((await holds()) !== false) return;
      assert.ok(performance.now() < endMs, `not within ${msMax} ms`);
    } catch (error) {
      if (performance.now() > endMs) throw error;
    }
}
