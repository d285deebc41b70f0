// One copy of every text that many rows share.

/** Keeps one copy of texts that recur a hundred thousand times (Over, Under, team names). */
export class Interner {
  readonly #texts = new Map<string, string>();

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    // Player names come and go: what is no longer used must not be kept for ever.
    if (this.#texts.size > 200_000) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
