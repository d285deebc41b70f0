// Joins encoded rows into one page. The times at its end have a fixed width and place, so that a cached page can be
// sent again by updating nothing but the time of sending.

import { SeenTexts } from '../base/memory/seen-texts.js';
import type { Transient } from '../base/memory/transient.js';
import { UTF8_BYTES_PER_UNIT } from '../base/model/json-text.js';
import { LIMITS } from '../base/model/limits.js';
import { formatMs, formatUs } from '../base/model/time.js';
import type { CursorPagination } from '../schema/envelope.js';
import type { Columns } from '../tables/columns.js';
import type { OddsTable } from '../tables/table.js';
import { STAMPS, tagOf, tagOfRows } from './etag.js';

/** `"updated_at":"…"}` inside meta and at the end: 24 characters each. */
const TAIL = `,"updated_at":"${'0'.repeat(24)}"},"updated_at":"${'0'.repeat(24)}"}`;
const END_FROM_END = 2 + 24;
const META_FROM_END = END_FROM_END + '},"updated_at":"'.length + 1 + 24;
/** `"server_time":"…"` before the tail, in the meta of answers that a delta may continue from: 30 characters. */
const WATERMARK = `,"server_time":"${'0'.repeat(30)}"`;
const WATERMARK_FROM_END = TAIL.length + 1 + 30;
export const HEAD = Buffer.from('{"success":true,"data":[');
export const COMMA = 0x2c;

export const CACHE_CONTROL = 'private, no-cache';

/** A page of REST as bytes, which may be cached: sent again as it is, or refreshed in place. */
export class KeptPage {
  /** Overwritten by the next sending, and by refresh(). */
  bytes: Transient;
  /** Instant (Unix ms) at which the passing of time alone makes it invalid. */
  freshUntilMs = Number.POSITIVE_INFINITY;
  readonly contentType = 'application/json';
  readonly cacheControl = CACHE_CONTROL;
  readonly lasting = false;
  readonly #watermarked: boolean;
  #etag: string | undefined;
  #head: Buffer | undefined;
  /** The times in the bytes, and the bytes that contain them. */
  #stampedMs = Number.NaN;
  #stampedUs = Number.NaN;
  #stampedBytes: Buffer | undefined;

  /** `etag` if its inputs are cheaper to read than the bytes. */
  constructor(bytes: Buffer, watermarked = false, etag?: string) {
    this.bytes = bytes as Transient;
    this.#watermarked = watermarked;
    this.#etag = etag;
  }

  /** Depends on everything but the times of sending: equal for equal content, so it needs no tier or universe in it. */
  get etag(): string {
    this.#etag ??= this.makeTag();
    return this.#etag;
  }

  /** Content type, tag and Cache-Control, as one header's value followed by the other headers. */
  get head(): Buffer {
    this.#head ??= Buffer.from(`application/json\r\nCache-Control: ${CACHE_CONTROL}\r\nETag: ${this.etag}`);
    return this.#head;
  }

  get length(): number {
    return this.bytes.length;
  }

