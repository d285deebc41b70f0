// How a transport encodes the stream's events. The events are the same everywhere; SSE and WebSocket name and wrap
// their parts differently.

import type { OpportunityKind } from '../base/model/opportunity.js';
import type { KeyedName } from '../base/model/stream-channels.js';
import type { Chunk, FrameWriter, RowWriter } from './frame-writer.js';

/** Where a frame leads: the client's state is complete up to there once it has applied the frame. */
export interface FramePosition {
  /** Null while it is not complete: within a snapshot, and in all but the last frame of a sequence of changes. */
  complete: number | null;
  /** The position up to which it was complete before this sequence; 0 within a snapshot. */
  before: number;
  /** True in changes that a WebSocket client missed and requested. */
  replay: boolean;
}

export interface SnapshotPart {
  slots: readonly number[];
  /** Null if the part has rows of several books. */
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
  /** Null if what is sent is not compressed; else from how many clients of a group on ticks are compressed. */
  readonly packing: { readonly fromClients: number } | null;
  /** True if every snapshot frame has rows of one book. */
  readonly byBook: boolean;
  /** True if a joining client gets one frame for each kind of opportunity, even an empty one. */
  readonly sendsEmptyKinds: boolean;
  /** True if a resumed client, too, is notified when it is complete. */
  readonly completesResume: boolean;
  snapshot(writer: FrameWriter, rows: RowWriter, part: SnapshotPart): void;
  complete(writer: FrameWriter, completion: Completion, position: number): void;
  snapshotRequired(writer: FrameWriter, reason: string): void;
  removed(writer: FrameWriter, ids: readonly string[], book: string, at: FramePosition): void;
  added(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, at: FramePosition): void;
  updated(
    writer: FrameWriter,
    rows: RowWriter,
    slots: readonly number[],
    book: string,
    partial: boolean,
    at: FramePosition,
  ): void;
  /** Rows that are suspended, in addition to the `updated` or `added` with the change. */
  locked(writer: FrameWriter, rows: RowWriter, slots: readonly number[], book: string, at: FramePosition): void;
  /** Active when the client joined (`initial`), or new. Items are JSON texts. */
  detected(
    writer: FrameWriter,
    kind: OpportunityKind,
    items: readonly string[],
    initial: boolean,
    at: FramePosition,
  ): void;
  expired(
    writer: FrameWriter,
    kind: OpportunityKind,
    ids: readonly string[],
    timestamp: string,
    at: FramePosition,
  ): void;
  /** Items of a keyed channel, as JSON texts; `initial`: those that are current when the client joins. */
  items(writer: FrameWriter, name: KeyedName, items: readonly string[], initial: boolean, at: FramePosition): void;
  /** Ids of those that are current no more, where their channel has an event for it. */
  gone(writer: FrameWriter, name: KeyedName, ids: readonly string[], at: FramePosition): void;
  /** `position` if the client's state is complete up to it and it has not been notified of that. */
  heartbeat(writer: FrameWriter, timestamp: string, position: number | null): void;
}

// The transport's side of a stream: a socket that accepts chunks, and lists of sockets of one kind.

/** Sockets of one transport side by side: numbered from 0 without gaps. */
export interface SocketList {
  /** Called with the index of a socket that was filled by something not sent to the whole list. */
  onFull: (index: number) => void;
  /** Called when a socket was sent something of its own, which compressed streams continue differently after. */
  onOwn: () => void;
  /** It gets the next index. */
  add(sink: Sink): void;
  swap(one: number, other: number): void;
  /** The last one leaves. */
  pop(): void;
  /** The next chunk for every socket; `last` if nothing follows for now. */
  load(chunk: Chunk, last: boolean): void;
  /** Writes the chunk to one socket; false if it did not accept all of it and is full now. */
  send(index: number): boolean;
}

/** Why the server ends a stream. */
export type EndCode = 'backpressure' | 'trial_expired' | 'unauthorized';

/** The transport's side. */
export interface Sink {
  /** True while the socket has unsent data; nothing is written then. */
  readonly full: boolean;
  /** Within the socket's own callback: bytes that still leave in one write with what it was sent there. */
  readonly room?: number | undefined;
  /**
   * Hands bytes to the socket, which copies them.
   * @param last nothing follows for now; otherwise a client may be handed the end of them only with what follows, or
   *   with offer()
   */
  send(chunk: Chunk, last: boolean): void;
  /** Offers the pending data to the kernel again; true if it accepted some. Not within a socket's callback. */
  offer(): boolean;
  /** Sends a last error if the socket still accepts it, and closes. */
  fail(code: EndCode, message: string): void;
  /** An empty list for sockets of this kind. */
  list(): SocketList;
}
