// A cache of pages between two changes: the same request gets the same bytes until something it could show has changed.
// Bounded in bytes; the least recently used pages are evicted first.
import { SeenTexts } from '../base/memory/seen-texts.js';
import type { Transient } from '../base/memory/transient.js';
import { LIMITS } from '../base/model/limits.js';
import { type Allocator, type KeptPage, passingMemory } from './page.js';

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
