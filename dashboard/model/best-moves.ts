// Whether the best price of an outcome became longer or shorter since it was seen last: the book that has it may be another
// one now, whose own price moved the other way.

/** How long a price shows that it moved. */
const MOVED_MS = 1_500;
/** What was not looked at for longer is not compared. */
const SEEN_MS = 5_000;
const KEYS_MAX = 5_000;

interface Seen {
  net: number;
  line: number | null;
  seenMs: number;
  direction: 1 | -1 | 0;
  movedMs: number;
}

export class BestMoves {
  readonly #seen = new Map<string, Seen>();

  /** Notes the price; 1 if it became longer a moment ago, -1 shorter, 0 neither. */
  seen(key: string, net: number, line: number | null, nowMs: number): 1 | -1 | 0 {
    const before = this.#seen.get(key);
    let now: Seen = { net, line, seenMs: nowMs, direction: 0, movedMs: 0 };
    if (before !== undefined && before.line === line && nowMs - before.seenMs < SEEN_MS)
      now =
        before.net === net
          ? { ...before, seenMs: nowMs }
          : { ...now, direction: net > before.net ? 1 : -1, movedMs: nowMs };
    if (before === undefined && this.#seen.size >= KEYS_MAX) this.#seen.clear();
    this.#seen.set(key, now);
    return nowMs - now.movedMs < MOVED_MS ? now.direction : 0;
  }
}
