// What is remembered of opportunities across a restart: when each was first detected and last changed, and its numbers,
// so that none is forgotten, published again or left active. Those of one event are in one slab: they change together,
// and one page for each would be most of what a commit writes.

import { copyFingerprint, FINGERPRINT_BYTES, packFingerprint, readFingerprint } from '../detect/fingerprint.js';
import type { Forgotten, KnownUniverses, Remembered, RememberedChanges } from '../detect/remembered.js';
import type { Arena } from '../memory/arena.js';
import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import { OPPORTUNITY_KINDS } from '../model/opportunity.js';
import { decode, encode } from '../wire/codec.js';
import type { ShardEnv } from './shard-env.js';

const UNIVERSES_KEY = 'universes';

export function readUniverses(env: ShardEnv): KnownUniverses {
  const bytes = env.meta.getBinary(UNIVERSES_KEY);
  return new Map(bytes === undefined ? [] : (decode(bytes) as [key: string, sinceUs: number][]));
}

/** An event's slab to write, or null if nothing of it is active any more. */
export type EventSlab = [eventNo: number, slab: Buffer | null];

const ID_BYTES = 8;
const TIMES_BYTES = 16;
/** [u8 kind][u16 universe][id][f64 detectedUs, movedUs][fingerprint] */
const ENTRY_BYTES = 3 + ID_BYTES + TIMES_BYTES + FINGERPRINT_BYTES;

/** In the writer's memory. */
interface StoredOpportunity extends Remembered {
  /** The same opportunity in another universe. */
  next: StoredOpportunity | null;
}

/** Of one event, by id. */
type OfEvent = Map<string, StoredOpportunity>;

/** Forgotten ones kept for reuse. */
const SPARE_MAX = LIMITS.spareEntries.max;

/** The writer's own copy of what the store remembers. */
export class OpportunityStore {
  readonly #events = new Map<number, OfEvent>();
  readonly #spare = new Pool<StoredOpportunity>(SPARE_MAX);

  /** Loads what the store contains. */
  load(env: ShardEnv): void {
    this.#events.clear();
    for (const { key, value } of env.opportunities.getRange()) {
      const ofEvent: OfEvent = new Map();
      for (const one of unpackSlab(key, value)) this.#keep(ofEvent, one);
      this.#events.set(key, ofEvent);
    }
  }

  /** Copies: its own objects are reused when they are forgotten. */
  *all(): Iterable<Remembered> {
    for (const ofEvent of this.#events.values())
      for (const known of ofEvent.values())
        for (let one: StoredOpportunity | null = known; one !== null; one = one.next) {
          const { next: _next, ...copy } = one;
          yield copy;
        }
  }

  /**
   * Applies the changes, and returns the slabs they change, in memory of `arena`. Removals first: what came back is
   * active.
   */
  change({ put, remove }: Pick<RememberedChanges, 'put' | 'remove'>, arena: Arena): EventSlab[] {
    const touched = new Set<number>();
    for (const one of remove) {
      const ofEvent = this.#events.get(one.eventNo);
      if (ofEvent !== undefined && this.#forget(ofEvent, one)) touched.add(one.eventNo);
    }
    for (const one of put) {
      let ofEvent = this.#events.get(one.eventNo);
      if (ofEvent === undefined) {
        ofEvent = new Map();
        this.#events.set(one.eventNo, ofEvent);
      }
      this.#keep(ofEvent, one);
      touched.add(one.eventNo);
    }
    return [...touched].map((eventNo) => {
      const ofEvent = this.#events.get(eventNo)!;
      if (ofEvent.size > 0) return [eventNo, packSlab(ofEvent, arena)];
      this.#events.delete(eventNo);
      return [eventNo, null];
    });
  }

  #keep(ofEvent: OfEvent, one: Remembered): void {
    const first = ofEvent.get(one.id);
    let last: StoredOpportunity | undefined;
    for (let known: StoredOpportunity | null = first ?? null; known !== null; known = known.next) {
      if (known.universe === one.universe) {
        assign(known, one);
        return;
      }
      last = known;
    }
    const own = this.#spare.take() ?? blank();
    assign(own, one);
    if (last === undefined) ofEvent.set(one.id, own);
    else last.next = own;
  }

  #forget(ofEvent: OfEvent, { id, universe }: Forgotten): boolean {
    let before: StoredOpportunity | undefined;
    for (let known = ofEvent.get(id) ?? null; known !== null; known = known.next) {
      if (known.universe !== universe) {
        before = known;
        continue;
      }
      const { next } = known;
      if (before !== undefined) before.next = next;
      else if (next !== null) ofEvent.set(id, next);
      else ofEvent.delete(id);
      known.next = null;
      this.#spare.give(known);
      return true;
    }
    return false;
  }
}

