// Items by id, each sent whole when it changes: in the order of their last changes, so that a reader at any position
// finds what changed after it. What the items are is a channel's own matter (keyed-channels.ts).

import type { KeyedName } from '../base/model/stream-channels.js';
import type { TableDelta } from '../log/delta/delta.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { Applied } from '../tables/table.js';

export interface KeyedItem {
  id: string;
  /** The game it belongs to: what filters of streams see of it. Null: it passes them all. */
  event: { id: string; sport: string; league: string } | null;
  /** Sent to joining clients. */
  current: boolean;
}

interface Entry extends KeyedItem {
  position: number;
  /** Position at which it ceased to be current; 0 if it never did. */
  leftPosition: number;
  /** Changes are numbered in order. */
  number: number;
}

/** Ids of items, looked up piece by piece. */
export interface ItemWalk {
  readonly name: KeyedName;
  readonly from: number;
  take(from: number, to: number | null, bytesMax: number): { ids: string[]; gone: string[]; next: number | null };
}

/** Such items of one kind. */
export interface KeyedChannel {
  /** Those that streams of an account may show. */
  itemsOf(account: string): KeyedItems;
  /** Of its newest change, where no delta carries its changes. */
  readonly position?: number;
  /** What changed after it is known, where that is less than the table's log. */
  readonly completeFrom?: number;
  /** Takes over what a delta changed; the table has applied it. */
  apply(applied: Applied, delta: TableDelta): void;
  /** Removes items that nobody needs any more: no reader is further behind than `completeFrom`. */
  forget(completeFrom: number): void;
  /** An item as it is now, as JSON; undefined if there is none any more. */
  text(id: string): string | undefined;
}

export type KeyedChannels = Readonly<Record<KeyedName, KeyedChannel>>;

export class KeyedItems {
  /** Oldest change first. */
  readonly #entries = new Map<string, Entry>();
  #changes = 0;

  /** @param left it may have been current before */
  put(item: KeyedItem, position: number, left = false): void {
    const before = this.#entries.get(item.id);
    const leaves = !item.current && (left || before?.current === true);
    const leftPosition = leaves ? position : (before?.leftPosition ?? 0);
    this.#entries.delete(item.id);
    this.#entries.set(item.id, { ...item, position, leftPosition, number: this.#changes++ });
  }

  /** Where an item last changed; -1 if there is none. */
  positionOf(id: string): number {
    return this.#entries.get(id)?.position ?? -1;
  }

  /** Readers are not told. */
  delete(id: string): void {
    this.#entries.delete(id);
  }

  /** The same for all that changed last at a position or before it. */
  forget(upTo: number): void {
    for (const [id, { position }] of this.#entries) {
      if (position > upTo) return;
      this.#entries.delete(id);
    }
  }

  /** Ids of what changed after a position or, if it is null, of the current ones. */
  list(after: number | null, filter: StreamFilter): { ids: string[]; gone: string[] } {
    const ids: string[] = [];
    const gone: string[] = [];
    for (const entry of this.#entries.values()) {
      if (!isMeant(entry, after, filter)) continue;
      ids.push(entry.id);
      if (isGone(entry, after)) gone.push(entry.id);
    }
    return { ids, gone };
  }

  /** As list(), for changes up to another position, looked up piece by piece; `sizeOf` is an item's size in bytes. */
  walk(after: number | null, upTo: number, filter: StreamFilter, sizeOf: (id: string) => number): ItemWalk['take'] {
    return (from, to, bytesMax) => {
      const ids: string[] = [];
      const gone: string[] = [];
      let bytes = 0;
      for (const entry of this.#entries.values()) {
        if (entry.number < from) continue;
        if (entry.position > upTo || entry.number >= (to ?? Number.POSITIVE_INFINITY)) break;
        if (to === null && bytes >= bytesMax) return { ids, gone, next: entry.number };
        if (!isMeant(entry, after, filter)) continue;
        ids.push(entry.id);
        if (isGone(entry, after)) gone.push(entry.id);
        bytes += sizeOf(entry.id);
      }
      return { ids, gone, next: null };
    };
  }
}

/** Whether a reader at a position may take it for current. */
function isGone({ current, leftPosition }: Entry, after: number | null): boolean {
  return after !== null && !current && leftPosition > after;
}

function isMeant({ current, position, event }: Entry, after: number | null, filter: StreamFilter): boolean {
  return (after === null ? current : position > after) && (event === null || filter.hasEvent(event));
}
