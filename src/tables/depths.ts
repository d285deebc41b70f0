// The depths of the table's rows, in the order of their last change: only rows of exchanges have one, and only those who
// ask for it read it.
import { detachedText } from '../base/memory/detached-text.js';
import type { DepthText } from '../base/model/depth.js';

interface Entry {
  readonly slot: number;
  /** Position of its last change. */
  position: number;
  /** Null if the book states none any more. */
  depth: DepthText | null;
  older: Entry;
  newer: Entry;
}

export class Depths {
  readonly #entries = new Map<number, Entry>();
  /** Its neighbours are the newest and the oldest entry. */
  readonly #anchor: Entry;

  constructor() {
    const anchor = { slot: 0, position: Number.NEGATIVE_INFINITY, depth: null } as unknown as Entry;
    anchor.older = anchor;
    anchor.newer = anchor;
    this.#anchor = anchor;
  }

  /** Of a row; null if it has none, undefined if it never had one. */
  get(slot: number): DepthText | null | undefined {
    return this.#entries.get(slot)?.depth;
  }

  /** Whether it changed after a position. */
  changedAfter(slot: number, position: number): boolean {
    return (this.#entries.get(slot)?.position ?? Number.NEGATIVE_INFINITY) > position;
  }

  set(slot: number, stated: DepthText | null, position: number): void {
    const depth = detachedText(stated);
    let entry = this.#entries.get(slot);
    if (entry === undefined) {
      entry = { slot, position, depth, older: this.#anchor, newer: this.#anchor };
      this.#entries.set(slot, entry);
    } else {
      unlink(entry);
      entry.position = position;
      entry.depth = depth;
    }
    const newest = this.#anchor.older;
    entry.older = newest;
    entry.newer = this.#anchor;
    newest.newer = entry;
    this.#anchor.older = entry;
  }

  delete(slot: number): void {
    const entry = this.#entries.get(slot);
    if (entry === undefined) return;
    unlink(entry);
    this.#entries.delete(slot);
  }

  /** Rows whose depth changed after a position, oldest change first. */
  since(position: number): number[] {
    const slots: number[] = [];
    for (let entry = this.#anchor.older; entry.position > position; entry = entry.older) slots.push(entry.slot);
    return slots.reverse();
  }

  /** Every change counts as one at this position: before anyone reads. */
  restate(position: number): void {
    for (const entry of this.#entries.values()) entry.position = position;
  }
}

function unlink({ older, newer }: Entry): void {
  older.newer = newer;
  newer.older = older;
}
