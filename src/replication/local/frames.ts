// The frames on the local socket between the engine and its fronts: length, kind, bytes.
import { LIMITS } from '../../base/model/limits.js';

export const FRAME = {
  hello: 1,
  message: 2,
  beat: 3,
  request: 4,
  answer: 5,
  /** From a front: the log is to be sent from now on. Without it a client only sends requests. */
  follow: 6,
  /** The control store has changed: its followers read on. */
  control: 7,
  /** A heartbeat of a process, for all others. */
  peer: 8,
} as const;

/** [u32 bytes after it][u8 kind] */
const HEAD_BYTES = 5;
/** For a request or an answer, before its bytes: [u32 number] */
const NUMBER_BYTES = 4;
/** Larger than any batch or answer; a frame that claims to be larger is not one of ours. */
const FRAME_BYTES_MAX = LIMITS.frame.max;

/** In memory of its own: it may be written to several sockets. */
export function frameOf(kind: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bytes.length);
  frame.writeUInt32LE(1 + bytes.length, 0);
  frame[4] = kind;
  frame.set(bytes, HEAD_BYTES);
  return frame;
}

export function numberedFrameOf(kind: number, no: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + NUMBER_BYTES + bytes.length);
  frame.writeUInt32LE(1 + NUMBER_BYTES + bytes.length, 0);
  frame[4] = kind;
  frame.writeUInt32LE(no, HEAD_BYTES);
  frame.set(bytes, HEAD_BYTES + NUMBER_BYTES);
  return frame;
}

export function readNumbered(bytes: Buffer): { no: number; bytes: Buffer } {
  return { no: bytes.readUInt32LE(0), bytes: bytes.subarray(NUMBER_BYTES) };
}

/** Splits a socket's data into frames. */
export class FrameReader {
  readonly #frame: (kind: number, bytes: Buffer) => void;
  /** The current frame, as far as it has arrived. */
  #parts: Buffer[] = [];
  #have = 0;
  #need = HEAD_BYTES;

  /** @param frame its bytes are valid only during the call */
  constructor(frame: (kind: number, bytes: Buffer) => void) {
    this.#frame = frame;
  }

  /** Throws if it is not a frame. */
  push(chunk: Buffer): void {
    let rest = chunk;
    if (this.#have > 0) {
      if (this.#have + rest.length < this.#need) {
        this.#keep(rest);
        return;
      }
      // A frame that arrives in many pieces is joined twice: when its length is known and when it is complete.
      rest = Buffer.concat([...this.#parts, rest]);
      this.#parts = [];
      this.#have = 0;
    }
    let at = 0;
    for (;;) {
      const left = rest.length - at;
      this.#need = left < HEAD_BYTES ? HEAD_BYTES : 4 + lengthAt(rest, at);
      if (left < this.#need) break;
      this.#frame(rest[at + 4]!, rest.subarray(at + HEAD_BYTES, at + this.#need));
      at += this.#need;
    }
    if (at < rest.length) this.#keep(rest.subarray(at));
  }

  #keep(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#have += bytes.length;
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32LE(at);
  if (length < 1 || length > FRAME_BYTES_MAX) throw new Error(`a frame of ${length} bytes`);
  return length;
}
