// The active opportunities of one book universe in the order of their last change, with those that ended: like the odds
// table, it can give the net changes after any position that the log still has. A change that streams are sent later than
// lists show it counts as another one at that position.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { Pool } from '../base/memory/pool.js';
import { TimeQueue } from '../base/memory/time-queue.js';
import { LIMITS } from '../base/model/limits.js';
import { retainedAs } from '../detection/kinds/recorded-opportunity.js';
import { HELD_US } from '../detection/pace.js';
import type { OpenDelta } from '../log/delta/delta.js';
import type { Opportunity, UniverseNews } from '../log/delta/opportunity.js';
import { EdgeHistory } from './edge-history.js';
import { type Ended, Endings, type PastEnd } from './endings.js';

export interface Entry {
  opportunity: Opportunity;
  shard: number;
  /** Position from which readers of this universe know it. */
  createdPosition: number;
  /** Position of the last change of its numbers that streams were sent. */
  updatedPosition: number;
  /** Position of its last change, or at which streams were sent it. */
  touchedPosition: number;
  readonly edges: EdgeHistory;
  /** Its slot, which it keeps; then it is reused. */
  slot: number;
}

/** Objects of ended opportunities, for new ones. */
const SPARE_MAX = LIMITS.spareLinks.max;

interface Link extends Entry {
  older: Link;
  newer: Link;
}

export class UniverseOpportunities {
  readonly key: string;
  readonly #links = new Map<string, Link>();
  readonly #anchor: Link;
  /** By shard, the position from which on all of its ends are known. */
  readonly #shards = new Map<number, number>();
  readonly #ended = new Endings();
  /** By the position at which streams are sent them. */
  readonly #held = new TimeQueue<Link>();
  readonly #spare = new Pool<Link>(SPARE_MAX);
  readonly #slots: (Link | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  #oldest = 0;

  constructor(key: string) {
    this.key = key;
    const anchor = {} as Link;
    anchor.older = anchor;
    anchor.newer = anchor;
    this.#anchor = anchor;
  }

  get size(): number {
    return this.#links.size;
  }

  /** Net changes are exact for positions from here on. */
  get completeFrom(): number {
    return this.#ended.completeFrom;
  }

  get(id: string): Opportunity | undefined {
    return this.#links.get(id)?.opportunity;
  }

