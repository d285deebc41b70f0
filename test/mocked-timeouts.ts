// The only place that mocks `setTimeout`: a structure test holds it.
import type { TestContext } from 'node:test';

/**
 * Mocks `setTimeout` until the test ends; time passes by `t.mock.timers.tick`. Real timers that are cleared meanwhile end
 * as well, which node's mock leaves out: fetch clears the timer of a connection when it closes, and one that stays throws
 * seconds later in whatever test runs then.
 */
export function mockTimeouts(t: TestContext): void {
  const clearReal = globalThis.clearTimeout;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clearMocked = globalThis.clearTimeout;
  globalThis.clearTimeout = (timer) => {
    clearMocked(timer);
    clearReal(timer);
  };
}
