// What the stores have in common in the use of their LMDB tables.
import { decode } from '../wire/codec.js';

/** A value as MessagePack; undefined if there is none. */
export function decoded(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined ? undefined : decode(bytes);
}

/** The range of the keys `{first}|…`; `}` follows `|`. */
export function keysOf(first: string): { start: string; end: string } {
  return { start: `${first}|`, end: `${first}}` };
}

/**
 * Address space for a store's file. With less, LMDB maps the whole file again each time it grows past the last mapping,
 * and the pages that were read through earlier mappings count as memory of the process for ever.
 */
export const MAP_BYTES = 4 * 1024 * 1024 * 1024;

interface TableStats {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
}

/** Bytes of the pages that contain data: free space within the file is reused before the file grows. */
export function bytesOf(table: { getStats(): object }): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = table.getStats() as TableStats;
  return (treeBranchPageCount + treeLeafPageCount + overflowPages) * pageSize;
}
