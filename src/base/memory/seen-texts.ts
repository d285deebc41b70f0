// Which texts came lately, so that only those that come again are cached: most are never repeated, and caching each at
// once costs more than making it. Hashes, not texts: a map of texts reads each one it compares from memory.

/** Space for as many again, so that probes are short. */
const PLACES_PER_TEXT = 2;
const EMPTY = 0;

export class SeenTexts {
  readonly #max: number;
  readonly #mask: number;
  /** Two generations: those of the older one are forgotten together. */
  #young: Uint32Array;
  #old: Uint32Array;
  #count = 0;

  /** @param max number of texts per generation */
  constructor(max: number) {
    const places = 2 ** Math.ceil(Math.log2(max * PLACES_PER_TEXT));
    this.#max = max;
    this.#mask = places - 1;
    this.#young = new Uint32Array(places);
    this.#old = new Uint32Array(places);
  }

  /**
   * Whether the text was added lately; it is from now on. One in millions is taken for another, so nothing but the cost
   * of an answer may depend on it.
   */
  add(text: string): boolean {
    const hash = hashOf(text);
    let at = this.#placeOf(this.#young, hash);
    if (this.#young[at] === hash) return true;
    if (this.#count === this.#max) {
      const oldest = this.#old.fill(EMPTY);
      this.#old = this.#young;
      this.#young = oldest;
      this.#count = 0;
      at = hash & this.#mask;
    }
    this.#young[at] = hash;
    this.#count++;
    return this.#old[this.#placeOf(this.#old, hash)] === hash;
  }

  /** The place of the hash, or the empty one where it belongs. */
  #placeOf(hashes: Uint32Array, hash: number): number {
    let at = hash & this.#mask;
    while (hashes[at] !== hash && hashes[at] !== EMPTY) at = (at + 1) & this.#mask;
    return at;
  }
}

/** FNV-1a, with the last step of MurmurHash3; never EMPTY. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0 || 1;
}
