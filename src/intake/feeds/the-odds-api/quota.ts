// The plan's credits as stated by the answers' headers, and the polling interval that makes the rest last the month.

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

  /** Reads the headers; returns the cost of this request (`x-requests-last`), or undefined. */
  read(headers: Headers): number | undefined {
    this.#remaining = credits(headers, 'x-requests-remaining') ?? this.#remaining;
    this.#used = credits(headers, 'x-requests-used') ?? this.#used;
    return credits(headers, 'x-requests-last');
  }

  /** The server reports that nothing is left, whatever the last headers said. */
  exhaust(): void {
    this.#remaining = 0;
  }

  /** The server answers again without stating credits. */
  forget(): void {
    this.#remaining = undefined;
  }

  /**
   * Milliseconds between two rounds that cost `roundCredits` each: `everyMs`, or as much longer as is needed for the
   * remaining credits to last until the end of the month.
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