  /** Number of bytes at the end from the times of sending on. */
  get tail(): number {
    return TAIL.length + (this.#watermarked ? WATERMARK.length : 0);
  }

  /**
   * Refreshes the answer from the table it was made of; false if it must be made again. Its bytes stay where they are,
   * or move to `memory`.
   */
  refresh(_table: object, _memory: Allocator): boolean {
    return false;
  }

  protected makeTag(): string {
    return tagOf(this.bytes.subarray(0, this.bytes.length - this.tail));
  }

  protected forgetTag(): void {
    this.#etag = undefined;
    this.#head = undefined;
  }

  /** The bytes with both updated_at (and server_time, Unix µs) set. */
  stamped(nowMs: number, watermarkUs = 0): Transient {
    const { bytes } = this;
    const ms = Math.floor(nowMs);
    if (ms === this.#stampedMs && watermarkUs === this.#stampedUs && bytes === this.#stampedBytes) return bytes;
    this.#stampedMs = ms;
    this.#stampedUs = watermarkUs;
    this.#stampedBytes = bytes;
    const text = formatMs(nowMs);
    bytes.write(text, bytes.length - END_FROM_END, 'latin1');
    bytes.write(text, bytes.length - META_FROM_END, 'latin1');
    if (this.#watermarked) bytes.write(formatUs(watermarkUs), bytes.length - WATERMARK_FROM_END, 'latin1');
    return bytes;
  }
}

/** Allocates memory of that length for an answer's bytes; its contents are undefined. */
export type Allocator = (length: number) => Transient;

/** Memory of its own for every answer would be most of the cost of a page: allocating and collecting it. */
let passing = Buffer.allocUnsafeSlow(64 * 1024);
const PASSING_BYTES_MAX = LIMITS.reusableMemory.max;

/** For an answer that is sent at once and never cached: valid until the next such answer is made. */
export const passingMemory = (length: number): Transient => {
  if (length > PASSING_BYTES_MAX) return Buffer.allocUnsafe(length) as Transient;
  if (length > passing.length) passing = Buffer.allocUnsafeSlow(length * 2);
  return passing.subarray(0, length) as Transient;
};

const ownMemory: Allocator = (length) => Buffer.allocUnsafe(length) as Transient;

interface Suffix {
  pagination: object;
  meta: object;
  /** Additional keys at the top. */
  extra: object;
  /** True if meta gets a server_time, which is set at sending. */
  watermarked?: boolean;
}

/**
 * `{"success":true,"data":[rows],"pagination":…,"meta":{…,"updated_at":…},"updated_at":…}`.
 * @param suffix everything after the rows, from their closing bracket on
 * @param suffixTag for a suffix with a server_time: different for each suffix that the same rows could have
 */
export function pageOfRows(
  table: OddsTable,
  slots: readonly number[],
  suffix: string,
  memory: Allocator = ownMemory,
  suffixTag?: string,
): KeptPage {
  const { json: rows } = table;
  let length = HEAD.length + Math.max(0, slots.length - 1);
  for (let i = 0; i < slots.length; i++) length += rows.lengthMax(slots[i]!);
  // More than it takes: to count the bytes costs as much as to write them.
  const bytes = memory(length + suffix.length * UTF8_BYTES_PER_UNIT);
  bytes.set(HEAD, 0);
  let at = HEAD.length;
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) bytes[at++] = COMMA;
    at = rows.copyRow(slots[i]!, bytes, at);
  }
  at += bytes.write(suffix, at);
  return new KeptPage(
    bytes.subarray(0, at),
    suffixTag !== undefined,
    suffixTag === undefined ? undefined : tagOfSlots(table, slots, suffixTag),
  );
}

let stamps = new Float64Array(512);
const SHARDS_MAX = LIMITS.shards.max;

function tagOfSlots(table: OddsTable, slots: readonly number[], suffixTag: string): string {
  if (stamps.length < slots.length * STAMPS) stamps = new Float64Array(slots.length * STAMPS * 2);
  const { columns } = table;
  let event = -1;
  let shard = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    if (columns.event[slot] !== event) {
      event = columns.event[slot]!;
      ({ shard } = table.events.at(event));
    }
    stampRow(stamps, i, columns, slot, shard);
  }
  return tagOfRows(stamps, slots.length, suffixTag);
}

export function stampRow(into: Float64Array, row: number, columns: Columns, slot: number, shard: number): void {
  const at = row * STAMPS;
  // By shard and number a row is named the same in every process that follows the log; by its slot it is not.
  into[at] = columns.no[slot]! * SHARDS_MAX + shard;
  into[at + 1] = columns.updatedPosition[slot]!;
  into[at + 2] = columns.seenMs[slot]!;
}

/** The same envelope for items that are not whole rows. */
export function pageOfItems(
  items: readonly unknown[],
  pagination: object,
  meta: object,
  extra: object,
  watermarked = false,
): KeptPage {
  const suffix = suffixOf({ pagination, meta, extra, watermarked });
  return new KeptPage(Buffer.from(`{"success":true,"data":${JSON.stringify(items)}${suffix.slice(1)}`), watermarked);
}

/** One object instead of a list: no pagination. */
export function pageOfObject(data: unknown, meta: object): KeptPage {
  return new KeptPage(
    Buffer.from(`{"success":true,"data":${JSON.stringify(data)},"meta":${openObject(meta)}${fixComma(meta)}`),
  );
}

