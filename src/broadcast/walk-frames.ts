// A sequence of frames too long to be listed: it stores where each of its chunks begins, and looks the contents of a
// chunk up when it is requested. So a client that stops reading in the middle of a hundred thousand changes takes the
// memory of one chunk.

import type { Section } from './catch-up-sections.js';
import type { ChangeFrames, FramePositions } from './change-frames.js';
import { type FrameParts, type Piece, writePiece } from './frame-pieces.js';
import { type Chunk, FrameWriter } from './frame-writer.js';

const writer = new FrameWriter();

/** Null if there is nothing to send. */
export function walkFrames(
  parts: FrameParts,
  sections: readonly Section[],
  upTo: number,
  positions: FramePositions,
): ChangeFrames | null {
  const changeFrames = new WalkFrames(parts, sections, upTo, positions);
  return changeFrames.chunks === 0 ? null : changeFrames;
}

class WalkFrames implements ChangeFrames {
  readonly upTo: number;
  readonly #parts: FrameParts;
  readonly #sections: readonly Section[];
  readonly #positions: FramePositions;
  /** The place at which each known chunk begins. */
  readonly #places: number[] = [];
  /** For each known section, its first chunk. */
  readonly #firsts: { section: number; chunk: number }[] = [];
  /** The pieces of the newest known chunk. */
  #newest: readonly Piece[] = [];
  /** Where the search for the next chunk begins; null if there is none. */
  #next: { section: number; place: number } | null;

  constructor(parts: FrameParts, sections: readonly Section[], upTo: number, positions: FramePositions) {
    this.#parts = parts;
    this.#sections = sections;
    this.upTo = upTo;
    this.#positions = positions;
    this.#next = this.#begin(0);
    this.#look();
  }

  get chunks(): number {
    return this.#places.length;
  }

  lost(index: number): boolean {
    const { section: current } = this.#sectionOf(index);
    for (let i = current; i < this.#sections.length; i++) {
      const section = this.#sections[i]!;
      if (section.lost(i === current ? this.#places[index]! : section.from)) return true;
    }
    return false;
  }

  chunk(index: number): Chunk & { rows: number } {
    let pieces = this.#newest;
    if (index < this.#places.length - 1) pieces = this.#again(index);
    // Only the very last event of the sequence says that it is the last: whether any follows must be known now.
    else this.#look();
    const last = index === this.#places.length - 1;
    writer.reset();
    for (const [i, piece] of pieces.entries()) {
      const ends = last && i === pieces.length - 1;
      writePiece(writer, this.#parts, piece, this.upTo, ends ? this.#positions.last : this.#positions.between);
    }
    const { bytes, frames } = writer.chunk();
    return { bytes, frames, rows: 0 };
  }

  /** Finds the next chunk. */
  #look(): void {
    while (this.#next !== null) {
      const { section, place } = this.#next;
      const { pieces, next } = this.#sections[section]!.take(place, null);
      this.#next = next === null ? this.#begin(section + 1) : { section, place: next };
      if (pieces.length === 0) continue;
      if (this.#firsts.at(-1)?.section !== section) this.#firsts.push({ section, chunk: this.#places.length });
      this.#places.push(place);
      this.#newest = pieces;
      return;
    }
  }

  #begin(section: number): { section: number; place: number } | null {
    return section < this.#sections.length ? { section, place: this.#sections[section]!.from } : null;
  }

  /** For a later client: the present contents, possibly none of the earlier ones. */
  #again(index: number): readonly Piece[] {
    const { section } = this.#sectionOf(index);
    const sameSection = this.#sectionOf(index + 1).section === section;
    const from = this.#sections[section]!;
    const { pieces } = from.take(
      this.#places[index]!,
      sameSection ? this.#places[index + 1]! : Number.POSITIVE_INFINITY,
    );
    return pieces.length === 0 ? [from.nothing] : pieces;
  }

  #sectionOf(index: number): { section: number; chunk: number } {
    let at = this.#firsts.length - 1;
    while (at > 0 && this.#firsts[at]!.chunk > index) at--;
    return this.#firsts[at]!;
  }
}
