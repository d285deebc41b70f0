// Untrusted JSON, counted before it is parsed: parsing is linear in bytes, but a few bytes can cost a thousand times as
// many of memory, and every new name of a member makes the engine describe its objects anew.

import { type ValueBounds, ValueCount } from './value-count.js';

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