/** Everything after the rows, from their closing bracket on. */
export function suffixOf({ pagination, meta, extra, watermarked }: Suffix): string {
  const page = JSON.stringify(pagination);
  return footAround(keysOf(extra), page, openObject({ ...meta, pagination }), watermarked === true);
}

/**
 * The same from texts.
 * @param extra keys at the top, each followed by a comma
 * @param meta without its closing brace
 */
export function footAround(extra: string, pagination: string, meta: string, watermarked: boolean): string {
  return `],${extra}"pagination":${pagination},"meta":${meta}${watermarked ? WATERMARK : ''}${TAIL}`;
}

function keysOf(extra: object): string {
  return Object.entries(extra)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
    .join('');
}

/** JSON of the object without its closing brace. */
function openObject(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

/** After an empty object no comma may come before updated_at. */
function fixComma(meta: object): string {
  return Object.keys(meta).length === 0 ? TAIL.slice(1) : TAIL;
}

export function paginate(limit: number, offset: number, count: number, total: number): CursorPagination {
  const hasMore = offset + count < total && count > 0;
  return { limit, offset, count, total, has_more: hasMore, next_offset: hasMore ? offset + count : null };
}

// A cache of pages between two changes: the same request gets the same bytes until something it could show has changed.
// Bounded in bytes; the least recently used pages are evicted first.

const BYTES_MAX = LIMITS.cachedAnswers.max;
/** A large page is rarely requested twice between two changes, and would evict many small ones. */
const PAGE_BYTES_MAX = LIMITS.cachedAnswer.max;
/** About as many as there are cached pages; anything older was evicted. */
const REQUESTED_MAX = LIMITS.seenRequests.max;

interface Entry {
  page: KeptPage;
  version: number;
  /** Size of the memory that holds the page's bytes. */
  room: Buffer;
  /** Requested since it was cached, or since the last eviction pass. */
  used: boolean;
}

export class PageCache {
  readonly #requested = new SeenTexts(REQUESTED_MAX);
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** The cached page for the key if it is of this version. */
  get(key: string, version: number): KeptPage | undefined {
    const entry = this.#entries.get(key);
    if (entry?.version !== version) return undefined;
    entry.used = true;
    return entry.page;
  }

  set(key: string, version: number, page: KeptPage): void {
    this.#keep(key, { page, version, room: page.bytes, used: false });
  }

  /**
   * The cached page for the key if it is of this version or can be refreshed to it, else a new one: made in reusable
   * memory if the request was not seen before (most are never repeated), and if it was (`repeated`), in the memory of the
   * page it replaces. So the page is valid for sending at once, and no longer.
   * @param table the table that the page shows
   */
  page(
    key: string,
    version: number,
    table: object,
    make: (memory: Allocator, repeated: boolean) => KeptPage,
  ): KeptPage {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.used = true;
    if (entry?.version === version) return entry.page;
    if (entry === undefined && !this.#requested.add(key)) return make(passingMemory, false);
    let room = entry?.room;
    const memory: Allocator = (length) => {
      if (room === undefined || length > room.length || length * 2 < room.length)
        room = Buffer.allocUnsafeSlow(length + (length >> 4));
      return room.subarray(0, length) as Transient;
    };
    if (entry?.page.refresh(table, memory) === true) {
      if (room === entry.room) entry.version = version;
      else this.#keep(key, { ...entry, version, room: room! });
      return entry.page;
    }
    const page = make(memory, true);
    this.#keep(key, { page, version, room: room ?? page.bytes, used: entry !== undefined });
    return page;
  }

  #keep(key: string, entry: Entry): void {
    this.#forget(key);
    if (entry.room.length > PAGE_BYTES_MAX) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.room.length;
    // A page requested meanwhile goes to the end of the queue, once.
    for (const [oldest, page] of this.#entries) {
      if (this.#bytes <= BYTES_MAX) break;
      if (page.used) {
        page.used = false;
        this.#entries.delete(oldest);
        this.#entries.set(oldest, page);
      } else this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.room.length;
    this.#entries.delete(key);
  }
}
