// One copy of each text that many rows share.
import { BoundedMap } from './bounded-map.js';
import { detachedText } from './detached-text.js';

/** Interns texts that occur a hundred thousand times (Over, Under, team names). */
export class Interner {
  /** Player names come and go, so texts no longer in use must not be retained for ever. */
  readonly #texts: BoundedMap<string, string>;

  constructor(textsMax: number) {
    this.#texts = new BoundedMap(textsMax);
  }

  intern(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const own = detachedText(text);
    this.#texts.set(own, own);
    return own;
  }
}
