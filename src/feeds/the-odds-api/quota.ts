// The plan's credits as the answers' headers tell them, and how often one may ask so that the rest lasts the month.

/** The Odds API counts credits per calendar month (UTC). */
export class Quota {
  #remaining: number | undefined;
  #used: number | undefined;

  /** Credits left, undefined before the first answer. */
  get remaining(): number | undefined {
    return this.#remaining;
  }

  get used(): number | undefined {
    return this.#used;
  }

  get exhausted(): boolean {
    return this.#remaining !== undefined && this.#remaining <= 0;
  }

  /** Takes what the headers say; returns what this request cost (`x-requests-last`), or undefined. */
  read(headers: Headers): number | undefined {
    this.#remaining = credits(headers, 'x-requests-remaining') ?? this.#remaining;
    this.#used = credits(headers, 'x-requests-used') ?? this.#used;
    return credits(headers, 'x-requests-last');
  }

  /** The server says that nothing is left, whatever the last headers said. */
  exhaust(): void {
    this.#remaining = 0;
  }

  /** The server answers again without a word about credits. */
  forget(): void {
    this.#remaining = undefined;
  }

  /**
   * Milliseconds between two rounds that cost `roundCredits` each: `everyMs`, or as much longer as the credits left need
   * to last until the month is over.
   */
  periodMs(everyMs: number, roundCredits: number, nowMs: number): number {
    if (this.#remaining === undefined || this.#remaining <= 0 || roundCredits <= 0) return everyMs;
    const date = new Date(nowMs);
    const monthEndMs = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    return Math.max(everyMs, ((monthEndMs - nowMs) * roundCredits) / this.#remaining);
  }
}

function credits(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
