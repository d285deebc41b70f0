// The wire format of the cluster's log: a header of fixed length, and a message's bytes or a part of them. A message
// larger than the servers accept is sent in parts; the last one commits it.

export const FRAME_KIND = {
  /** A writer begins: later messages of earlier terms are ignored. */
  term: 1,
  /** What a position changed: the delta of a shard or changes of the control store, encoded; empty if nothing did. */
  entry: 3,
} as const;

export type FrameKind = (typeof FRAME_KIND)[keyof typeof FRAME_KIND];

export interface FrameHead {
  kind: FrameKind;
  shard: number;
  /** The writer's term, incremented with every change of writer. */
  term: number;
  /** Incremented with every frame of a term. */
  counter: number;
  position: number;
  part: number;
  parts: number;
}

export interface Frame extends FrameHead {
  body: Uint8Array;
}

/**
 * Those before are read as well, and what their entries changed must be stored already: their deltas are not complete,
 * and they had frames of two more kinds, which are passed over.
 */
export const LOG_VERSION = 3;
export const HEAD_BYTES = 32;

export function encodeFrame(head: FrameHead, body: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.length);
  frame.writeUInt8(LOG_VERSION, 0);
  frame.writeUInt8(head.kind, 1);
  frame.writeUInt16LE(head.shard, 2);
  frame.writeUInt32LE(head.counter, 4);
  frame.writeUInt32LE(head.part, 8);
  frame.writeUInt32LE(head.parts, 12);
  frame.writeDoubleLE(head.term, 16);
  frame.writeDoubleLE(head.position, 24);
  frame.set(body, HEAD_BYTES);
  return frame;
}

/** Its body is a view. Throws if it is not a frame of this version. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const frame = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (frame.length < HEAD_BYTES || frame[0]! > LOG_VERSION)
    throw new Error('the log has a message of another version of overround: all nodes must be of one that reads it');
  return {
    kind: frame[1] as FrameKind,
    shard: frame.readUInt16LE(2),
    counter: frame.readUInt32LE(4),
    part: frame.readUInt32LE(8),
    parts: frame.readUInt32LE(12),
    term: frame.readDoubleLE(16),
    position: frame.readDoubleLE(24),
    body: frame.subarray(HEAD_BYTES),
  };
}

/** Also of a frame of another version; NaN if it is none. */
export function termOf(bytes: Uint8Array): number {
  return bytes.length < HEAD_BYTES ? Number.NaN : new DataView(bytes.buffer, bytes.byteOffset).getFloat64(16, true);
}

/** The body in pieces of at most this many bytes; at least one piece. */
export function cut(body: Uint8Array, bytesMax: number): Uint8Array[] {
  if (body.length <= bytesMax) return [body];
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < body.length; from += bytesMax) pieces.push(body.subarray(from, from + bytesMax));
  return pieces;
}

/** Up to where the log was read: what follows is checked against it. */
export interface LogMark {
  term: number;
  /** Of the term's last valid frame. */
  counter: number;
}

/**
 * Which frames of the log are valid: those of the newest term, without a gap from its first on. A deposed writer may
 * still write a frame, and its successor one after a frame that was refused: both are ignored.
 */
export class Reading {
  #mark: LogMark;

  constructor(mark: LogMark) {
    this.#mark = mark;
  }

  get mark(): LogMark {
    return this.#mark;
  }

  counts({ term, counter }: FrameHead): boolean {
    const follows =
      term === this.#mark.term ? counter === this.#mark.counter + 1 : term > this.#mark.term && counter === 1;
    if (follows) this.#mark = { term, counter };
    return follows;
  }
}

/** Joins the valid frames to messages. */
export class Assembler {
  readonly #reading: Reading;
  #parts: Uint8Array[] = [];

  constructor(mark: LogMark) {
    this.#reading = new Reading(mark);
  }

  get mark(): LogMark {
    return this.#reading.mark;
  }

  /** The message this frame completes; null if it completes none. */
  take(frame: Frame): Frame | null {
    const { term } = this.mark;
    if (!this.#reading.counts(frame)) return null;
    // A writer that was killed in the middle of a message never sent it.
    if (frame.term !== term) this.#parts = [];
    if (frame.parts === 1) return frame;
    this.#parts.push(frame.body);
    if (frame.part + 1 < frame.parts) return null;
    const body = Buffer.concat(this.#parts);
    this.#parts = [];
    return { ...frame, body };
  }
}
