// What the stores have in common in the use of their LMDB tables.
import { decode } from '../base/wire/codec.js';

/** A value as MessagePack; undefined if there is none. */
export function decoded<Value>(bytes: Uint8Array | undefined): Value | undefined {
  return bytes === undefined ? undefined : (decode(bytes) as Value);
}

/** LMDB refuses longer keys, also in a search: what a caller asks for may be longer than anything that is stored. */
const LONGEST_KEY = 1_900;

/** Whether anything could be stored by this text. */
export function couldBeKey(text: string): boolean {
  return text.length <= LONGEST_KEY && Buffer.byteLength(text) <= LONGEST_KEY;
}

/** The range of the keys `{first}|…`; `}` follows `|`. */
export function keysOf(first: string): { start: string; end: string } {
  return { start: `${first}|`, end: `${first}}` };
}

const TIMED_KEY_BYTES = 4 + 7;
const LOW_BITS = 2 ** 32;

/** The key of what a thing had at a time: its number (four bytes), then Unix µs (seven bytes), big-endian. */
export function timedKey(no: number, us: number): Buffer {
  const key = Buffer.allocUnsafe(TIMED_KEY_BYTES);
  key.writeUInt32BE(no, 0);
  const high = Math.floor(us / LOW_BITS);
  key.writeUIntBE(high, 4, 3);
  key.writeUInt32BE(us - high * LOW_BITS, 7);
  return key;
}

export function timeOf(key: Buffer): number {
  return key.readUIntBE(4, 3) * LOW_BITS + key.readUInt32BE(7);
}

export interface TableStats {
  pageSize: number;
  treeDepth: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Bytes of the pages that contain data: free space within the file is reused before the file grows. */
export function bytesOf(table: { getStats(): object }): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as TableStats;
  return (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize;
}
