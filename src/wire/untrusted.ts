// Checks MessagePack bytes from a client before they are decoded. A decoder allocates each array at its declared
// length, so a few kilobytes of nested array headers would cost gigabytes; this costs only the walk.
import { LIMITS } from '../model/limits.js';

/** Maximum nesting depth of client data. */
const DEPTH_MAX = LIMITS.messagePackDepth.max;

/** Throws RangeError unless the bytes are exactly one MessagePack item without extensions, at most 32 levels deep. */
export function checkMessagePack(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Items still to be read at each level, innermost last.
  const open: number[] = [1];
  let at = 0;
  while (open.length > 0) {
    const top = open.length - 1;
    if (open[top] === 0) {
      open.pop();
      continue;
    }
    open[top]!--;
    if (at >= bytes.length) throw new RangeError('the MessagePack item is cut off');
    const { size, items } = readHead(view, at);
    at += size;
    if (at > bytes.length || items > bytes.length - at) throw new RangeError('the MessagePack item is cut off');
    if (items > 0) {
      if (open.length > DEPTH_MAX) throw new RangeError('the MessagePack item is nested too deeply');
      open.push(items);
    }
  }
  if (at !== bytes.length) throw new RangeError('bytes follow the MessagePack item');
}

interface Head {
  /** Bytes of the header, and of the value itself if it is no container. */
  size: number;
  /** Items of a container (a map has two per entry). */
  items: number;
}

function readHead(view: DataView, at: number): Head {
  const tag = view.getUint8(at);
  if (tag < 0x80 || tag >= 0xe0) return leaf(1);
  if (tag < 0x90) return { size: 1, items: 2 * (tag & 0x0f) };
  if (tag < 0xa0) return { size: 1, items: tag & 0x0f };
  if (tag < 0xc0) return leaf(1 + (tag & 0x1f));
  const size = FIXED_SIZE[tag];
  if (size !== undefined) return leaf(size);
  const width = LENGTH_WIDTH[tag];
  if (width === undefined) throw new RangeError('MessagePack extensions are not taken');
  if (at + 1 + width > view.byteLength) throw new RangeError('the MessagePack item is cut off');
  const length = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (tag === 0xdc || tag === 0xdd) return { size: 1 + width, items: length };
  if (tag === 0xde || tag === 0xdf) return { size: 1 + width, items: 2 * length };
  return leaf(1 + width + length);
}

function leaf(size: number): Head {
  return { size, items: 0 };
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