  *opportunities(): Iterable<Opportunity> {
    for (const { opportunity } of this.#links.values()) yield opportunity;
  }

  /** Whether streams are sent something that was held until a position. */
  isDue(position: number): boolean {
    return this.#held.next <= position;
  }

  /** To be called before what is at a position is applied. */
  passTo(position: number): void {
    while (this.#held.next <= position) {
      const at = this.#held.next;
      // It may have ended, and its object be another's.
      for (const link of this.#held.take())
        if (this.at(link.slot) === link && link.opportunity.updatedPosition === at) this.#touch(link, at, at);
    }
  }

  apply(position: number, shard: number, news: Omit<UniverseNews, 'universe'>): void {
    const { from, detected, expired } = news;
    if (from !== undefined && !this.#shards.has(shard)) this.#completeSince(shard, from);
    for (const { id } of expired) this.#end(position, id);
    for (const opportunity of detected) this.#put(position, shard, opportunity);
  }

  /** The stored state of a shard as of a position, of which all ends are known from another one on. */
  restore(shard: number, position: number, from: number, active: readonly Opportunity[]): void {
    this.#completeSince(shard, from);
    // When a change that is held was made, what was so before it, and when streams were sent that, is not stored: it was
    // made by `position`, and they were sent the one before at least so long before the one that is held.
    const touchedAt = ({ updatedPosition }: Opportunity): number => Math.min(position, updatedPosition);
    // Both lists newest first, so that each is walked once.
    let newer = this.#anchor;
    for (const opportunity of [...active].sort((a, b) => touchedAt(b) - touchedAt(a))) {
      const { detectedUs, updatedPosition } = opportunity;
      const touched = touchedAt(opportunity);
      while (newer.older !== this.#anchor && newer.older.touchedPosition > touched) newer = newer.older;
      const link = this.#add(shard, opportunity, detectedUs, touched);
      insertBefore(newer, link);
      newer = link;
      if (updatedPosition <= position) continue;
      link.updatedPosition = Math.min(position, updatedPosition - HELD_US);
      this.#held.add(updatedPosition, link);
    }
  }

  /** What ended before the present state of the shards. */
  restoreEnds(past: readonly PastEnd[]): void {
    for (const end of [...past].sort((a, b) => a.position - b.position)) this.#ended.addPast(end);
  }

  /** Drops all of a shard; true if none is left. */
  forgetShard(shard: number): boolean {
    for (const link of this.#links.values()) if (link.shard === shard) this.#remove(link);
    this.#shards.delete(shard);
    return this.#shards.size === 0;
  }

  /** Those that changed after `position`, oldest first. */
  touchedSince(position: number): Entry[] {
    const touched: Entry[] = [];
    for (let link = this.#anchor.older; link !== this.#anchor && link.touchedPosition > position; link = link.older)
      touched.push(link);
    return touched.reverse();
  }

  /** One above the highest slot in use. */
  get slotLimit(): number {
    return this.#slots.length;
  }

  /** Undefined if the slot is free. */
  at(slot: number): Entry | undefined {
    return this.#slots[slot];
  }

  /** Those that ended, by the numbers of their ends. */
  get endings(): Pick<Endings, 'first' | 'end' | 'numberAfter' | 'at'> {
    return this.#ended;
  }

  /** Those that ended after `position` and began by `createdUpTo`: known to a reader at that position. */
  endedSince(position: number, createdUpTo = position): readonly Ended[] {
    return this.#ended.since(position, createdUpTo);
  }

  /** No reader needs anything from before `position` any more. */
  forget(position: number): void {
    this.#oldest = Math.max(this.#oldest, position);
    this.#ended.expire(position);
  }

  #completeSince(shard: number, position: number): void {
    this.#shards.set(shard, position);
    this.#ended.completeFrom = Math.max(this.#ended.completeFrom, position);
  }

  #put(position: number, shard: number, opportunity: Opportunity): void {
    const { updatedPosition } = opportunity;
    let link = this.#links.get(opportunity.id);
    const waits = link?.opportunity.updatedPosition === updatedPosition;
    if (link === undefined) {
      link = this.#add(shard, opportunity, position, position);
      insertBefore(this.#anchor, link);
    } else {
      link.opportunity = retainedAs(link.opportunity, opportunity);
      link.edges.push(position, opportunity.edge, opportunity.terms, this.#oldest);
      this.#touch(link, position, updatedPosition === position ? position : link.updatedPosition);
    }
    if (updatedPosition > position && !waits) this.#held.add(updatedPosition, link);
  }

  #touch(link: Link, position: number, updatedPosition: number): void {
    link.updatedPosition = updatedPosition;
    link.touchedPosition = position;
    unlink(link);
    insertBefore(this.#anchor, link);
  }

  /** Not yet in its place in the order. */
  #add(shard: number, opportunity: Opportunity, createdPosition: number, updatedPosition: number): Link {
    const spare = this.#spare.take();
    const retained = retainedAs(spare?.opportunity, opportunity);
    const link = spare ?? newLink(retained);
    link.opportunity = retained;
    link.shard = shard;
    link.createdPosition = createdPosition;
    link.updatedPosition = updatedPosition;
    link.touchedPosition = updatedPosition;
    link.edges.reset(updatedPosition, opportunity.edge, opportunity.terms);
    this.#links.set(retained.id, link);
    link.slot = this.#freeSlots.pop() ?? this.#slots.length;
    this.#slots[link.slot] = link;
    return link;
  }

  #end(position: number, id: string): void {
    const link = this.#links.get(id);
    if (link === undefined) return;
    this.#ended.add(position, link.createdPosition, link.opportunity, link.edges);
    this.#remove(link);
  }

  #remove(link: Link): void {
    this.#links.delete(link.opportunity.id);
    this.#slots[link.slot] = undefined;
    this.#freeSlots.push(link.slot);
    unlink(link);
    this.#spare.give(link);
  }
}

function newLink(opportunity: Opportunity): Link {
  const edges = new EdgeHistory(0, 0, opportunity.terms);
  return {
    opportunity,
    shard: 0,
    createdPosition: 0,
    updatedPosition: 0,
    touchedPosition: 0,
    edges,
    slot: 0,
    older: null!,
    newer: null!,
  };
}

function unlink(link: Link): void {
  const { older, newer } = link;
  older.newer = newer;
  newer.older = older;
  // An object that is not reused would retain everything it points at, and those after them, until a major GC.
  link.older = link;
  link.newer = link;
}

function insertBefore(newer: Link, link: Link): void {
  link.newer = newer;
  link.older = newer.older;
  link.older.newer = link;
  newer.older = link;
}

// The opportunities of every universe that the shards know, watched or not, in the order of the change log: beside the
// rows, from which they are composed.

export class OpportunityTable {
  /** Called before changes are applied. */
  onNews: () => void = () => undefined;
  readonly #universes = new Map<string, UniverseOpportunities>();

  /** A universe's; empty if nothing is known of it. */
  of(key: string): UniverseOpportunities {
    return getOrInsert(this.#universes, key, () => new UniverseOpportunities(key));
  }

  apply({ position, shard, opportunities }: Pick<OpenDelta, 'position' | 'shard' | 'opportunities'>): void {
    const universes = [...this.#universes.values()];
    if (opportunities.length === 0 && !universes.some((one) => one.isDue(position))) return;
    this.onNews();
    for (const universe of universes) universe.passTo(position);
    for (const news of opportunities) {
      const { universe, forgotten } = news;
      if (!forgotten) this.of(universe).apply(position, shard, news);
      else if (this.of(universe).forgetShard(shard)) this.#universes.delete(universe);
    }
  }

  /** Position at which it was first detected, in whichever universe; Infinity if none has it. */
  detectedUs(id: string): number {
    let first = Number.POSITIVE_INFINITY;
    for (const universe of this.#universes.values()) first = Math.min(first, universe.get(id)?.detectedUs ?? first);
    return first;
  }

  /** No reader needs anything from before a position any more. */
  forget(position: number): void {
    for (const universe of this.#universes.values()) universe.forget(position);
  }
}
