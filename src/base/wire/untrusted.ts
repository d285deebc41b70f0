// Checks MessagePack bytes from a client before they are decoded. A decoder allocates each array at its declared
// length, so a few kilobytes of nested array headers would cost gigabytes; this costs only the walk.
import { type ValueBounds, ValueCount } from './value-count.js';

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
