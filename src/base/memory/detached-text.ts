// Texts that outlive the message they arrived in.

import { BoundedMap } from './bounded-map.js';

/** V8 copies shorter substrings itself. */
const SHARED_LENGTH = 13;

/** A copy of the text: a substring keeps the whole message in memory. */
export function detachedText<Text extends string | null>(text: Text): Text {
  return (text === null || text.length < SHARED_LENGTH ? text : Buffer.from(text).toString()) as Text;
}

// One copy of each text that many rows share.

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

/** The place of each text in a list of different ones, as lists of rows are stored: index + 1, 0 for none. */
export class TextPlaces {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  place(text: string | null): number {
    if (text === null) return 0;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = this.list.push(text);
      this.#places.set(text, place);
    }
    return place;
  }
}
