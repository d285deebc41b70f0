// Checks MessagePack bytes from a client before they are decoded. A decoder allocates each array at its declared
// length, so a few kilobytes of nested array headers would cost gigabytes; this costs only the walk.

import { randomInt } from 'node:crypto';
import { LIMITS } from '../model/limits.js';

/** Throws RangeError unless the bytes are exactly one MessagePack item within the bounds, without extensions. */
export function checkMessagePack(bytes: Uint8Array, bounds: ValueBounds): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = new ValueCount(bounds);
  // Items still to be read at each level, innermost last; and whether they are the names and values of a map.
  const open: number[] = [1];
  const maps: boolean[] = [false];
  let at = 0;
  while (open.length > 0) {
    const top = open.length - 1;
    if (open[top] === 0) {
      open.pop();
      maps.pop();
      continue;
    }
    const isName = maps[top]! && open[top]! % 2 === 0;
    open[top]!--;
    if (at >= bytes.length) throw new RangeError(CUT_OFF);
    const { size, items, isMap } = readHead(view, at);
    if (at + size > bytes.length || items > bytes.length - at - size) throw new RangeError(CUT_OFF);
    if (isName) {
      if (items > 0) throw new RangeError('has a name that is no text');
      count.name(bytes, at, at + size);
    } else count.add(1);
    at += size;
    if (items > 0) {
      count.level(open.length);
      open.push(items);
      maps.push(isMap);
    }
  }
  if (at !== bytes.length) throw new RangeError('goes on after its item');
}

const CUT_OFF = 'is cut off';

interface Head {
  /** Bytes of the header, and of the value itself if it is no container. */
  size: number;
  /** Items of a container (a map has two per entry). */
  items: number;
  isMap: boolean;
}

function readHead(view: DataView, at: number): Head {
  const tag = view.getUint8(at);
  if (tag < 0x80 || tag >= 0xe0) return leaf(1);
  if (tag < 0x90) return { size: 1, items: 2 * (tag & 0x0f), isMap: true };
  if (tag < 0xa0) return { size: 1, items: tag & 0x0f, isMap: false };
  if (tag < 0xc0) return leaf(1 + (tag & 0x1f));
  const size = FIXED_SIZE[tag];
  if (size !== undefined) return leaf(size);
  const width = LENGTH_WIDTH[tag];
  if (width === undefined) throw new RangeError('has extensions, which are not accepted');
  if (at + 1 + width > view.byteLength) throw new RangeError(CUT_OFF);
  const length = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (tag === 0xdc || tag === 0xdd) return { size: 1 + width, items: length, isMap: false };
  if (tag === 0xde || tag === 0xdf) return { size: 1 + width, items: 2 * length, isMap: true };
  return leaf(1 + width + length);
}

function leaf(size: number): Head {
  return { size, items: 0, isMap: false };
}

/** nil, false, true, float 32/64, uint 8-64, int 8-64: tag and value. */
const FIXED_SIZE: Record<number, number> = {
  192: 1,
  194: 1,
  195: 1,
  202: 5,
  203: 9,
  204: 2,
  205: 3,
  206: 5,
  207: 9,
  208: 2,
  209: 3,
  210: 5,
  211: 9,
};

/** bin 8/16/32, str 8/16/32, array 16/32, map 16/32: bytes of the length after the tag. */
const LENGTH_WIDTH: Record<number, number> = {
  196: 1,
  197: 2,
  198: 4,
  217: 1,
  218: 2,
  219: 4,
  220: 2,
  221: 4,
  222: 2,
  223: 4,
};

// How many values, levels and different names a message from outside may have: what its bytes alone do not bound.

export interface ValueBounds {
  values: number;
  /** Different names of members. */
  names: number;
}

/** Of all bodies and messages except those of ingest. */
export const REQUEST_BOUNDS: ValueBounds = { values: LIMITS.bodyValues.max, names: LIMITS.bodyNames.max };

/**
 * Of an ingest body: its values take more bytes than these, as each has a name.
 * @param valueBytes that a value takes at least, on average
 */
export function ingestBounds(bytes: number, valueBytes: number): ValueBounds {
  return { values: Math.max(REQUEST_BOUNDS.values, Math.floor(bytes / valueBytes)), names: LIMITS.ingestNames.max };
}

const DEPTH_MAX = LIMITS.bodyDepth.max;
const RECENT = 1024;

// As FNV-1a, with constants chosen anew by each process, so that nobody can prepare names that count as one.
const SEED = randomInt(2 ** 32) | 0;
const MULTIPLIER = randomInt(2 ** 31) * 2 + 1;

/** Each method throws RangeError past its bound. */
export class ValueCount {
  readonly #bounds: ValueBounds;
  readonly #names = new Set<number>();
  /** The last name of each slot: most members have the same few names. */
  readonly #recent = new Int32Array(RECENT);
  #values = 0;

  constructor(bounds: ValueBounds) {
    this.#bounds = bounds;
  }

  add(values: number): void {
    this.#values += values;
    if (this.#values > this.#bounds.values) throw new RangeError(`has more than ${this.#bounds.values} values`);
  }

  level(depth: number): void {
    if (depth > DEPTH_MAX) throw new RangeError(`is nested more than ${DEPTH_MAX} levels deep`);
  }

  /** A member's name is these bytes. */
  name(bytes: Uint8Array, from: number, to: number): void {
    let hash = SEED;
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i]!, MULTIPLIER);
    const slot = hash & (RECENT - 1);
    if (this.#recent[slot] === hash) return;
    this.#recent[slot] = hash;
    this.#names.add(hash);
    if (this.#names.size > this.#bounds.names)
      throw new RangeError(`has more than ${this.#bounds.names} different names of members`);
  }
}

// Untrusted JSON, counted before it is parsed: parsing is linear in bytes, but a few bytes can cost a thousand times as
// many of memory, and every new name of a member makes the engine describe its objects anew.

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The value. Throws RangeError with what is wrong: `is not JSON`, `has more than 20000 values` … */
export function parseJson(bytes: Uint8Array, bounds: ValueBounds): unknown {
  countJson(bytes, new ValueCount(bounds));
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new RangeError('is not UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('is not JSON');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Kinds of bytes outside texts. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === QUOTE) return 1;
  if (byte === COMMA) return 2;
  if (byte === COLON) return 3;
  if (OPENING.has(byte)) return 4;
  return CLOSING.has(byte) ? 5 : 0;
});

/**
 * Adds the values and names of one JSON text; exact for valid JSON, except that an empty list or object counts as two.
 * Throws RangeError past a bound.
 */
export function countJson(bytes: Uint8Array, count: ValueCount): void {
  const { length } = bytes;
  let depth = 0;
  let values = 1;
  // The last text.
  let from = 0;
  let to = 0;
  for (let i = 0; i < length; i++) {
    switch (KINDS[bytes[i]!]) {
      case 1:
        from = ++i;
        for (; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
        to = i;
        break;
      case 2:
        values++;
        break;
      case 3:
        count.name(bytes, from, to);
        break;
      case 4:
        count.level(++depth);
        values++;
        break;
      case 5:
        depth--;
        break;
    }
  }
  count.add(values);
}