/** Each field is named: a spread makes objects that are several times as slow to read. */
function blank(): StoredOpportunity {
  return {
    eventNo: 0,
    universe: '',
    id: '',
    kind: 'ev',
    detectedUs: 0,
    updatedPosition: 0,
    first: 0,
    second: 0,
    third: 0,
    fourth: 0,
    folded: 0,
    next: null,
  };
}

/** Copies everything but `next`. */
function assign(own: StoredOpportunity, one: Remembered): void {
  own.eventNo = one.eventNo;
  own.universe = one.universe;
  own.id = one.id;
  own.kind = one.kind;
  own.detectedUs = one.detectedUs;
  own.updatedPosition = one.updatedPosition;
  copyFingerprint(one, own);
}

/** Within the current transaction. */
export function writeOpportunities(env: ShardEnv, slabs: readonly EventSlab[], universes: KnownUniverses | null): void {
  if (universes !== null) void env.meta.put(UNIVERSES_KEY, encode([...universes]));
  for (const [eventNo, slab] of slabs) {
    if (slab === null) void env.opportunities.remove(eventNo);
    else void env.opportunities.put(eventNo, slab);
  }
}

/** [u16 universes] ([u16 length] key as UTF-8)… entries… */
function packSlab(ofEvent: OfEvent, arena: Arena): Buffer {
  const universes: string[] = [];
  let headBytes = 2;
  let entries = 0;
  for (const known of ofEvent.values())
    for (let one: StoredOpportunity | null = known; one !== null; one = one.next) {
      entries++;
      if (universes.includes(one.universe)) continue;
      universes.push(one.universe);
      headBytes += 2 + Buffer.byteLength(one.universe);
    }
  const slab = arena.take(headBytes + entries * ENTRY_BYTES);
  let at = slab.writeUInt16LE(universes.length, 0);
  for (const name of universes) {
    const length = slab.write(name, at + 2);
    at = slab.writeUInt16LE(length, at) + length;
  }
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  for (const known of ofEvent.values())
    for (let one: StoredOpportunity | null = known; one !== null; one = one.next) {
      slab[at] = OPPORTUNITY_KINDS.indexOf(one.kind);
      view.setUint16(at + 1, universes.indexOf(one.universe), true);
      slab.write(one.id, at + 3, 'hex');
      at += 3 + ID_BYTES;
      view.setFloat64(at, one.detectedUs, true);
      view.setFloat64(at + 8, one.updatedPosition, true);
      packFingerprint(one, view, at + TIMES_BYTES);
      at += TIMES_BYTES + FINGERPRINT_BYTES;
    }
  return slab;
}

function unpackSlab(eventNo: number, slab: Buffer): Remembered[] {
  const universes: string[] = [];
  const count = slab.readUInt16LE(0);
  let at = 2;
  for (let i = 0; i < count; i++) {
    const end = at + 2 + slab.readUInt16LE(at);
    universes.push(slab.toString('utf8', at + 2, end));
    at = end;
  }
  const entries: Remembered[] = [];
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  for (; at < slab.length; at += ENTRY_BYTES) {
    const timesAt = at + 3 + ID_BYTES;
    const one = blank();
    one.eventNo = eventNo;
    one.universe = universes[view.getUint16(at + 1, true)]!;
    one.id = slab.toString('hex', at + 3, timesAt);
    one.kind = OPPORTUNITY_KINDS[slab[at]!]!;
    one.detectedUs = view.getFloat64(timesAt, true);
    one.updatedPosition = view.getFloat64(timesAt + 8, true);
    readFingerprint(view, timesAt + TIMES_BYTES, one);
    entries.push(one);
  }
  return entries;
}
