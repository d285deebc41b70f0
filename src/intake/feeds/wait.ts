// The abortable timer of the feeds, and how long to wait after a server failed: doubling, capped, with jitter so that
// clients do not return all at once. It measures durations only; the current time comes from the injected clock.

/** Longest single timer Node takes (2^31 - 1 ms); recordings may have longer gaps. */
const LONGEST_TIMER_MS = 0x7fffffff;

/** Waits `ms` milliseconds. Resolves true when they have passed, false (at once) if the signal is aborted first. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<boolean>;

export const wait: Wait = async (ms, signal) => {
  let leftMs = ms;
  while (leftMs > 0 && !signal.aborted) {
    const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
    await new Bell().sleep(stepMs, signal);
    leftMs -= stepMs;
  }
  return !signal.aborted;
};

/** Waits until `holds`, for `ms` at most. */
export async function waitUntil(holds: () => boolean, ms: number, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < ms && !holds(); waitedMs += LOOK_MS) if (!(await wait(LOOK_MS, signal))) return;
}

const LOOK_MS = 20;

/** A sleep that may be ended early. Aborting a signal for that took 0.1 ms, which every price waited for. */
export class Bell {
  #wake: (() => void) | undefined;

  /** Ends the present sleep, if there is one. */
  ring(): void {
    this.#wake?.();
  }

  /** For `ms` at most, or until the signal is aborted. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}

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
