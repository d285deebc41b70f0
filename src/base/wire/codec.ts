// The one MessagePack codec of the program: plain maps with string keys, no records, no extensions, so that any
// MessagePack reader understands what we store and send. Only this file imports msgpackr.

import { type Options, Packr, RESET_BUFFER_MODE, Unpackr } from 'msgpackr';
import type { Transient } from '../memory/transient.js';
import { checkMessagePack, type ValueBounds } from './untrusted.js';

// variableMapSize is smaller and also twice as fast as msgpackr's default of map16 for plain objects. skipValues exists
// in msgpackr but not in its types.
const OPTIONS: Options & { skipValues: unknown[] } = {
  useRecords: false,
  mapsAsObjects: true,
  variableMapSize: true,
  moreTypes: false,
  skipValues: [undefined],
  encodeUndefinedAsNil: true,
  int64AsType: 'number',
};

const packr = new Packr(OPTIONS);
const unpackr = new Unpackr(OPTIONS);

/**
 * A JSON-like value (null, booleans, numbers, strings, Buffers, arrays, plain objects) as MessagePack. As in JSON, a
 * property that is undefined is left out, and undefined in an array is nil. The Buffer may share its ArrayBuffer with
 * others: encodeOwn() for what is transferred to another thread.
 */
export function encode(value: unknown): Buffer {
  return Buffer.from(encodePassing(value));
}

/**
 * As encode, for a result that is copied at once. Everything is written into one reusable buffer: by default the
 * encoder allocates one buffer after another as large as the largest message so far, and memory outside the heap is the
 * most frequent cause of major GCs.
 */
export function encodePassing(value: unknown): Transient {
  return packr.pack(value, RESET_BUFFER_MODE) as Transient;
}

/** As encode, in an ArrayBuffer of its own: may be transferred to another thread. */
export function encodeOwn(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodePassing(value));
}

/** A new buffer has room for a slightly larger value; a buffer far too large is not reused. */
const ROOM = 2;
const FAR_SMALLER = 32;
const PAIR_HEADER_BYTES = 4;
const NOTHING = new Uint8Array(0);

/** A view of this many bytes of `memory` if they fit, else of new memory. */
function roomFor(memory: ArrayBuffer | null, length: number): Uint8Array<ArrayBuffer> {
  const fits = memory !== null && length <= memory.byteLength && length * FAR_SMALLER >= memory.byteLength;
  return new Uint8Array(fits ? memory : new ArrayBuffer(length * ROOM), 0, length);
}

/**
 * Bytes and an item one after the other, to be read with decodePair; the first may be none. In an ArrayBuffer
 * of their own as with encodeOwn: `memory` if they fit, else a new one that also fits the next pair.
 */
export function encodePairInto(
  memory: ArrayBuffer | null,
  first: Uint8Array | null,
  second: unknown,
): Uint8Array<ArrayBuffer> {
  const tail = encode(second);
  const head = first ?? NOTHING;
  const from = PAIR_HEADER_BYTES + head.length;
  const own = roomFor(memory, from + tail.length);
  new DataView(own.buffer).setUint32(0, head.length);
  own.set(head, PAIR_HEADER_BYTES);
  own.set(tail, from);
  return own;
}

/** The bytes, possibly none, and the item. */
export function decodePair(pair: Uint8Array): { first: Uint8Array; second: unknown } {
  const head = new DataView(pair.buffer, pair.byteOffset).getUint32(0);
  const from = PAIR_HEADER_BYTES + head;
  return { first: pair.subarray(PAIR_HEADER_BYTES, from), second: decode(pair.subarray(from)) };
}

/** The value of exactly one MessagePack item that this program wrote; throws on truncated or trailing bytes. */
export function decode(bytes: Uint8Array): unknown {
  return unpackr.unpack(bytes);
}

/** As decode, for bytes from a client: throws RangeError past the bounds, on extensions and lengths beyond the bytes. */
export function decodeUntrusted(bytes: Uint8Array, bounds: ValueBounds): unknown {
  checkMessagePack(bytes, bounds);
  return unpackr.unpack(bytes);
}
