// Sequences of frames for changes, for active items, and for changes since a snapshot: listed if they are short.

import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { OddsTable } from '../tables/table.js';
import { newsSections, oddsSections, type Section } from './catch-up-sections.js';
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
import { walkFrames } from './walk-frames.js';

const WITHIN_SNAPSHOT: FramePosition = { complete: null, before: 0, replay: false };

const writer = new FrameWriter();

class PieceFrames implements ChangeFrames {
  readonly upTo: number;
  readonly #parts: FrameParts;
  readonly #pieces: readonly Piece[];
  readonly #firsts: number[] = [];
  readonly #positions: FramePositions;

  constructor(parts: FrameParts, pieces: readonly Piece[], upTo: number, positions: FramePositions) {
    this.#parts = parts;
    this.#pieces = pieces;
    this.upTo = upTo;
    this.#positions = positions;
    const { chunkBytes } = parts.sizes;
    let bytes = chunkBytes;
    for (const [i, piece] of pieces.entries()) {
      if (bytes + piece.bytes > chunkBytes) {
        this.#firsts.push(i);
        bytes = 0;
      }
      bytes += piece.bytes;
    }
  }

  get chunks(): number {
    return this.#firsts.length;
  }

  lost(): boolean {
    return false;
  }

  chunk(index: number): Chunk & { rows: number } {
    writer.reset();
    const end = this.#firsts[index + 1] ?? this.#pieces.length;
    const { between, last } = this.#positions;
    for (let i = this.#firsts[index]!; i < end; i++)
      writePiece(writer, this.#parts, this.#pieces[i]!, this.upTo, i === this.#pieces.length - 1 ? last : between);
    const { bytes, frames } = writer.chunk();
    return { bytes, frames, rows: 0 };
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
  if (countOf(news) > parts.sizes.listed.ids)
    return walkFrames(parts, newsSections(parts, source.walks(), true), upTo, positions);
  const pieces = newsPieces(parts, news, true);
  return pieces.length === 0 ? null : new PieceFrames(parts, pieces, upTo, positions);
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
    return walkFrames(parts, [...sections, ...newsSections(parts, source.walks(), false)], upTo, positions);
  }
  const pieces: Piece[] = [];
  if (removed.length > 0) pieces.push(...removedPieces(parts, removed));
  if (left.length > 0) pieces.push(...leftPieces(parts, left));
  if (rows.length > 0) pieces.push(...rowPieces(parts, filter, rows, changes!.after));
  if (news !== NO_NEWS) pieces.push(...newsPieces(parts, news, false));
  return pieces.length === 0 ? null : new PieceFrames(parts, pieces, upTo, positions);
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
