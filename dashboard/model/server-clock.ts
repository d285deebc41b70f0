// The server's time, estimated from its answers: ages are computed with it, so that a wrong clock on the viewer's
// machine shows no wrong ages. The fastest answer is the most exact one.

/**
 * One answer: when it was requested and when it arrived (Unix ms of this machine), and the server's time in it (Unix
 * ms).
 */
export interface TimeAnswer {
  sentMs: number;
  receivedMs: number;
  serverMs: number;
}

/** Older answers are dropped: clocks drift. */
const RETAINED_MS = 600_000;
/** What they may drift meanwhile; an answer that is further off was measured before this machine's clock was set. */
const DRIFT_MS = 1_000;

export class ServerClock {
  #answers: { atMs: number; offsetMs: number; errorMs: number }[] = [];
  readonly #now: () => number;

  /** @param now Unix ms of this machine */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  take({ sentMs, receivedMs, serverMs }: TimeAnswer): void {
    if (!Number.isFinite(serverMs) || receivedMs < sentMs) return;
    const errorMs = (receivedMs - sentMs) / 2;
    const offsetMs = serverMs - (sentMs + errorMs);
    this.#answers = this.#answers.filter(
      (one) =>
        Math.abs(receivedMs - one.atMs) < RETAINED_MS &&
        Math.abs(offsetMs - one.offsetMs) <= errorMs + one.errorMs + DRIFT_MS,
    );
    this.#answers.push({ atMs: receivedMs, offsetMs, errorMs });
    if (this.#answers.length > 100) this.#answers.shift();
  }

  /** Offset to this machine's time, ms; 0 before the first answer. */
  get offsetMs(): number {
    let best = this.#answers[0];
    for (const answer of this.#answers) if (answer.errorMs < best!.errorMs) best = answer;
    return best?.offsetMs ?? 0;
  }

  /** Unix ms at the server. */
  now(): number {
    return this.#now() + this.offsetMs;
  }
}
