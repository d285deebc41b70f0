// One copy of every text that many rows share.
import { BoundedMap } from './bounded-map.js';

/** Keeps one copy of texts that recur a hundred thousand times (Over, Under, team names). */
export class Interner {
  /** Player names come and go: what is no longer used must not be kept for ever. */
  readonly #texts: BoundedMap<string, string>;

  constructor(textsMax: number) {
    this.#texts = new BoundedMap(textsMax);
  }

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
