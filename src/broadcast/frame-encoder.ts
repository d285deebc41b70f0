// How a transport clothes the stream's events. The events are the same everywhere; SSE and WebSocket name and wrap
// their parts differently.
import type { OpportunityKind } from '../model/opportunity.js';
import type { FrameWriter } from './frame-writer.js';
import type { RowWriter } from './row-writer.js';

/** Where a frame stands: the position the client's state is complete up to once it has applied it. */
export interface Standing {
  /** Null while it is not complete: within a snapshot, and in all but the last frame of a sequence of changes. */
  complete: number | null;
  /** The position it was complete up to before this sequence of frames; 0 within a snapshot. */
  before: number;
  /** True in what a WebSocket client missed and asked for. */
  replay: boolean;
}

export interface SnapshotPart {
  slots: readonly number[];
  /** Null where the part has rows of several books. */
  book: string | null;
  total: number;
  offset: number;
  hasMore: boolean;
}

export interface Completion {
  books: readonly string[];
  rows: number;
  resumed: boolean;
}

export interface FrameEncoder {
  /** Part of groups' keys. */
  readonly name: string;
  /** True where every snapshot frame holds rows of one book. */
  readonly byBook: boolean;
  /** True where a joining client gets one frame for each kind of opportunity, even an empty one. */
  readonly tellsEmptyKinds: boolean;
  /** True where a resumed client, too, is told when it is complete. */
  readonly completesResume: boolean;
  snapshot(writer: FrameWriter, rows: RowWriter, part: SnapshotPart): void;
  complete(writer: FrameWriter, completion: Completion, position: number): void;
  snapshotRequired(writer: FrameWriter, reason: string): void;
  removed(writer: FrameWriter, ids: readonly string[], book: string, standing: Standing): void;
  added(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, standing: Standing): void;
  updated(
    writer: FrameWriter,
    rows: RowWriter,
    slots: readonly number[],
    book: string,
    partial: boolean,
    standing: Standing,
  ): void;
  /** Rows that are suspended, beside the `updated` or `added` that tells of it. */
  locked(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, standing: Standing): void;
  /** Alive when the client joined (`initial`), or news. Items are JSON texts. */
  detected(
    writer: FrameWriter,
    kind: OpportunityKind,
    items: readonly string[],
    initial: boolean,
    standing: Standing,
  ): void;
  expired(
    writer: FrameWriter,
    kind: OpportunityKind,
    ids: readonly string[],
    timestamp: string,
    standing: Standing,
  ): void;
  gameStates(writer: FrameWriter, items: readonly string[], standing: Standing): void;
  /** `position` where the client's state is complete up to it and it has not been told so. */
  heartbeat(writer: FrameWriter, timestamp: string, position: number | null): void;
}
