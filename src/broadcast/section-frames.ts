// Sequences of frames for changes, for active items, and for changes since a snapshot. Each is made of sections, of which
// it stores where its chunks begin; the contents of a chunk are looked up when it is requested. What is short is one
// section, which lists it; what is long is looked up in the tables, so that a client that stops reading in the middle of a
// hundred thousand changes takes the memory of one chunk.

import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { OddsTable } from '../tables/table.js';
import { listedSection, newsSections, oddsSections, type Section } from './catch-up-sections.js';
import type { ChangeFrames, FramePositions } from './change-frames.js';
import type { Changes } from './changes.js';
import type { FramePosition } from './frame-encoder.js';
import {
  type FrameParts,
  leftPieces,
  newsPieces,
  type Piece,
  removedPieces,
  rowPieces,
  writePiece,
} from './frame-pieces.js';
import { type Chunk, FrameWriter } from './frame-writer.js';
import { countOf, type NewsSource, NO_NEWS, NO_NEWS_SOURCE } from './news.js';

const WITHIN_SNAPSHOT: FramePosition = { complete: null, before: 0, replay: false };

const writer = new FrameWriter();

class SectionFrames implements ChangeFrames {
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

/**
 * The changes for a filter: removals, whole rows, price deltas, suspended rows (book by book), other items. Null if
 * there are none.
 */
export function changesAsFrames(
  parts: FrameParts,
  filter: StreamFilter,
  changes: Changes | null,
  news: NewsSource,
  range: { before: number; upTo: number; replay: boolean },
): ChangeFrames | null {
  const { before, upTo, replay } = range;
  const between = { complete: null, before, replay };
  return framesOf(parts, filter, { changes, news, upTo }, { between, last: { ...between, complete: upTo } });
}

/** The changes since a snapshot that others joined before: a part of it, so nothing in it is complete. */
export function snapshotSuffix(parts: FrameParts, filter: StreamFilter, changes: Changes): ChangeFrames | null {
  const positions = { between: WITHIN_SNAPSHOT, last: WITHIN_SNAPSHOT };
  return framesOf(parts, filter, { changes, news: NO_NEWS_SOURCE, upTo: changes.upTo }, positions);
}

/** The active items other than odds for a joining client, before `snapshot:complete`; null if there are none. */
export function activeAsFrames(parts: FrameParts, source: NewsSource, upTo: number): ChangeFrames | null {
  const positions = { between: WITHIN_SNAPSHOT, last: WITHIN_SNAPSHOT };
  const news = source.all();
  const isLong = countOf(news) > parts.sizes.listed.ids;
  const sections = isLong
    ? newsSections(parts, source.walks(), true)
    : [listedSection(parts, newsPieces(parts, news, true))];
  return sectionFrames(parts, sections, upTo, positions);
}

function framesOf(
  parts: FrameParts,
  filter: StreamFilter,
  { changes, news: source, upTo }: { changes: Changes | null; news: NewsSource; upTo: number },
  positions: FramePositions,
): ChangeFrames | null {
  const { table, sizes } = parts;
  const { listed } = sizes;
  const removed = changes?.removed.filter((gone) => filter.hasTombstone(gone)) ?? [];
  const { event } = table.columns;
  const rows =
    changes?.rows.filter((slot) => filter.hasRow(slot) && filter.hasEvent(table.events.at(event[slot]!))) ?? [];
  const left = changes !== null && filter.canChange ? rowsThatLeft(table, filter, changes) : [];
  const news = source.all();
  if (rows.length > listed.rows || removed.length + left.length + countOf(news) > listed.ids) {
    const sections: Section[] = changes === null ? [] : oddsSections(parts, filter, changes, { rows, left });
    return sectionFrames(parts, [...sections, ...newsSections(parts, source.walks(), false)], upTo, positions);
  }
  const pieces: Piece[] = [];
  if (removed.length > 0) pieces.push(...removedPieces(parts, removed));
  if (left.length > 0) pieces.push(...leftPieces(parts, left));
  if (rows.length > 0) pieces.push(...rowPieces(parts, filter, rows, changes!.after));
  if (news !== NO_NEWS) pieces.push(...newsPieces(parts, news, false));
  return pieces.length === 0 ? null : sectionFrames(parts, [listedSection(parts, pieces)], upTo, positions);
}

/** Null if there is nothing to send. */
function sectionFrames(
  parts: FrameParts,
  sections: readonly Section[],
  upTo: number,
  positions: FramePositions,
): ChangeFrames | null {
  const changeFrames = new SectionFrames(parts, sections, upTo, positions);
  return changeFrames.chunks === 0 ? null : changeFrames;
}

/** Changed rows outside of the filter that the reader may have. */
function rowsThatLeft(table: OddsTable, filter: StreamFilter, { rows, createdUpTo }: Changes): number[] {
  const { event, createdPosition } = table.columns;
  return rows.filter(
    (slot) =>
      createdPosition[slot]! <= createdUpTo &&
      filter.mayHaveLeft(slot) &&
      filter.hasEvent(table.events.at(event[slot]!)),
  );
}
