// Texts shared by many rows (Over, team names, players), one copy of each, and columns of their numbers: half a million
// pointers per column must be followed by a major GC, numbers never.

import { grown, withPlace } from '../base/memory/grown.js';
import { detachedText } from '../base/wire/detached-text.js';

const START_TEXTS = 256;
const NO_TEXT = 0;

export class TextPool {
  /** By number; 0 means no text. */
  readonly #texts: (string | null)[] = [null];
  readonly #numbers = new Map<string, number>();
  #uses = new Uint32Array(START_TEXTS);
  readonly #free: number[] = [];

  text(no: number): string | null {
    return this.#texts[no]!;
  }

  /** Number of the text; its reference count goes up by one. */
  take(text: string): number {
    let no = this.#numbers.get(text);
    if (no === undefined) {
      no = this.#free.pop() ?? this.#texts.length;
      const own = detachedText(text);
      this.#texts[no] = own;
      this.#numbers.set(own, no);
      this.#uses = withPlace(this.#uses, no);
    }
    this.#uses[no]!++;
    return no;
  }

  /** Drops a reference; players come and go, and unused texts are removed. */
  giveBack(no: number): void {
    if (no === NO_TEXT || --this.#uses[no]! > 0) return;
    this.#numbers.delete(this.#texts[no]!);
    this.#texts[no] = null;
    this.#free.push(no);
  }
}

/** A text, or null, for each slot. */
export class TextColumn<Text extends string> {
  readonly #pool: TextPool;
  #numbers: Uint32Array<ArrayBuffer>;

  constructor(pool: TextPool, capacity: number) {
    this.#pool = pool;
    this.#numbers = new Uint32Array(capacity);
  }

  at(slot: number): Text | null {
    return this.#pool.text(this.#numbers[slot]!) as Text | null;
  }

  same(a: number, b: number): boolean {
    return this.#numbers[a] === this.#numbers[b];
  }

  set(slot: number, text: Text | null): void {
    const before = this.#numbers[slot]!;
    this.#numbers[slot] = text === null ? NO_TEXT : this.#pool.take(text);
    this.#pool.giveBack(before);
  }

  grow(capacity: number): void {
    this.#numbers = grown(this.#numbers, capacity);
  }
}
